import ReloadModel

/// Makes rules, widgets and pushes out of few names and values, so that they meet often.
struct ModelGenerator {
    var random: SeededGenerator
    static let fields = ["a", "b", "c", "naïve", "a longer name of a field", "d\"e", ""]
    private static let common = ["a", "b", "c"]
    static let parameters = ["a", "b", "c", "p", "naïve", "a longer name of a field", "kinds"]
    static let kindNames = ["k0", "k1", "k2", "k3", "k4", "kind of the other app", "k6"]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func one<Element>(_ elements: [Element]) -> Element {
        elements[random.below(elements.count)]
    }

    mutating func scalar() -> ModelValue {
        let texts = ["", "elf-42", "1", "true", "a value of more than sixteen bytes", "é🧝"]
        switch random.below(14) {
        case 0..<6: return .string(random.below(2) == 0 ? "x" : "y")
        case 12, 13: return .string(one(texts))
        case 6..<9: return .number(number())
        case 9, 10: return .boolean(random.below(2) == 0)
        default: return .null
        }
    }

    private mutating func number() -> ModelNumber {
        switch random.below(6) {
        case 0: ModelNumber(0, 0)
        case 1: ModelNumber(15, -1 - random.below(2))
        case 2: ModelNumber(-7, random.below(3) - 1)
        case 3: ModelNumber(9_007_199_254_740_992 + random.below(2), random.below(2) * 30)
        default: ModelNumber(1 + random.below(4), random.below(2))
        }
    }

    // MARK: - Rules

    /// No rule, or one of up to three fields with different paths.
    mutating func rule() -> [ModelCondition]? {
        if random.below(3) == 0 { return nil }
        var conditions: [ModelCondition] = []
        for _ in 0..<1 + random.below(3) {
            let path = (0..<1 + random.below(6) / 3).map { _ in field() }
            if conditions.contains(where: { $0.path == path }) { continue }
            let alternatives = (0..<1 + random.below(3)).map { _ -> ModelAlternative in
                random.below(5) < 3 ? .parameter(one(Self.parameters)) : .value(scalar())
            }
            conditions.append(ModelCondition(path: path, alternatives: alternatives))
        }
        return conditions
    }

    private mutating func field() -> String {
        one(random.below(4) == 0 ? Self.fields : Self.common)
    }

    /// Some of the kinds, in two apps.
    mutating func kinds() -> [ModelKind?] {
        Self.kindNames.enumerated().map { number, name in
            if random.below(6) == 0 { return nil }
            return ModelKind(app: number < 5 ? 0 : 1, name: name, rule: rule())
        }
    }

    // MARK: - Widgets

    mutating func widget() -> ModelWidget {
        var parameters: [ModelMember] = []
        for _ in 0..<random.below(5) {
            let name = random.below(3) == 0 ? one(Self.parameters) : one(Self.common)
            if parameters.contains(where: { $0.name == name }) { continue }
            parameters.append(ModelMember(name: name, value: parameterValue()))
        }
        return ModelWidget(
            kind: KindID(random.below(Self.kindNames.count)),
            parameters: parameters
        )
    }

    private mutating func parameterValue() -> ModelValue {
        let length = random.below(40) == 0 ? 60 : random.below(4)
        if random.below(3) > 0 { return notNull() }
        return .list((0..<length).map { _ in length > 4 ? wide() : notNull() })
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
        random.below(4) == 0 ? notNull() : .string("v\(random.below(200))")
    }

    // MARK: - Pushes

    mutating func payload() -> ModelValue {
        guard case .object(var members) = object(depth: 0) else { return .null }
        for name in Self.common where random.below(4) > 0 {
            if members.contains(where: { $0.name == name }) { continue }
            members.append(ModelMember(name: name, value: value(depth: 1)))
        }
        if random.below(4) == 0 {
            let names = Self.kindNames + ["unknown"]
            let listed = (0..<random.below(5)).map { _ in ModelValue.string(one(names)) }
            let kinds = ModelMember(name: "kinds", value: .list(listed))
            members.insert(kinds, at: random.below(members.count + 1))
        }
        return .object(members)
    }

    private mutating func object(depth: Int) -> ModelValue {
        var members: [ModelMember] = []
        for _ in 0..<random.below(9) {
            let name = random.below(9) == 0 ? "unheard of" : field()
            if members.contains(where: { $0.name == name }) { continue }
            members.append(ModelMember(name: name, value: value(depth: depth + 1)))
        }
        return .object(members)
    }

    private mutating func value(depth: Int) -> ModelValue {
        switch random.below(depth < 4 ? 10 : 5) {
        case 0..<5: scalar()
        case 5, 6: object(depth: depth)
        default: list(depth: depth)
        }
    }

    private mutating func list(depth: Int) -> ModelValue {
        if random.below(15) == 0 { return .list((0..<80).map { _ in wide() }) }
        return .list((0..<random.below(5)).map { _ in value(depth: depth + 1) })
    }
}
