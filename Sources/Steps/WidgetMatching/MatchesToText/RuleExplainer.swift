package import Basics
internal import EventPatterns

/// Evaluates a rule for one widget and one push by its definition, and explains the result.
///
/// It is for operators who ask why: it is slow, and shares nothing with how pushes are matched
/// except the operators on single values.
package struct RuleExplainer {
    /// The widget's parameters, an object.
    let configuration: JSONValue

    /// Explains whether a push of the widget's app matches the widget, by the kind's rule if it has
    /// one; `kinds` are those to which the push is narrowed, or nil.
    package static func explain(
        rule: EventPattern?,
        kindName: String,
        configuration: [JSONValue.Member],
        payload: JSONValue,
        kinds: [String]? = nil
    ) -> MatchExplanation {
        let explainer = RuleExplainer(configuration: .object(configuration))
        // Without a rule, each parameter is a condition on the field of the same name.
        let pattern =
            rule
            ?? EventPattern(
                conditions: configuration.map {
                    .field($0.name, [.equals(.parameter($0.name))])
                }
            )
        let narrowing = explainer.narrowing(
            kinds,
            to: kindName,
            isNeeded: pattern.conditions.isEmpty
        )
        return MatchExplanation(
            conditions: narrowing
                + explainer.outcomes(of: pattern, for: payload, at: ConditionPath())
        )
    }

    /// The condition that the push is not narrowed to other kinds, if it is narrowed, or if the
    /// rule has no conditions of its own (`isNeeded`); else empty.
    private func narrowing(
        _ kinds: [String]?,
        to kindName: String,
        isNeeded: Bool
    ) -> [ConditionOutcome] {
        if kinds == nil && !isNeeded { return [] }
        let wanted = JSONValue.string(kindName)
        let holds = kinds?.contains { $0.utf8.elementsEqual(kindName.utf8) } ?? false
        var outcome = ConditionOutcome(
            path: "kinds",
            test: "the kind \(wanted.text)",
            value: ExplanationText.value(kinds.map { .list($0.map { .string($0) }) }),
            holds: holds
        )
        if holds { outcome.passingValue = wanted.text }
        return [outcome]
    }

    // MARK: - Conditions

    /// The results of a pattern's conditions for an object.
    private func outcomes(
        of pattern: EventPattern,
        for object: JSONValue,
        at path: ConditionPath
    ) -> [ConditionOutcome] {
        pattern.conditions.flatMap { condition in
            switch condition {
            case .field(let name, let tests):
                [outcome(of: tests, for: object.member(name), at: path.member(name))]
            case .nested(let name, let inner):
                outcomes(of: inner, within: object.member(name), at: path.member(name))
            case .anyOf(let patterns): [outcome(of: patterns, for: object, at: path)]
            }
        }
    }

    /// The result of a field's alternatives for its value, which may be missing.
    private func outcome(
        of tests: [PatternTest],
        for value: JSONValue?,
        at path: ConditionPath
    ) -> ConditionOutcome {
        let verdicts = tests.map { verdict(on: $0, for: value) }
        let passed = verdicts.first { $0.holds }
        let missing = missing(in: tests.flatMap(\.parameterNames))
        let holds = passed != nil && missing.isEmpty
        return ConditionOutcome(
            path: path.text,
            test: ExplanationText.alternatives(verdicts.map(\.test)),
            value: ExplanationText.value(value),
            holds: holds,
            passingValue: holds ? passed?.passing.map { ExplanationText.value($0) } : nil,
            passingTest: holds ? passed.map { ExplanationText.cut($0.test) } : nil,
            notes: missing.map(Self.sentence) + verdicts.flatMap(\.notes)
        )
    }

    /// The results of a nested pattern. In a list, one object must pass all conditions; the results
    /// are those of the object that comes closest.
    private func outcomes(
        of pattern: EventPattern,
        within value: JSONValue?,
        at path: ConditionPath
    ) -> [ConditionOutcome] {
        if let value, value.isObject { return outcomes(of: pattern, for: value, at: path) }
        let objects = Self.objects(within: value, at: path)
        if objects.isEmpty {
            // Anything but an object counts as an object without members.
            return outcomes(of: pattern, for: .object([]), at: path)
        }
        let attempts = objects.map { outcomes(of: pattern, for: $0.object, at: $0.path) }
        var closest = attempts.min { $0.failedCount < $1.failedCount } ?? []
        if let position = closest.firstIndex(where: { !$0.holds }), attempts.count > 1 {
            closest[position].notes.append(
                "none of \(attempts.count) objects of \(path.text) passes everything"
            )
        }
        return closest
    }

    /// The objects in a list, and in the lists in it, with their paths.
    private static func objects(
        within value: JSONValue?,
        at path: ConditionPath
    ) -> [(object: JSONValue, path: ConditionPath)] {
        guard case .list(let elements)? = value else { return [] }
        return elements.enumerated().flatMap { (index, element) in
            let place = path.element(index)
            return element.isObject ? [(element, place)] : objects(within: element, at: place)
        }
    }

    /// The result of a `$or` for the object around it.
    private func outcome(
        of patterns: [EventPattern],
        for object: JSONValue,
        at path: ConditionPath
    ) -> ConditionOutcome {
        let branches = patterns.map { outcomes(of: $0, for: object, at: path) }
        // A rule with a missing parameter never holds, whichever branch names it.
        let missing = missing(in: patterns.flatMap(\.parameterNames))
        return ConditionOutcome(
            path: path.member("$or").text,
            test: ExplanationText.alternatives(
                branches.map { $0.map { "\($0.path): \($0.test)" }.joined(separator: " and ") }
            ),
            value: ExplanationText.value(object),
            holds: missing.isEmpty && branches.contains { $0.failedCount == 0 },
            notes: missing.map(Self.sentence),
            branches: branches
        )
    }

    /// The parameters that a rule names and the widget does not have, each once.
    private func missing(in names: [String]) -> [String] {
        names.reduce(into: []) { missing, name in
            if configuration.member(name) == nil && !missing.contains(name) { missing.append(name) }
        }
    }

    /// The sentence for a parameter that the widget does not have.
    private static func sentence(missing name: String) -> String {
        "the widget has no parameter \(name)"
    }
}
