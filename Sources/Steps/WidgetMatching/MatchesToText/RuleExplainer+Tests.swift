internal import Basics

/// The result of one alternative of a field, with texts for people; see `RuleExplainer`.
struct TestVerdict {
    /// Whether the test holds for the field.
    var holds: Bool
    /// The test, with the widget's values for its parameters.
    var test: String
    /// The value that passes the test, if it is a single one.
    var passing: JSONValue?
    /// Why values of the widget are unusable in this test.
    var notes: [String] = []
}

/// Evaluating the tests of a field.
extension RuleExplainer {
    // MARK: - Tests

    /// The result of a test for a field's value, which may be missing.
    func verdict(on test: PatternTest, for value: JSONValue?) -> TestVerdict {
        switch test {
        case .equals(let operand):
            return verdict(text(of: operand), for: value) { scalar in
                values(of: operand).contains { $0.isSame(as: scalar) }
            }
        case .text(let textOperator, let operand):
            var verdict = verdict("\(textOperator.name) \(text(of: operand))", for: value) {
                scalar in
                values(of: operand).contains { textOperator.holds(scalar, operand: $0) }
            }
            verdict.notes = unusable(operand) { textOperator.problem($0) }
            return verdict
        case .numeric(let bounds): return verdict(on: bounds, for: value)
        case .exists(let wanted):
            return TestVerdict(
                holds: (value != nil) == wanted,
                test: wanted ? "any value" : "no such field"
            )
        case .anythingBut(let tests): return verdict(onAnythingBut: tests, for: value)
        case .allOf(let tests):
            let verdicts = tests.map { verdict(on: $0, for: value) }
            return TestVerdict(
                holds: verdicts.allSatisfy(\.holds),
                test: "all of \(verdicts.map(\.test).joined(separator: " and "))",
                notes: verdicts.flatMap(\.notes)
            )
        case .allOfParameter(let name):
            let wanted = values(of: .parameter(name))
            return TestVerdict(
                holds: value != nil
                    && wanted.allSatisfy { wanted in
                        value?.scalars.contains { $0.isSame(as: wanted) } ?? false
                    },
                test: "all of \(text(of: .parameter(name)))"
            )
        }
    }

    /// The result of a `numeric` test, whose bounds one number must all satisfy.
    private func verdict(on bounds: [NumericBound], for value: JSONValue?) -> TestVerdict {
        let words = bounds.map { "\($0.comparison.rawValue) \(text(of: $0.operand))" }
        var verdict = verdict(words.joined(separator: " and "), for: value) { scalar in
            bounds.allSatisfy { bound in
                values(of: bound.operand).contains {
                    bound.comparison.holds(scalar, bound: $0)
                }
            }
        }
        verdict.notes = bounds.flatMap { bound in
            unusable(bound.operand) { NumericComparison.problem($0) }
        }
        return verdict
    }

    /// The result of an `anything-but` test: the field is present and passes none of the tests.
    private func verdict(onAnythingBut tests: [PatternTest], for value: JSONValue?) -> TestVerdict {
        let verdicts = tests.map { verdict(on: $0, for: value) }
        return TestVerdict(
            holds: value != nil && !verdicts.contains { $0.holds },
            test: "anything but \(verdicts.map(\.test).joined(separator: " or "))",
            notes: verdicts.flatMap(\.notes)
        )
    }

    /// The result of a test that at least one scalar of the value must pass.
    private func verdict(
        _ test: String,
        for value: JSONValue?,
        where passes: (JSONValue) -> Bool
    ) -> TestVerdict {
        let passing = value?.scalars.first(where: passes)
        return TestVerdict(holds: passing != nil, test: test, passing: passing)
    }

    // MARK: - Operands

    /// The values for which an operand stands; none for a missing parameter.
    private func values(of operand: PatternOperand) -> [JSONValue] {
        switch operand {
        case .value(let value): [JSONValue(value)]
        case .parameter(let name): configuration.member(name)?.elements ?? []
        }
    }

    /// An operand as the rule writes it; for a parameter, with the widget's value.
    private func text(of operand: PatternOperand) -> String {
        switch operand {
        case .value(let value): return JSONValue(value).text
        case .parameter(let name):
            let value = configuration.member(name)
            let placeholder = JSONValue.string("${configuration.\(name)}").text
            return "\(placeholder) = \(ExplanationText.value(value))"
        }
    }

    /// For each value of a parameter that can never match in this test, a sentence that says why;
    /// empty for an operand of the rule itself. `problem` is nil for a value that can match.
    private func unusable(_ operand: PatternOperand, problem: (JSONValue) -> String?) -> [String] {
        guard case .parameter(let name) = operand else { return [] }
        return values(of: operand).compactMap { value in
            problem(value).map {
                "the parameter \(name) is of no use here: \(ExplanationText.value(value)) \($0)"
            }
        }
    }
}
