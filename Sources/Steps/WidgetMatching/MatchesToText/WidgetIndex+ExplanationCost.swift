package import Basics
internal import EventPatterns

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
