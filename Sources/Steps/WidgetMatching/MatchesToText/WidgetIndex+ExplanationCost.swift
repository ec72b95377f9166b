package import Basics
internal import EventPatterns

// The cost of an explanation is known before it is made, because a sender may cause it.

extension WidgetIndex {
    /// An upper estimate of the cost of explaining whether a push matches a widget, in units of
    /// `WorkCost`.
    ///
    /// - Parameters:
    ///   - widget: a stored widget.
    ///   - payloadByteCount: the length of the payload, which limits the number of its values.
    ///   - limit: the estimate ends as soon as it is above this.
    /// - Returns: the estimate, or a number above `limit`.
    package func explanationCost(of widget: WidgetID, payloadByteCount: Int, limit: Int) -> Int {
        var estimate = ExplanationCost(
            configurationBytes: configurationText(of: widget).utf8.count,
            payloadBytes: payloadByteCount,
            limit: limit
        )
        if let rule = kinds[kind(of: widget), default: nil]?.rule {
            estimate.add(rule)
        } else {
            // Each parameter must equal the field of its name.
            estimate.add(.equals(.parameter("")))
        }
        return estimate.cost
    }
}

/// The estimate while it is made.
private struct ExplanationCost {
    let configurationBytes: Int
    let payloadBytes: Int
    let limit: Int
    var cost: Int

    init(configurationBytes: Int, payloadBytes: Int, limit: Int) {
        self.configurationBytes = configurationBytes
        self.payloadBytes = payloadBytes
        self.limit = limit
        cost = WorkCost.explanation + configurationBytes * 4 * WorkCost.scannedByte
    }

    mutating func add(_ pattern: EventPattern) {
        for condition in pattern.conditions where cost <= limit {
            switch condition {
            case .field(_, let tests): for test in tests where cost <= limit { add(test) }
            case .nested(_, let inner): add(inner)
            case .anyOf(let patterns): for pattern in patterns where cost <= limit { add(pattern) }
            }
        }
    }

    mutating func add(_ test: PatternTest) {
        switch test {
        case .equals(let operand): add(pairs: values(of: operand))
        case .text(let textOperator, let operand):
            // A regular expression may take all its instructions for each byte of a text.
            let steps =
                textOperator == .regexp ? PatternLimits.regexpInstructions : bytes(of: operand)
            cost += steps * payloadBytes
        case .numeric, .exists: add(pairs: 1)
        case .anythingBut(let tests), .allOf(let tests):
            for test in tests where cost <= limit { add(test) }
        case .allOfParameter: add(pairs: values(of: .parameter("")))
        }
    }

    /// Adds the comparison of each value of the payload with `count` others; a value and its
    /// separator have two bytes or more.
    private mutating func add(pairs count: Int) {
        cost += count * max(1, payloadBytes / 2) * Self.comparison
    }

    /// A comparison of two values, in units of `WorkCost`.
    private static var comparison: Int { 10 }

    private func values(of operand: PatternOperand) -> Int {
        switch operand {
        case .value: 1
        case .parameter: max(1, configurationBytes / 2)
        }
    }

    private func bytes(of operand: PatternOperand) -> Int {
        switch operand {
        case .value(.string(let text)): text.utf8.count + 1
        case .value: 1
        case .parameter: max(1, configurationBytes)
        }
    }
}
