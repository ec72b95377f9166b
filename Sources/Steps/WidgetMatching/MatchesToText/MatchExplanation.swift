/// Why a push matches a widget, or why it does not; made by `RuleExplainer` for operators.
package struct MatchExplanation: Equatable, Sendable {
    /// The conditions that must all hold: the push's kinds first, then in the rule's order.
    package let conditions: [ConditionOutcome]
    /// Why no push can match the widget, such as a kind that is not declared; nil if nothing
    /// prevents it.
    package let obstacle: String?

    /// An explanation made of all outcomes; if there is an obstacle, `conditions` may be empty.
    package init(conditions: [ConditionOutcome], obstacle: String? = nil) {
        self.conditions = conditions
        self.obstacle = obstacle
    }

    /// Whether the push matches the widget.
    package var isMatch: Bool { obstacle == nil && failedCount == 0 }

    /// The number of failing conditions; a `$or` counts as one.
    package var failedCount: Int { conditions.failedCount }

    /// Whether exactly one failing condition keeps the push from matching the widget, or the cost
    /// of its conditions alone.
    package var isNearMiss: Bool {
        obstacle == nil ? failedCount == 1 : !conditions.isEmpty && failedCount == 0
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
