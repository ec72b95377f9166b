package import Basics
internal import WidgetMatching

/// A widget, and what a push would lead to for it.
package struct ExplainedWidget: Equatable, Sendable {
    /// One condition of the kind's rule, and whether the push meets it.
    package struct Test: Equatable, Sendable {
        /// The path of the payload's field that the condition is about.
        package var field: String
        /// The field's value in the payload, as JSON.
        package var value: String
        /// The test that the value has to pass, as text.
        package var test: String
        /// Whether the value passes the test.
        package var isMet: Bool
    }

    /// The device's name.
    package var device: String
    /// The widget's name.
    package var widget: String
    /// The name of the widget's kind.
    package var kind: String
    /// `sent`, `pushed`, `debounced`, `deferred`, `queued`, `held`, `coalesced`, `unchanged`,
    /// `outdated` or `paused`; nil for a widget that the push does not match.
    package var outcome: String?
    /// When it would reload at the latest; nil if that is not known, or if it would not reload.
    package var reloadsAt: WallTime?
    /// Why the push matches the widget or not, and what would be decided, as sentences.
    package var text: String
    /// The conditions of the kind's rule, in the order of the rule, with what the payload has for
    /// each.
    package var tests: [Test]
}

/// What a push would lead to: copies of what the router knows of the widgets, which are compared
/// with the payload on whatever thread asks, because a long payload and a long rule take
/// milliseconds.
package struct Explanation: Sendable {
    /// What would be decided on a widget that the push matches.
    struct Outcome {
        var name: String
        var reloadsAt: WallTime?
        var text: String
    }

    /// A widget that may match.
    struct Candidate {
        var device: String
        var widget: String
        var kind: String
        /// Its rule and its parameters.
        var subject: ExplainedSubject
        /// What would be decided on it if it matches; nil for one that may be a near miss.
        var outcome: Outcome?
    }

    /// What was explained; see the members of the same names.
    package struct Result: Sendable {
        /// The number of widgets that the push would match, among those that were examined.
        package fileprivate(set) var matchCount: Int
        /// Whether the search has found all matching widgets, and did not stop at `explainLimit`.
        package let isWhole: Bool
        /// The widgets that the push would match, with what would be decided.
        package fileprivate(set) var widgets: [ExplainedWidget] = []
        /// Widgets that the push does not match, nearest first: near misses, which fail exactly one
        /// condition of a rule that is about a field of the push; if nothing matches and there is
        /// none, the nearest of the others. If one device was named, all other widgets of it.
        package fileprivate(set) var nearMisses: [ExplainedWidget] = []
    }

    /// How many near misses are reported unless more are asked for.
    package static var usualNear: Int { 5 }

    let payload: [UInt8]
    let kinds: [String]?
    /// The largest number of widgets to explain.
    let limit: Int
    /// The largest number of near misses.
    let nearMost: Int
    /// How many widgets the index has found, which therefore all match; nil if the widgets of one
    /// device are explained, whether they match or not.
    let foundCount: Int?
    /// See `Result`.
    let isWhole: Bool
    /// The widgets to explain, and those that may be near misses.
    var widgets: [Candidate] = []
    var others: [Candidate] = []

    init(
        payload: [UInt8],
        kinds: [String]?,
        limit: Int,
        nearMost: Int,
        foundCount: Int?,
        isWhole: Bool
    ) {
        self.payload = payload
        self.kinds = kinds
        self.limit = limit
        self.nearMost = nearMost
        self.foundCount = foundCount
        self.isWhole = isWhole
    }

    /// Compares the payload with the rules of all widgets.
    ///
    /// - Complexity: proportional to the payload times the rules.
    package func result() -> Result {
        var result = Result(matchCount: foundCount ?? 0, isWhole: isWhole)
        // The search has accepted the payload.
        let parsed = payload.withByteView { try? WidgetMatcher.parsed($0) }
        guard let parsed else { return result }
        let push = ExplainedPush(parsed, kinds: kinds)
        for candidate in widgets {
            let explanation = candidate.subject.explanation(of: push)
            if explanation.isMatch {
                if foundCount == nil { result.matchCount += 1 }
                result.widgets.append(candidate.reported(explanation))
            } else if foundCount == nil {
                var missed = candidate
                missed.outcome = nil
                result.nearMisses.append(missed.reported(explanation))
            }
        }
        if foundCount == nil { return result }
        for index in nearest(to: push, matchesAny: result.matchCount > 0) {
            let explanation = others[index].subject.explanation(of: push)
            result.nearMisses.append(others[index].reported(explanation))
        }
        return result
    }

    /// The indices in `others` of the near misses, nearest first; if there is none and nothing
    /// matches, of the nearest others: of several only if the push has a field of their rules.
    private func nearest(to push: ExplainedPush, matchesAny: Bool) -> [Int] {
        // Not all explanations: a dry run has any number of widgets.
        var misses: [(nearness: Nearness, index: Int, isNear: Bool)] = []
        for (index, candidate) in others.enumerated() {
            let explanation = candidate.subject.explanation(of: push)
            if explanation.isMatch || explanation.conditions.isEmpty { continue }
            let nearness = explanation.nearness
            let isNear = explanation.isNearMiss && !nearness.isUnrelated
            if isNear || !matchesAny { misses.append((nearness, index, isNear)) }
        }
        misses.sort { ($0.nearness, $0.index) < ($1.nearness, $1.index) }
        let near = misses.prefix { $0.isNear }
        if !near.isEmpty || matchesAny { return near.prefix(nearMost).map(\.index) }
        let related = misses.prefix { !$0.nearness.isUnrelated }
        let others = related.isEmpty ? misses.prefix(1) : related
        return others.prefix(min(nearMost, Self.usualNear)).map(\.index)
    }
}

extension Explanation.Candidate {
    fileprivate func reported(_ explanation: MatchExplanation) -> ExplainedWidget {
        ExplainedWidget(
            device: device,
            widget: widget,
            kind: kind,
            outcome: outcome?.name,
            reloadsAt: outcome?.reloadsAt,
            text: ([explanation.sentence] + (outcome.map { [$0.text] } ?? []))
                .joined(separator: " "),
            tests: explanation.conditions.map { condition in
                ExplainedWidget.Test(
                    field: condition.path,
                    value: condition.passingValue ?? condition.value,
                    test: condition.passingTest ?? condition.test,
                    isMet: condition.holds
                )
            }
        )
    }
}
