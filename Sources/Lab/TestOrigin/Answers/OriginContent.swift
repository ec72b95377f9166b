package import Basics

/// The content of a test origin: pools of resources, such as `/character/elf-42`.
///
/// Every value names a resource of its pool. Its initial fields are computed from the seed and the
/// value and take no memory; only what pushes have changed is stored:
///
///     /character/elf-42 ─► fields of the pool, from the seed ─┐
///                      └─► what pushes have changed ──────────┴─► {"character":"elf-42",…}
///
/// Limits: `poolLimit` pools, each with at most as many fields; values of up to `valueByteLimit`
/// bytes (resources with longer ones do not exist); `changedLimit` changed resources, and
/// `changeLimit` changed members of each. Changes beyond these are dropped, and counted in
/// `droppedCount`.
package struct OriginContent: Sendable {
    /// The most pools, and the most fields of a pool.
    package static var poolLimit: Int { 64 }
    /// The longest value that names a resource, in bytes of UTF-8.
    package static var valueByteLimit: Int { 256 }
    /// The most resources that pushes can change, unless `init` sets another limit.
    package static var changedLimit: Int { 1_000_000 }
    /// The most changed members of one resource.
    package static var changeLimit: Int { 64 }

    private var pools: [OriginPool] = []
    private let seed: UInt64
    private let changedLimit: Int
    /// Resources that pushes have changed.
    package private(set) var changedCount = 0
    /// Changes that were dropped because of a limit.
    package private(set) var droppedCount = 0

    /// Makes content without pools.
    ///
    /// - Parameters:
    ///   - seed: determines the initial values of all fields.
    ///   - changedLimit: the most resources that pushes can change.
    package init(seed: UInt64, changedLimit: Int = changedLimit) {
        self.seed = seed
        self.changedLimit = changedLimit
    }

    /// Adds a pool; its name is the first part of its resources' paths.
    ///
    /// - Throws: `OriginPoolError` if the pool is invalid.
    package mutating func declare(
        pool name: String,
        fields: [OriginField]
    ) throws(OriginPoolError) {
        if pools.count == Self.poolLimit || fields.count > Self.poolLimit {
            throw .tooMany(limit: Self.poolLimit)
        }
        if pools.contains(where: { $0.name == name }) { throw .declaredTwice(name) }
        pools.append(try OriginPool(name, fields: fields, seed: seed))
    }

    // MARK: - Reading

    /// True if there is such a resource.
    package func has(_ path: String) -> Bool { locate(path) != nil }

    /// A resource as JSON: its name, its revision, and its fields.
    ///
    /// - Parameter path: `/pool/value`.
    /// - Returns: the object; nil if there is no such resource.
    package func object(_ path: String) -> [UInt8]? {
        locate(path).map { pools[$0.pool].object($0.value) }
    }

    /// How often a resource has been changed; nil if there is no such resource.
    package func revision(_ path: String) -> Int? {
        locate(path).map { pools[$0.pool].revision($0.value) }
    }

    /// The pool and the value that a path names; nil if there is no such resource.
    private func locate(_ path: String) -> (pool: Int, value: String)? {
        guard path.first == "/" else { return nil }
        let rest = path.dropFirst()
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let value = rest[rest.index(after: slash)...]
        guard Self.names(value.utf8.count) else { return nil }
        return pools.firstIndex { $0.name == rest[..<slash] }.map { ($0, String(value)) }
    }

    /// True if a value of this length can name a resource.
    private static func names(_ byteCount: Int) -> Bool {
        byteCount > 0 && byteCount <= valueByteLimit
    }

    // MARK: - Pushes

    /// Changes resources as a push says.
    ///
    /// If the payload has a member named like a pool, the value of the member names resources of
    /// that pool, by a string or an array of strings. Each of these resources adopts all other
    /// members of the payload, except objects, arrays and `revision`, and its revision rises by
    /// one.
    ///
    /// - Parameter payload: a JSON object.
    /// - Returns: how many resources were changed.
    /// - Throws: `JSONError` if the payload is not a JSON object; then nothing is changed.
    @discardableResult
    package mutating func apply(_ payload: ByteView) throws(JSONError) -> Int {
        var scanner = JSONScanner()
        try validateJSON(payload, using: &scanner)
        let members = Self.members(payload)
        var count = 0
        for index in pools.indices {
            let name = pools[index].name
            guard let target = members.first(where: { $0.name == name }) else { continue }
            let changes = members.filter { $0.isScalar && $0.name != name && $0.name != "revision" }
            for value in target.strings where Self.names(value.utf8.count) {
                if change(value, of: index, to: changes) { count += 1 }
            }
        }
        return count
    }

    /// Changes resources as a push says; see the other `apply`.
    @discardableResult
    package mutating func apply(_ payload: [UInt8]) throws(JSONError) -> Int {
        try payload.withByteView { (view) throws(JSONError) in try apply(view) }
    }

    private mutating func change(
        _ value: String,
        of pool: Int,
        to members: [PayloadMember]
    ) -> Bool {
        let isNew = pools[pool].revision(value) == 0
        if isNew && changedCount >= changedLimit {
            droppedCount += 1
            return false
        }
        if isNew { changedCount += 1 }
        droppedCount += pools[pool].change(value, to: members, limit: Self.changeLimit)
        assert(pools[pool].revision(value) > 0, "the resource counts as unchanged")
        return true
    }

    private static func members(_ payload: ByteView) -> [PayloadMember] {
        var members: [PayloadMember] = []
        var reader = JSONReader(payload)
        reader.enterObject()
        while let key = reader.nextKey() {
            members.append(PayloadMember(key.string, from: &reader))
        }
        return members
    }
}

/// A member of a payload's outermost object.
struct PayloadMember {
    let name: String
    /// The value, as it is written in the payload.
    let json: [UInt8]
    /// True for everything but objects and arrays.
    let isScalar: Bool
    /// The value if it is a string, or the strings in it if it is an array, without repetitions.
    let strings: [String]

    /// Reads the value at the reader's position.
    init(_ name: String, from reader: inout JSONReader) {
        self.name = name
        let kind = reader.peek()
        isScalar = kind != .object && kind != .array
        var values = reader
        json = reader.rawValue().array
        switch kind {
        case .string: strings = [values.readString().string]
        case .array: strings = Self.elements(&values)
        default: strings = []
        }
    }

    private static func elements(_ reader: inout JSONReader) -> [String] {
        var elements: [String] = []
        var known: Set<String> = []
        reader.enterArray()
        while reader.nextElement() {
            guard reader.peek() == .string else {
                reader.skipValue()
                continue
            }
            let element = reader.readString().string
            if known.insert(element).inserted { elements.append(element) }
        }
        return elements
    }
}
