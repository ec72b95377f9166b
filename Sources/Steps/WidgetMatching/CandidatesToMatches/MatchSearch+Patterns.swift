internal import Basics
internal import EventPatterns

/// How an evaluation treats the patterns of a widget, its own wildcards and regular expressions.
struct PatternReading: BitwiseCopyable {
    /// Whether patterns are evaluated at all.
    var isOn = true
    /// What a pattern that is not evaluated counts as; within `anything-but` the opposite.
    var answer = false
    /// Whether the evaluation has come to a pattern that was not evaluated.
    var hasSkipped = false
    /// What the regular expression that is being evaluated may still cost, in units of `WorkCost`.
    var regexpWork = 0
}

/// Widgets whose patterns cost too much for a push. Where it makes a difference what the patterns
/// would say, the widget is left out of the push: the cost of patterns is that of the devices which
/// bring them, and never the push's.
extension MatchSearch {
    /// The most that a widget's regular expression may cost for each byte of a text, in units of
    /// `WorkCost`: as much as 16 wildcards. Few do, unless they are made for it.
    private static var regexpByte: Int { 16 * WorkCost.textByte }
    /// What it may cost for the shortest text.
    private static var regexpLeast: Int { 500 }

    /// Whether a widget's rule holds for the current push. Also false if the work ran out before
    /// that was known, and for a widget that is left out.
    mutating func isMatchWithPatterns(
        _ widget: WidgetID,
        as candidate: Candidate,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if !meter.isResuming {
            patternReading = PatternReading(isOn: mayReadPatterns(of: widget, in: index))
        }
        while true {
            let isHeld = holds(0, of: candidate, within: .none, in: index)
            if meter.isInterrupted { return false }
            if patternReading.answer {
                // It may match, and does not whatever its patterns say.
                if isHeld { leftOutCount += 1 }
                return false
            }
            if isHeld || !patternReading.hasSkipped { return isHeld }
            patternReading.answer = true
            patternReading.hasSkipped = false
        }
    }

    /// Whether a widget's patterns may be evaluated for the current push.
    private mutating func mayReadPatterns(
        of widget: WidgetID,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let load = index.patternLoad(of: widget)
        if load <= Int(batch.pushes[cursor.push].patterns.most) { return true }
        let count = index.patternCount(of: widget)
        return batch.pushes[cursor.push].patterns.spend(count, load: load)
    }

    /// Whether a group's condition may hold: what its patterns say is not known if they cost too
    /// much for one of its widgets, and then it is evaluated for each.
    mutating func groupMayHold(
        _ key: KeyID,
        of widget: WidgetID,
        as candidate: Candidate,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if !meter.isResuming {
            let most = Int(batch.pushes[cursor.push].patterns.most)
            patternReading = PatternReading(
                isOn: index.patternLoad(of: widget) <= most,
                answer: true
            )
        }
        return holds(index.groupNode(key), of: candidate, within: .none, in: index)
    }

    /// Whether a regular expression matches a text; the answer is cached. Nil if the work ran out
    /// before that was known.
    mutating func regexpHolds(
        _ text: ByteView,
        field: Int,
        operand: ValueID,
        isPattern: Bool,
        in index: borrowing WidgetIndex
    ) -> Bool? {
        if !regexScratch.isSuspended {
            if let known = textAnswers.find(operand, for: field) {
                meter.charge(WorkCost.condition / 2)
                if known != .unknown { return known == .holds }
                if isPattern { return skippedPattern() }
            }
            patternReading.regexpWork =
                isPattern ? Self.regexpLeast &+ text.count &* Self.regexpByte : .max
        }
        let answer = index.regexes.matches(
            operand,
            text: text,
            scratch: &regexScratch,
            meter: &meter,
            work: &patternReading.regexpWork
        )
        if let answer {
            textAnswers.keep(answer ? .holds : .fails, of: operand, for: field)
            return answer
        }
        if patternReading.regexpWork > 0 { return nil }
        regexScratch.abandon()
        textAnswers.keep(.unknown, of: operand, for: field)
        return skippedPattern()
    }

    /// What a pattern that is not evaluated counts as.
    mutating func skippedPattern() -> Bool {
        patternReading.hasSkipped = true
        return patternReading.answer
    }
}
