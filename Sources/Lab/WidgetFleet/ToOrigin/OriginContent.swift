internal import Basics

/// The content of a fleet's origin: pools of resources, such as `/character/elf-42`.
///
/// Every value names a resource of its pool. Its initial fields are computed from the seed and the
/// value and take no memory; only what pushes have changed is stored:
///
///     /character/elf-42 ─► fields of the pool, from the seed ─┐
///                      └─► what pushes have changed ──────────┴─► {"character":"elf-42",…}
struct OriginContent {
    /// The longest value that names a resource, in bytes of UTF-8.
    private static var valueByteLimit: Int { 256 }
    /// The most resources that pushes can change; further ones stay as they are.
    static var changedLimit: Int { 1_000_000 }

    /// The changes to one resource.
    private struct Change {
        var revision = 0
        /// The changed members, in the order of their first change.
        var members: [JSONValue.Member] = []
    }

    private struct Pool {
        let name: String
        /// The fields that every resource has, and the ranges that their values are drawn from.
        let fields: [(name: String, values: ClosedRange<Int64>)]
        let seed: UInt64
        /// What pushes have changed, by the resource's value.
        var changes: [String: Change] = [:]
    }

    private var pools: [Pool]
    private var changedCount = 0

    /// Makes the content that a scenario states; all devices have started at `rampEnd`.
    init(_ plan: OriginPlan, seed: UInt64, rampEnd: WallTime) {
        pools = plan.pools.sorted { $0.key < $1.key }.map { name, fields in
            Pool(
                name: name,
                fields: fields.sorted { $0.key < $1.key }.map { name, field in
                    (name, field.values(rampEnd: rampEnd))
                },
                seed: Self.hash(name, seed: seed)
            )
        }
    }

    /// The resource of a path `/pool/value` as JSON,
    /// `{"character":"elf-42","revision":3,"hp":30,…}`; nil if there is none.
    func object(_ path: String) -> [UInt8]? {
        guard let (pool, value) = locate(path) else { return nil }
        let change = pool.changes[value]
        var members = change?.members ?? []
        return JSONWriter.object { json in
            json.member(pool.name, value: value)
            json.member("revision", value: change?.revision ?? 0)
            for field in pool.fields {
                if let index = members.firstIndex(where: { $0.name == field.name }) {
                    json.member(field.name, value: members.remove(at: index).value)
                } else {
                    json.member(field.name, value: Self.initial(field, of: value, in: pool))
                }
            }
            for member in members { json.member(member.name, value: member.value) }
        }
    }

    /// The pool and the value that a path names; nil if there is no such resource.
    private func locate(_ path: String) -> (pool: Pool, value: String)? {
        let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, Self.isName(parts[2]) else { return nil }
        return pools.first { $0.name == parts[1] }.map { ($0, String(parts[2])) }
    }

    private static func isName(_ value: some StringProtocol) -> Bool {
        (1...valueByteLimit).contains(value.utf8.count)
    }

    // MARK: - Pushes

    /// Changes resources as a push says.
    ///
    /// If the payload has a member named like a pool, the value of the member names resources of
    /// that pool, by a string or a list of strings. Each of these resources adopts all other
    /// members of the payload, except objects, lists and `revision`, and its revision rises by one.
    mutating func apply(_ payload: JSONValue) {
        for index in pools.indices {
            let name = pools[index].name
            guard let target = payload.member(name) else { continue }
            let changes = payload.members.filter { member in
                switch member.value {
                case .list, .object: false
                default: member.name != name && member.name != "revision"
                }
            }
            for value in Self.strings(target) where Self.isName(value) {
                change(value, of: index, to: changes)
            }
        }
    }

    private mutating func change(_ value: String, of pool: Int, to members: [JSONValue.Member]) {
        var change = pools[pool].changes[value] ?? Change()
        if change.revision == 0 {
            if changedCount == Self.changedLimit { return }
            changedCount += 1
        }
        change.revision += 1
        for member in members {
            if let index = change.members.firstIndex(where: { $0.name == member.name }) {
                change.members[index] = member
            } else {
                change.members.append(member)
            }
        }
        pools[pool].changes[value] = change
    }

    /// The value if it is a string, or the strings in it if it is a list, without repetitions.
    private static func strings(_ value: JSONValue) -> [String] {
        let values = if case .list(let values) = value { values } else { [value] }
        var strings: [String] = []
        for case .string(let text) in values where !strings.contains(text) { strings.append(text) }
        return strings
    }

    // MARK: - Initial values

    private static func initial(
        _ field: (name: String, values: ClosedRange<Int64>),
        of value: String,
        in pool: Pool
    ) -> Int64 {
        let random = hash(field.name, seed: hash(value, seed: pool.seed))
        let span = UInt64(bitPattern: field.values.upperBound &- field.values.lowerBound)
        let offset = span == .max ? random : random % (span + 1)
        return field.values.lowerBound &+ Int64(bitPattern: offset)
    }

    /// The hash of a text under a seed: FNV-1a over the bytes, finished by a step of SplitMix64.
    private static func hash(_ text: String, seed: UInt64) -> UInt64 {
        var hash = seed ^ 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        var generator = SplitMix64(seed: hash)
        return generator.next()
    }
}

extension OriginPlan.Field {
    /// The values that the field may have at the beginning.
    func values(rampEnd: WallTime) -> ClosedRange<Int64> {
        switch self {
        case .number(let range): return range
        case .secondsAfterRamp(let seconds):
            let date = rampEnd + Milliseconds(seconds: seconds)
            return date.rawValue...date.rawValue
        }
    }
}
