import Basics
import TestSupport
import WidgetMatching

/// A widget of the model.
struct ModelWidget {
    let kind: KindID
    let parameters: [ModelMember]

    /// A parameter's values; nil if the widget lacks it.
    func values(of name: String) -> [ModelValue]? {
        parameters.first { $0.name.hasSameBytes(as: name) }?.value.elements
    }
}

/// A kind of the model.
struct ModelKind {
    let app: AppID
    let name: String
    let rule: EventPattern?
    /// The parameters that the rule names anywhere.
    let parameters: [String]

    init(app: AppID, name: String, rule: EventPattern?) {
        self.app = app
        self.name = name
        self.rule = rule
        parameters = rule?.parameterNames ?? []
    }
}

extension WidgetMatcher.App {
    /// Both apps with their kinds; a kind's id is its index.
    static func all(of kinds: [ModelKind?]) -> [WidgetMatcher.App] {
        ([0, 1] as [AppID]).map { app in
            var installed: [WidgetMatcher.Kind] = []
            for (number, kind) in kinds.enumerated() {
                guard let kind, kind.app == app else { continue }
                installed.append(
                    WidgetMatcher.Kind(
                        kind: KindID(index: number),
                        name: kind.name,
                        rule: kind.rule
                    )
                )
            }
            return WidgetMatcher.App(app: app, kinds: installed)
        }
    }
}

extension ModelValue {
    /// The payload's member `kinds`, a list of strings, as the names to which the push is narrowed;
    /// nil if it has none.
    var kindNames: [String]? {
        member("kinds").map { names in
            names.elements.compactMap { name in
                if case .string(let name) = name { name } else { nil }
            }
        }
    }

    /// What `kindNames` puts in front of a payload, as `PushText` reads it.
    var narrowing: String { kindNames.map { "@\($0.joined(separator: ",")) " } ?? "" }
}

/// Says which widgets a push concerns, straight from the definition: every rule is evaluated for
/// every widget, and nothing is remembered.
struct ModelMatcher {
    private let widget: ModelWidget

    static func concerns(
        _ payload: ModelValue,
        of app: AppID,
        _ widget: ModelWidget,
        _ kind: ModelKind?
    ) -> Bool {
        guard let kind, kind.app == app else { return false }
        // Each push of the model is narrowed to what its member `kinds` lists.
        let names = payload.member("kinds")
        if let names, !names.elements.contains(where: { $0.isSame(as: .string(kind.name)) }) {
            return false
        }
        if let rule = kind.rule {
            guard kind.parameters.allSatisfy({ widget.values(of: $0) != nil }) else { return false }
            return ModelMatcher(widget: widget).holds(rule, payload)
        }
        if widget.parameters.isEmpty { return names != nil }
        return widget.parameters.allSatisfy { parameter in
            (payload.member(parameter.name)?.scalars ?? []).contains { value in
                parameter.value.elements.contains { $0.isSame(as: value) }
            }
        }
    }

    // MARK: - Conditions

    private func holds(_ pattern: EventPattern, _ object: ModelValue) -> Bool {
        pattern.conditions.allSatisfy { condition in
            switch condition {
            case .field(let name, let tests):
                let value = object.member(name)
                return tests.contains { holds($0, value) }
            case .nested(let name, let inner):
                return objects(object.member(name)).contains { holds(inner, $0) }
            case .anyOf(let patterns):
                return patterns.contains { holds($0, object) }
            }
        }
    }

    /// The objects of which one must pass a nested pattern.
    private func objects(_ value: ModelValue?) -> [ModelValue] {
        let objects = (value?.leaves ?? []).filter { element in
            if case .object = element { return true }
            return false
        }
        return objects.isEmpty ? [.object([])] : objects
    }

    // MARK: - Tests

    private func holds(_ test: PatternTest, _ value: ModelValue?) -> Bool {
        let scalars = value?.scalars ?? []
        switch test {
        case .equals(let operand):
            return scalars.contains { scalar in
                values(operand).contains { $0.isSame(as: scalar) }
            }
        case .text(let textOperator, let operand):
            return scalars.contains { scalar in
                values(operand).contains { holds(textOperator, $0, scalar) }
            }
        case .numeric(let bounds):
            return scalars.contains { scalar in
                bounds.allSatisfy { bound in
                    values(bound.operand).contains { holds(bound.comparison, scalar, $0) }
                }
            }
        case .exists(let wanted):
            return (value != nil) == wanted
        case .anythingBut(let tests):
            return value != nil && !tests.contains { holds($0, value) }
        case .allOf(let tests):
            return tests.allSatisfy { holds($0, value) }
        case .allOfParameter(let name):
            return value != nil
                && widget.values(of: name)!.allSatisfy { wanted in
                    scalars.contains { $0.isSame(as: wanted) }
                }
        }
    }

    private func holds(
        _ textOperator: TextOperator,
        _ operand: ModelValue,
        _ scalar: ModelValue
    ) -> Bool {
        guard case .string(let wanted) = operand, case .string(let text) = scalar else {
            return false
        }
        func folded(_ text: String) -> [Unicode.Scalar] { ModelCaseFolding.folded(text) }
        switch textOperator {
        case .prefix: return text.utf8.starts(with: wanted.utf8)
        case .suffix: return text.utf8.reversed().starts(with: wanted.utf8.reversed())
        case .equalsIgnoringCase: return folded(text) == folded(wanted)
        case .prefixIgnoringCase: return folded(text).starts(with: folded(wanted))
        case .suffixIgnoringCase:
            return folded(text).reversed().starts(with: folded(wanted).reversed())
        case .wildcard: return ModelGlob(wanted)?.matches(text) ?? false
        case .regexp: return ModelRegexpReader.read(wanted)?.matches(text) ?? false
        case .cidr: return ModelAddress.isInside(text, wanted)
        }
    }

    private func holds(
        _ comparison: NumericComparison,
        _ scalar: ModelValue,
        _ operand: ModelValue
    ) -> Bool {
        guard case .number(let left) = scalar, case .number(let right) = operand else {
            return false
        }
        switch comparison {
        case .equal: return left == right
        case .notEqual: return left != right
        case .less: return left < right
        case .lessOrEqual: return left < right || left == right
        case .greater: return right < left
        case .greaterOrEqual: return right < left || left == right
        }
    }

    private func values(_ operand: PatternOperand) -> [ModelValue] {
        switch operand {
        case .parameter(let name): widget.values(of: name)!
        case .value(.string(let text)): [.string(text)]
        case .value(.number(let text)): [.number(ModelNumber(text))]
        case .value(.boolean(let value)): [.boolean(value)]
        case .value(.null): [.null]
        }
    }
}
