/// Why a push matches a widget, or why it does not; made by `RuleExplainer` for operators.
package struct MatchExplanation: Equatable, Sendable {
    /// The conditions that must all hold: the push's kinds first, then in the rule's order.
    package let conditions: [ConditionOutcome]
    /// Why no push can match the widget, such as a kind that is not declared; nil if nothing
    /// prevents it.
    package internal(set) var obstacle: String?

    /// Whether the push matches the widget.
    package var isMatch: Bool { obstacle == nil && failedCount == 0 }

    /// The number of failing conditions; a `$or` counts as one.
    package var failedCount: Int { conditions.failedCount }

    /// Whether exactly one failing condition keeps the push from matching the widget, or the cost
    /// of its conditions alone.
    package var isNearMiss: Bool {
        obstacle == nil ? failedCount == 1 : !conditions.isEmpty && failedCount == 0
    }

    /// How near the push comes to the widget, if it does not match it.
    package var nearness: Nearness {
        Nearness(
            isUnrelated: !conditions.contains(where: \.hasField),
            failedCount: failedCount,
            isFieldMissing: firstFailure?.isMissing ?? false,
            heldCount: conditions.count - failedCount
        )
    }

    /// The first condition that fails.
    package var firstFailure: ConditionOutcome? { conditions.first { !$0.holds } }

    /// The explanation as one sentence.
    package var sentence: String {
        if let obstacle { return "does not match: \(obstacle)." }
        guard let failure = firstFailure else {
            return "matches: \(conditions.map(\.sentence).joined(separator: "; "))."
        }
        let more = failedCount - 1
        let rest =
            switch more {
            case 0: ""
            case 1: "; 1 more condition fails"
            default: "; \(more) more conditions fail"
            }
        return "does not match: \(failure.sentence)\(rest)."
    }
}

/// How near a push comes to a widget that it does not match; the nearest is the least.
package struct Nearness: Comparable {
    /// Whether the push has no field that the rule is about.
    package let isUnrelated: Bool
    let failedCount: Int
    /// Whether the push lacks the field of the first condition that fails.
    let isFieldMissing: Bool
    let heldCount: Int

    /// Whether the push comes nearer to the left widget.
    package static func < (left: Nearness, right: Nearness) -> Bool {
        if left.isUnrelated != right.isUnrelated { return right.isUnrelated }
        if left.failedCount != right.failedCount { return left.failedCount < right.failedCount }
        if left.isFieldMissing != right.isFieldMissing { return right.isFieldMissing }
        return left.heldCount > right.heldCount
    }
}

/// The result of one condition of a rule for a push, with texts for people.
package struct ConditionOutcome: Equatable, Sendable {
    /// Path in the payload, such as `place.region`, or `lines[2].stop` in a list; ends in `$or` for
    /// alternatives.
    package var path: String
    /// What the rule requires there, with the widget's values for its parameters: `prefix "dra"`,
    /// `"${configuration.region}" = "north"`.
    package var test: String
    /// What the payload has there, as JSON cut to 64 characters; or `missing`.
    package var value: String
    /// Whether the condition holds; false if it names a parameter that the widget does not have.
    package var holds: Bool
    /// If the condition holds because of a single value: that value, as JSON.
    package var passingValue: String?
    /// If the condition holds: the alternative by which it does.
    package var passingTest: String?
    /// Further reasons: parameters that are missing, or unusable where the rule has them.
    package var notes: [String] = []
    /// For `$or`: the results of the conditions of each of its patterns.
    package var branches: [[ConditionOutcome]] = []

    /// Whether the payload has nothing at the condition's path.
    package var isMissing: Bool { value == Self.missing }

    /// Whether the payload has a field that the condition is about.
    var hasField: Bool {
        branches.isEmpty ? !isMissing : branches.joined().contains(where: \.hasField)
    }

    /// Why the condition holds or fails, as one sentence without its full stop.
    package var sentence: String {
        let reasons = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
        return (holds ? whyItHolds : whyItFails) + reasons
    }

    /// Why the condition holds, without its notes.
    private var whyItHolds: String {
        if let branch = closestBranch {
            return "\(path): " + branch.map(\.sentence).joined(separator: " and ")
        }
        return "\(path): \(passingValue ?? value) passes \(passingTest ?? test)"
    }

    /// Why the condition fails, without its notes.
    private var whyItFails: String {
        if let branch = closestBranch {
            let failed = branch.filter { !$0.holds }.map(\.sentence).joined(separator: " and ")
            let closest = failed.isEmpty ? "" : "; the closest fails at \(failed)"
            return "\(path): none of \(branches.count) patterns holds\(closest)"
        }
        let found = value == Self.missing ? "the push lacks it" : "the push has \(value)"
        let alike = LookAlikes.sentence(value, wanted: test)
        return "\(path): \(found), the rule wants \(test)"
            + (alike.map { "; they look alike and differ: \($0)" } ?? "")
    }

    /// The pattern of a `$or` with the fewest failing conditions; the first of several.
    private var closestBranch: [ConditionOutcome]? {
        branches.min { left, right in left.failedCount < right.failedCount }
    }

    /// `value` of a field that the payload does not have.
    static let missing = "missing"
}

extension [ConditionOutcome] {
    /// The number of failing conditions; a `$or` counts as one.
    var failedCount: Int { count { !$0.holds } }
}
