import ReloadModel

/// A widget of the model.
struct ModelWidget {
    let kind: KindID
    let parameters: [ModelMember]
}

/// A kind of the model.
struct ModelKind {
    let app: AppID
    let name: String
    var rule: [ModelCondition]?
}

/// One field of a rule of the model.
struct ModelCondition {
    let path: [String]
    let alternatives: [ModelAlternative]
}

/// What a field may equal.
enum ModelAlternative {
    case value(ModelValue)
    case parameter(String)
}

/// Says which widgets a push concerns, straight from the definition: every rule is evaluated for
/// every widget, and nothing is remembered.
enum ModelMatcher {
    static func concerns(
        _ payload: ModelValue,
        of app: AppID,
        _ widget: ModelWidget,
        _ kind: ModelKind?
    ) -> Bool {
        guard let kind, kind.app == app else { return false }
        let names = payload.member("kinds")
        if let names, !elements(names).contains(where: { $0.isSame(as: .string(kind.name)) }) {
            return false
        }
        if let rule = kind.rule {
            return rule.allSatisfy { condition in
                holds(condition.path, allowed(condition, widget), payload)
            }
        }
        if widget.parameters.isEmpty { return names != nil }
        return widget.parameters.allSatisfy { holds([$0.name], elements($0.value), payload) }
    }

    private static func holds(
        _ path: [String],
        _ allowed: [ModelValue],
        _ payload: ModelValue
    ) -> Bool {
        values(at: path[...], in: payload).contains { value in
            allowed.contains { $0.isSame(as: value) }
        }
    }

    private static func allowed(
        _ condition: ModelCondition,
        _ widget: ModelWidget
    ) -> [ModelValue] {
        condition.alternatives.flatMap { alternative -> [ModelValue] in
            switch alternative {
            case .value(let value): return [value]
            case .parameter(let name):
                return widget.parameters.first { $0.name == name }.map { elements($0.value) } ?? []
            }
        }
    }

    /// The scalars at a path: of a list all its elements, of a list of objects all of theirs.
    private static func values(
        at path: ArraySlice<String>,
        in object: ModelValue
    ) -> [ModelValue] {
        guard let value = object.member(path.first!) else { return [] }
        let rest = path.dropFirst()
        return elements(value).flatMap { element -> [ModelValue] in
            if rest.isEmpty { return element.isScalar ? [element] : [] }
            return values(at: rest, in: element)
        }
    }

    private static func elements(_ value: ModelValue) -> [ModelValue] {
        if case .list(let elements) = value { return elements }
        return [value]
    }
}

extension ModelKind {
    /// The rule as the matcher takes it.
    func matchRule(_ random: inout SeededGenerator) -> MatchRule? {
        guard let rule else { return nil }
        var conditions: [MatchCondition] = []
        for condition in rule {
            var alternatives: [MatchAlternative] = []
            for alternative in condition.alternatives {
                switch alternative {
                case .parameter(let name): alternatives.append(.parameter(name))
                case .value(.string(let text)): alternatives.append(.string(text))
                case .value(.number(let number)):
                    alternatives.append(.number(number.spelled(&random)))
                case .value(.boolean(let value)): alternatives.append(.boolean(value))
                case .value: alternatives.append(.null)
                }
            }
            conditions.append(MatchCondition(path: condition.path, alternatives: alternatives))
        }
        return MatchRule(conditions: conditions)
    }
}
