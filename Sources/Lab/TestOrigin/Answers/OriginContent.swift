package import DataStructures
package import StrictJSON

/// The world that an origin tells of: pools of resources, `/character/elf-42`.
///
/// Every value names a resource of its pool. What it is follows from the seed and the value, and
/// takes no memory; what pushes have changed of it is kept beside:
///
///     /character/elf-42 ─► fields of the pool, from the seed ─┐
///                      └─► what pushes have said ─────────────┴─► {"character":"elf-42",…}
///
/// Limits: `poolLimit` pools of as many fields; values of `valueByteLimit`, others are not found;
/// `changedLimit` resources that have been changed, and `changeLimit` members of each that pushes
/// have brought: what is beyond is left away, and counted in `leftAway`.
package struct OriginContent: Sendable {
    package static var poolLimit: Int { 64 }
    package static var valueByteLimit: Int { 256 }
    package static var changedLimit: Int { 1_000_000 }
    package static var changeLimit: Int { 64 }

    private var pools: [OriginPool] = []
    private let seed: UInt64
    private let changedLimit: Int
    /// Resources that have been changed.
    package private(set) var changedCount = 0
    /// Changes that were over a limit.
    package private(set) var leftAway = 0

    package init(seed: UInt64, changedLimit: Int = changedLimit) {
        self.seed = seed
        self.changedLimit = changedLimit
    }

    /// Adds a pool, whose name is the first part of its resources' paths.
    ///
    /// - Throws: `OriginPoolError` if there can be no such pool.
    package mutating func declare(
        pool name: String,
        _ fields: [OriginField]
    ) throws(OriginPoolError) {
        if pools.count == Self.poolLimit || fields.count > Self.poolLimit {
            throw .tooMany(limit: Self.poolLimit)
        }
        if pools.contains(where: { $0.name == name }) { throw .declaredTwice(name) }
        pools.append(try OriginPool(name, fields, seed: seed))
    }

    // MARK: - Reading

    /// Whether there is a resource.
    package func has(_ path: String) -> Bool { place(of: path) != nil }

    /// A resource as JSON: its name, its revision, its fields.
    ///
    /// - Parameter path: `/pool/value`.
    /// - Returns: the object, or nil if there is no such resource.
    package func object(_ path: String) -> [UInt8]? {
        place(of: path).map { pools[$0.pool].object($0.value) }
    }

    /// How often a resource has been changed; nil if there is none.
    package func revision(_ path: String) -> Int? {
        place(of: path).map { pools[$0.pool].revision($0.value) }
    }

    private func place(of path: String) -> (pool: Int, value: String)? {
        guard path.first == "/" else { return nil }
        let rest = path.dropFirst()
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let value = rest[rest.index(after: slash)...]
        guard Self.names(value.utf8.count) else { return nil }
        return pools.firstIndex { $0.name == rest[..<slash] }.map { ($0, String(value)) }
    }

    private static func names(_ byteCount: Int) -> Bool {
        byteCount > 0 && byteCount <= valueByteLimit
    }

    // MARK: - Pushes

    /// Lets the world be as a push says.
    ///
    /// For each pool whose name is a member of the payload, with a string or an array of them: those
    /// resources take over all other members that are neither objects nor arrays, and their revision
    /// rises by one. `revision` itself is not taken over.
    ///
    /// - Parameter payload: a JSON object.
    /// - Returns: how many resources have changed.
    /// - Throws: `JSONError` if the payload is none; nothing has changed then.
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
                if change(value, of: index, changes) { count += 1 }
            }
        }
        return count
    }

    /// The same for bytes in an array.
    @discardableResult
    package mutating func apply(_ payload: [UInt8]) throws(JSONError) -> Int {
        try payload.withByteView { (view) throws(JSONError) in try apply(view) }
    }

    private mutating func change(
        _ value: String,
        of pool: Int,
        _ members: [PayloadMember]
    ) -> Bool {
        let isNew = pools[pool].revision(value) == 0
        if isNew && changedCount >= changedLimit {
            leftAway += 1
            return false
        }
        if isNew { changedCount += 1 }
        leftAway += pools[pool].change(value, members, limit: Self.changeLimit)
        return true
    }

    private static func members(_ payload: ByteView) -> [PayloadMember] {
        var members: [PayloadMember] = []
        var reader = JSONReader(payload)
        reader.enterObject()
        while let key = reader.nextKey() { members.append(PayloadMember(key.string, &reader)) }
        return members
    }
}

/// A member of a payload's outermost object.
struct PayloadMember {
    let name: String
    /// The value as it is written.
    let json: [UInt8]
    let isScalar: Bool
    /// The value if it is a string, or those of the array that it is, each once.
    let strings: [String]

    /// Reads the value that the reader stands at.
    init(_ name: String, _ reader: inout JSONReader) {
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
