internal import Basics

/// The resources of one pool, and what pushes have changed of them. `OriginContent` owns the pools.
struct OriginPool: Sendable {
    /// The changes to one resource.
    private struct Change {
        var revision = 0
        /// The changed members, in the order of their first change; the values are JSON.
        var members: [(name: String, json: [UInt8])] = []
    }

    let name: String
    private let fields: [OriginField]
    private let seed: UInt64
    private var changes: [String: Change] = [:]

    init(_ name: String, fields: [OriginField], seed: UInt64) throws(OriginPoolError) {
        if name.isEmpty || name.contains("/") { throw .name(name) }
        var taken: Set = [name, "revision"]
        for field in fields {
            if !taken.insert(field.name).inserted { throw .field(field.name) }
            if case .choice(let choices) = field.initial, choices.isEmpty {
                throw .noChoice(field.name)
            }
        }
        self.name = name
        self.fields = fields
        self.seed = Self.hash(name, seed: seed)
    }

    /// How often a resource has been changed.
    func revision(_ value: String) -> Int { changes[value]?.revision ?? 0 }

    /// A resource as JSON: `{"character":"elf-42","revision":3,"hp":30,…}`.
    func object(_ value: String) -> [UInt8] {
        let change = changes[value]
        var members = change?.members ?? []
        return JSONWriter.object { json in
            json.member(name, value: value)
            json.member("revision", value: change?.revision ?? 0)
            for field in fields {
                json.key(field.name)
                if let index = members.firstIndex(where: { $0.name == field.name }) {
                    members.remove(at: index).json.withByteView { json.raw($0) }
                } else {
                    write(field, of: value, to: &json)
                }
            }
            for member in members {
                json.key(member.name)
                member.json.withByteView { json.raw($0) }
            }
        }
    }

    /// Changes members of a resource; at most `limit` members of it can ever be changed.
    ///
    /// - Returns: how many members were dropped because of the limit.
    mutating func change(_ value: String, to members: [PayloadMember], limit: Int) -> Int {
        var change = changes[value] ?? Change()
        change.revision += 1
        var droppedCount = 0
        for member in members {
            if let index = change.members.firstIndex(where: { $0.name == member.name }) {
                change.members[index].json = member.json
            } else if change.members.count < limit {
                change.members.append((member.name, member.json))
            } else {
                droppedCount += 1
            }
        }
        changes[value] = change
        return droppedCount
    }

    // MARK: - Initial values

    private func write(_ field: OriginField, of value: String, to json: inout JSONWriter) {
        let random = Self.hash(field.name, seed: Self.hash(value, seed: seed))
        switch field.initial {
        case .number(let range):
            let span = UInt64(bitPattern: range.upperBound &- range.lowerBound)
            let offset = span == .max ? random : random % (span + 1)
            json.integer(range.lowerBound &+ Int64(bitPattern: offset))
        case .choice(let choices): json.string(choices[Int(random % UInt64(choices.count))])
        case .flag: json.boolean(random % 2 == 1)
        }
    }

    /// The hash of a text under a seed: FNV-1a over the bytes, finished by a step of SplitMix64.
    private static func hash(_ text: String, seed: UInt64) -> UInt64 {
        var hash = seed ^ 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        var generator = SplitMix64(seed: hash)
        return generator.next()
    }
}
