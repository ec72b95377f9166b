import Basics
import TestSupport

/// Makes rules, widgets and pushes out of few names and values, so that they meet often.
struct ModelGenerator {
    var random: SeededGenerator
    /// Whether what is made now is for the field in which addresses are frequent.
    private var isForAddresses = false

    /// Names of fields; the last ones are rare, and two of them only look the same.
    static let common = ["a", "b", "c"]
    static let fields =
        common + [
            "naïve", "nai\u{308}ve", "a longer name of a field", "d\"e", "", "a.b", "$or nothing",
            "kinds",
        ]
    /// The parameters: some are named for fields, others for the places that they fit.
    static let parameters = ["a", "b", "c", "text", "glob", "regexp", "block", "number", "list"]
    static let kindNames = (0..<16).map { "k\($0)" } + ["kind of the other app", "k17", "k18"]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func one<Element>(_ elements: [Element]) -> Element {
        elements[random.below(elements.count)]
    }

    /// Whether something happens that does so once in so many times.
    mutating func happens(onceIn count: Int) -> Bool {
        random.below(count) == 0
    }

    /// Makes what belongs to a field of that name.
    mutating func make<Result>(
        for field: String,
        _ make: (inout ModelGenerator) -> Result
    ) -> Result {
        let outer = isForAddresses
        defer { isForAddresses = outer }
        isForAddresses = field == "c"
        return make(&self)
    }

    /// Whether this should be an address, or a test of one.
    mutating func prefersAddresses() -> Bool {
        isForAddresses && happens(onceIn: 3)
    }

    /// A list of so many results.
    mutating func many<Element>(
        _ count: Int,
        _ make: (inout ModelGenerator) -> Element
    ) -> [Element] {
        (0..<count).map { _ in make(&self) }
    }

    mutating func fieldName() -> String {
        happens(onceIn: 6) ? one(Self.fields) : one(Self.common)
    }

    /// Up to so many names of fields, no two the same.
    mutating func fieldNames(_ count: Int) -> [String] {
        many(count) { $0.fieldName() }.reduce(into: []) { names, name in
            if !names.contains(where: { $0.hasSameBytes(as: name) }) { names.append(name) }
        }
    }

    // MARK: - Kinds and widgets

    /// Some of the kinds, in two apps.
    mutating func kinds() -> [ModelKind?] {
        Self.kindNames.enumerated().map { number, name in
            if happens(onceIn: 12) { return nil }
            return ModelKind(
                app: number < 16 ? 0 : 1,
                name: name,
                rule: happens(onceIn: 8) ? nil : happens(onceIn: 5) ? listPattern() : pattern()
            )
        }
    }

    /// A widget; one of a kind without a rule has few parameters, so that they can all be met.
    mutating func widget(_ kinds: [ModelKind?]) -> ModelWidget {
        let kind = random.below(Self.kindNames.count)
        let isPlain = kind < kinds.count && kinds[kind]?.rule == nil
        let lacks = isPlain ? 0 : one([0, 0, 0, 0, 0, 0, 1, 2, 5, 9])
        var parameters: [ModelMember] = []
        for name in isPlain ? fieldNames(random.below(3)) : Self.parameters where name != "" {
            if lacks > 0 && random.below(9) < lacks { continue }
            parameters.append(ModelMember(name: name, value: parameterValue(name)))
        }
        return ModelWidget(kind: KindID(index: kind), parameters: parameters)
    }

    private mutating func parameterValue(_ name: String) -> ModelValue {
        if name != "list" && random.below(4) > 0 { return parameterScalar(name) }
        if happens(onceIn: 40) { return .list(many(60) { $0.wide() }) }
        return .list(many(random.below(4)) { $0.parameterScalar(name) })
    }

    /// A value that fits the parameter's name; now and then one that does not.
    private mutating func parameterScalar(_ name: String) -> ModelValue {
        if happens(onceIn: 8) { return notNull() }
        switch name {
        case "text": return .string(text())
        case "glob": return .string(happens(onceIn: 3) ? one(["**", "a**", "\\", "\\a"]) : glob())
        case "regexp": return .string(happens(onceIn: 3) ? one(["(", "*", "a)"]) : regexp())
        case "block": return .string(happens(onceIn: 3) ? one(Self.badBlocks) : block())
        case "number": return .number(number())
        case "a", "b": return happens(onceIn: 3) ? few() : notNull()
        default: return notNull()
        }
    }

    private mutating func notNull() -> ModelValue {
        while true {
            let value = scalar()
            if case .null = value { continue }
            return value
        }
    }

    /// One of many values, for lists that are long.
    private mutating func wide() -> ModelValue {
        happens(onceIn: 4) ? notNull() : .string("v\(random.below(200))")
    }

    // MARK: - Pushes

    mutating func payload() -> ModelValue {
        var names = fieldNames(random.below(8))
        for name in Self.common where !names.contains(name) && random.below(4) > 0 {
            names.append(name)
        }
        let members = names.map { name in
            ModelMember(
                name: name,
                value: name == "kinds" ? kindList() : make(for: name) { $0.value(depth: 1) }
            )
        }
        return .object(members)
    }

    /// Most pushes name most kinds: the others would find too little.
    private mutating func kindList() -> ModelValue {
        let count = happens(onceIn: 3) ? random.below(4) : 3 * Self.kindNames.count
        return .list(many(count) { .string($0.one(Self.kindNames + ["unknown"])) })
    }

    private mutating func object(depth: Int) -> ModelValue {
        let names = fieldNames(random.below(6))
        return .object(
            names.map { name in
                ModelMember(name: name, value: make(for: name) { $0.value(depth: depth + 1) })
            }
        )
    }

    private mutating func value(depth: Int) -> ModelValue {
        switch random.below(depth < 4 ? 12 : 6) {
        case 0..<6: scalar()
        case 6, 7: object(depth: depth)
        case 8: .list(many(random.below(4)) { $0.object(depth: depth) })
        case 9: records(depth: depth)
        default: list(depth: depth)
        }
    }

    private mutating func list(depth: Int) -> ModelValue {
        if happens(onceIn: 30) { return .list(many(80) { $0.wide() }) }
        return .list(many(random.below(5)) { $0.value(depth: depth + 1) })
    }

    /// One of so few values that they are met again and again.
    private mutating func few() -> ModelValue {
        one([.string("a"), .number(ModelNumber(1, 0)), .number(ModelNumber(2, 0)), .boolean(true)])
    }

    /// A list of objects that have the same fields and often the same values, and maybe such lists
    /// in them.
    private mutating func records(depth: Int) -> ModelValue {
        let pool = many(1 + random.below(4)) { $0.record(depth: depth) }
        return .list(many(random.below(12)) { $0.happens(onceIn: 9) ? $0.few() : $0.one(pool) })
    }

    private mutating func record(depth: Int) -> ModelValue {
        let first = happens(onceIn: 4) ? .list(many(random.below(4)) { $0.few() }) : few()
        var members = [ModelMember(name: "a", value: first), ModelMember(name: "b", value: few())]
        if happens(onceIn: 5) { members.remove(at: random.below(2)) }
        if depth < 4 && happens(onceIn: 3) {
            members.append(ModelMember(name: "c", value: records(depth: depth + 2)))
        }
        return .object(members)
    }
}
