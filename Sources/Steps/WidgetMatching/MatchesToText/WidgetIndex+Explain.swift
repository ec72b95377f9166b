package import Basics
internal import EventPatterns

/// Explaining whether pushes match widgets. Nothing is searched, so a batch may be in progress.
extension WidgetIndex {
    /// Explains whether a push of an app matches a stored widget of any app.
    package func explain(app: AppID, push: ExplainedPush, widget: WidgetID) -> MatchExplanation {
        if let kind = installedKind(of: widget), kind.app != app {
            return MatchExplanation(conditions: [], obstacle: "the widget is of another app")
        }
        return explainable(widget).explanation(of: push)
    }

    /// What is needed to explain whether pushes match a stored widget, as a copy. `patternMost` is
    /// the most patterns that its device may have, as `WidgetMatcher.find` says.
    package func explainable(_ widget: WidgetID, patternMost: Int = .max) -> ExplainedSubject {
        let hasPatterns = shapes[widgets[widget].shape].hasPatterns
        return ExplainedSubject(
            kind: installedKind(of: widget),
            configuration: configurationText(of: widget),
            isLeftOut: hasPatterns && patternLoad(of: widget) > patternMost
        )
    }

    /// The kind of a widget, if it is installed.
    private func installedKind(of widget: WidgetID) -> InstalledKind? {
        kinds[kind(of: widget), default: nil]
    }
}

/// A widget's rule and parameters: what decides whether a push of its app matches it.
package struct ExplainedSubject: Sendable {
    /// The kind; nil if it is not installed.
    let kind: InstalledKind?
    /// The parameters as a JSON object.
    let configuration: String
    /// Whether the patterns of the widget's device are too many for the push's texts.
    let isLeftOut: Bool

    /// Explains whether a push of the widget's app matches the widget.
    package func explanation(of push: ExplainedPush) -> MatchExplanation {
        guard let kind else {
            return MatchExplanation(conditions: [], obstacle: "the widget's kind is not declared")
        }
        let explanation = RuleExplainer.explain(
            rule: kind.rule,
            kindName: kind.name,
            configuration: parameters,
            payload: push.payload,
            kinds: push.kinds
        )
        if !isLeftOut || !explanation.isMatch { return explanation }
        return MatchExplanation(
            conditions: explanation.conditions,
            obstacle: "the device's widgets have too many wildcards and regular expressions for "
                + "texts as long as the push's, and are left out of it"
        )
    }

    /// The parameters as members of a JSON object.
    private var parameters: [JSONValue.Member] {
        configuration.withByteView { text in
            // Stored configurations were validated on arrival, so parsing cannot fail.
            (try? JSONValue(parsing: text))?.members ?? []
        }
    }
}

// The cost of an explanation is known before it is made, because a sender may cause it.

extension WidgetIndex {
    /// An upper estimate of the cost of explaining whether a push matches a widget, in units of
    /// `WorkCost`; it ends as soon as it is above `limit`.
    package func explanationCost(of widget: WidgetID, payloadByteCount: Int, limit: Int) -> Int {
        let configurationBytes = configurationText(of: widget).utf8.count
        var cost = WorkCost.explanation + configurationBytes * 4 * WorkCost.scannedByte
        // Without a rule, each parameter must equal the field of its name.
        let fields =
            kinds[kind(of: widget), default: nil]?.rule?.fields ?? [([], [.equals(.parameter(""))])]
        for test in fields.lazy.flatMap(\.tests).flatMap(\.parts) {
            if cost > limit { return cost }
            cost += test.explanationCost(
                configurationBytes: configurationBytes,
                payloadBytes: payloadByteCount
            )
        }
        return cost
    }
}

extension PatternTest {
    /// A comparison of two values, in units of `WorkCost`.
    private static var comparison: Int { 10 }

    /// An upper estimate for the test and a widget with a configuration of this length.
    fileprivate func explanationCost(configurationBytes: Int, payloadBytes: Int) -> Int {
        // A value and its separator have two bytes or more.
        let ofValue = max(1, payloadBytes / 2) * Self.comparison
        switch self {
        case .equals(.parameter), .allOfParameter: return max(1, configurationBytes / 2) * ofValue
        case .equals, .numeric, .exists, .anythingBut, .allOf: return ofValue
        // A regular expression may take all its instructions for each byte of a text.
        case .text(.regexp, _): return PatternLimits.regexpInstructions * payloadBytes
        case .text(_, .parameter): return max(1, configurationBytes) * payloadBytes
        case .text(_, .value(.string(let text))): return (text.utf8.count + 1) * payloadBytes
        case .text(_, .value): return payloadBytes
        }
    }
}
