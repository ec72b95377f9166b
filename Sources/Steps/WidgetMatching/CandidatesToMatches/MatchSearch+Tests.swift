internal import Basics
internal import EventPatterns

/// Evaluating the tests of a condition on the values that a push has at its field.
extension MatchSearch {
    /// The cost of skipping a list element, in units of `WorkCost`.
    static var skippedElementCost: Int { 4 }
    /// The cost of going to the next operand of a text test, in units of `WorkCost`.
    private static var nextOperandCost: Int { 15 }

    /// Whether at least one of a node's tests holds for a field.
    ///
    /// `run` is the range of the field's values: one for each element of a list.
    mutating func anyTestHolds(
        _ number: Int,
        of candidate: Candidate,
        for run: Range<Int>,
        depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        childrenHold(number, in: candidate, all: false, depth: depth) { search, child in
            search.testHolds(child, of: candidate, for: run, depth: depth + 1, in: index)
        }
    }

    /// Whether a test holds for the values of a field; also false if the work ran out before that
    /// was known, as in `holds`.
    private mutating func testHolds(
        _ number: Int,
        of candidate: Candidate,
        for run: Range<Int>,
        depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let node = candidate.program[number]
        switch node.form {
        case .equals, .allOfParameter:
            return hasOperands(run, for: node, of: candidate.rule, depth: depth, in: index)
        case .text: return hasText(run, for: node, of: candidate.rule, depth: depth, in: index)
        case .numeric: return hasNumber(run, within: number, of: candidate, depth: depth, in: index)
        case .exists: return !run.isEmpty
        case .absent: return run.isEmpty
        case .anythingBut:
            if run.isEmpty { return false }
            patternReading.answer.toggle()
            let isAny = anyTestHolds(number, of: candidate, for: run, depth: depth, in: index)
            patternReading.answer.toggle()
            return !isAny && !meter.isInterrupted
        case .allOf:
            return childrenHold(number, in: candidate, all: true, depth: depth) { search, child in
                search.testHolds(child, of: candidate, for: run, depth: depth + 1, in: index)
            }
        case .all, .any, .nested, .field, .bound: return false
        }
    }

    /// Whether the field has at least one of the operand's values or, for `allOfParameter`, is
    /// there and has all of them.
    private mutating func hasOperands(
        _ run: Range<Int>,
        for node: PatternNode,
        of rule: WidgetRule,
        depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let wantsAll = node.form == .allOfParameter
        if wantsAll && run.isEmpty { return false }
        let count = index.operandCount(of: node, in: rule)
        var position = meter.resume(depth)?.position ?? 0
        while position < count {
            let value = index.operand(of: node, in: rule, at: position)
            if has(run, value: value, in: index) != wantsAll { return !wantsAll }
            position += 1
            if position < count && meter.pauseIfSpent(depth, at: position) { return false }
        }
        return wantsAll
    }

    /// Whether one of the field's values equals a stored value.
    @inline(__always)
    private mutating func has(
        _ run: Range<Int>,
        value: ValueID,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let bytes = index.values.bytes(of: value)
        meter.charge(WorkCost.condition / 2 &+ bytes.count)
        return batch.fields.has(in: run, head: index.values.head(value), bytes: bytes)
    }

    // MARK: - Texts

    /// Whether a text operator holds for one of the field's strings and one of the operand's
    /// values.
    private mutating func hasText(
        _ run: Range<Int>,
        for node: PatternNode,
        of rule: WidgetRule,
        depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(node.form == .text, "a test of another form")
        if run.isEmpty { return false }
        if !patternReading.isOn && node.isPattern { return skippedPattern() }
        let count = index.operandCount(of: node, in: rule)
        let name = node.textOperator
        let saved = meter.resume(depth)
        var position = saved?.position ?? 0
        var first = saved?.field ?? run.lowerBound
        while position < count {
            let operand = index.operand(of: node, in: rule, at: position)
            let pattern = index.values.value(operand)
            if isUsable(pattern, for: node) {
                for field in first..<run.upperBound {
                    guard
                        let holds = holds(
                            name,
                            for: field,
                            operand: operand,
                            pattern: pattern.bytes,
                            isPattern: node.isParameter,
                            in: index
                        )
                    else {
                        meter.interrupt(depth, at: position, field: field)
                        return false
                    }
                    if holds { return true }
                    if meter.pauseIfSpent(depth, at: position, field: field + 1) { return false }
                }
            }
            first = run.lowerBound
            position += 1
            meter.charge(Self.nextOperandCost)
            if position < count && meter.pauseIfSpent(depth, at: position, field: first) {
                return false
            }
        }
        return false
    }

    /// Whether a value can be an operand: a string and, if it is a widget's wildcard, a valid one.
    @inline(__always)
    private mutating func isUsable(_ pattern: TypedValue, for node: PatternNode) -> Bool {
        if pattern.tag != .string { return false }
        guard node.isParameter, case .wildcard = node.textOperator else { return true }
        meter.charge(pattern.bytes.count &* WorkCost.textByte)
        return WildcardPattern.isValid(pattern.bytes)
    }

    /// Whether an operator holds for a field's value; false if it is not a string.
    ///
    /// Nil if the work ran out before that was known.
    @inline(__always)
    private mutating func holds(
        _ name: TextOperator,
        for field: Int,
        operand: ValueID,
        pattern: ByteView,
        isPattern: Bool,
        in index: borrowing WidgetIndex
    ) -> Bool? {
        if !batch.fields[field].has(.string) {
            meter.charge(Self.skippedElementCost)
            return false
        }
        let text = batch.fields[field].bytes
        let read: Int
        switch name {
        case .regexp:
            return regexpHolds(
                text,
                field: field,
                operand: operand,
                isPattern: isPattern,
                in: index
            )
        case .wildcard: return wildcardHolds(text, field: field, operand: operand, pattern: pattern)
        case .cidr: read = text.count &+ pattern.count
        default: read = min(text.count, pattern.count)
        }
        meter.charge(WorkCost.condition / 2 &+ read &* WorkCost.textByte)
        return name.holds(text, operand: pattern) { false }
    }

    /// Whether a wildcard matches a text; answers for long texts are cached.
    @inline(__always)
    private mutating func wildcardHolds(
        _ text: ByteView,
        field: Int,
        operand: ValueID,
        pattern: ByteView
    ) -> Bool {
        let isCacheable = text.count >= TextAnswers.leastLength
        if isCacheable, let known = textAnswers.find(operand, for: field) {
            meter.charge(WorkCost.condition / 2)
            return known == .holds
        }
        let read = text.count &+ pattern.count
        meter.charge(WorkCost.condition / 2 &+ read &* WorkCost.textByte)
        let holds = WildcardPattern.matches(pattern, value: text)
        if isCacheable { textAnswers.keep(holds ? .holds : .fails, of: operand, for: field) }
        return holds
    }

    // MARK: - Numbers

    /// Whether one of the field's numbers is within all bounds of a `numeric` node.
    private mutating func hasNumber(
        _ run: Range<Int>,
        within number: Int,
        of candidate: Candidate,
        depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(candidate.program[number].form == .numeric, "node \(number) has no bounds")
        var field = meter.resume(depth)?.position ?? run.lowerBound
        while field < run.upperBound {
            if batch.fields[field].has(.number) {
                if isWithinBounds(
                    batch.fields[field].bytes,
                    below: number,
                    of: candidate,
                    in: index
                ) {
                    return true
                }
            } else {
                meter.charge(Self.skippedElementCost)
            }
            field += 1
            if field < run.upperBound && meter.pauseIfSpent(depth, at: field) { return false }
        }
        return false
    }

    /// Whether a number is within all bounds; a bound with several values requires one of them.
    private mutating func isWithinBounds(
        _ value: ByteView,
        below number: Int,
        of candidate: Candidate,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(candidate.program[number].form == .numeric, "node \(number) has no bounds")
        for bound in number + 1..<candidate.program.end(number) {
            let node = candidate.program[bound]
            var isWithin = false
            for position in 0..<index.operandCount(of: node, in: candidate.rule) where !isWithin {
                let operand = index.operand(of: node, in: candidate.rule, at: position)
                let limit = index.values.bytes(of: operand)
                meter.charge(WorkCost.condition / 2 &+ min(value.count, limit.count))
                isWithin =
                    index.values.tag(of: operand) == .number
                    && node.comparison.holds(DecimalOrder.compare(value, to: limit))
            }
            if !isWithin { return false }
        }
        return true
    }
}
