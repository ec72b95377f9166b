internal import DataStructures
internal import EventPatterns
internal import ReloadModel

/// Evaluating the tests of a condition on the values that a push has at its field.
extension MatchSearch {
    /// The cost of skipping a list element, in units of `WorkCost`.
    static var passedElementCost: Int { 4 }
    /// The cost of finding an operand, without comparing it, in units of `WorkCost`.
    private static var passedOperandCost: Int { 15 }

    /// Whether at least one of a node's tests holds for a field.
    ///
    /// `run` is the range of the field's values: one for each element of a list.
    mutating func anyTestHolds(
        _ number: Int,
        _ candidate: Candidate,
        _ run: Range<Int>,
        _ depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        anyChild(of: number, candidate, depth) { search, child in
            search.testHolds(child, candidate, run, depth + 1, in: index)
        }
    }

    /// Whether a test holds for the values of a field. False if the work ran out, as in `holds`.
    private mutating func testHolds(
        _ number: Int,
        _ candidate: Candidate,
        _ run: Range<Int>,
        _ depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let node = candidate.program[number]
        switch node.form {
        case .equals: return hasAny(run, node, candidate.rule, depth, in: index)
        case .text: return hasText(run, node, candidate.rule, depth, in: index)
        case .numeric: return hasNumber(run, number, candidate, depth, in: index)
        case .exists: return run.isEmpty == (node.detail == 0)
        case .anythingBut:
            if run.isEmpty || anyTestHolds(number, candidate, run, depth, in: index) {
                return false
            }
            return !meter.isInterrupted
        case .allOf:
            return allChildren(of: number, candidate, depth) { search, child in
                search.testHolds(child, candidate, run, depth + 1, in: index)
            }
        case .allOfParameter: return hasAll(run, node, candidate.rule, depth, in: index)
        case .all, .any, .nested, .field, .bound: return false
        }
    }

    /// Whether the field has at least one of the operand's values.
    private mutating func hasAny(
        _ run: Range<Int>,
        _ node: PatternNode,
        _ rule: WidgetRule,
        _ depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let count = index.operandCount(node, rule)
        var position = meter.resume(depth)?.place ?? 0
        while position < count {
            if has(run, index.operand(node, rule, position), in: index) { return true }
            position += 1
            if position < count && meter.pauses(depth, position) { return false }
        }
        return false
    }

    /// Whether the field has all of the operand's values.
    private mutating func hasAll(
        _ run: Range<Int>,
        _ node: PatternNode,
        _ rule: WidgetRule,
        _ depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if run.isEmpty { return false }
        let count = index.operandCount(node, rule)
        var position = meter.resume(depth)?.place ?? 0
        while position < count {
            if !has(run, index.operand(node, rule, position), in: index) { return false }
            position += 1
            if position < count && meter.pauses(depth, position) { return false }
        }
        return true
    }

    /// Whether one of the field's values equals a stored value.
    @inline(__always)
    private mutating func has(
        _ run: Range<Int>,
        _ value: ValueID,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let bytes = index.values.bytes(of: value)
        meter.charge(WorkCost.condition / 2 &+ bytes.count)
        return reader.batch.fields.has(run, index.values.head(value), bytes)
    }

    // MARK: - Texts

    /// Whether a text operator holds for one of the field's strings and one of the operand's
    /// values.
    private mutating func hasText(
        _ run: Range<Int>,
        _ node: PatternNode,
        _ rule: WidgetRule,
        _ depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if run.isEmpty { return false }
        let count = index.operandCount(node, rule)
        let name = node.textOperator
        let frame = meter.resume(depth)
        var position = frame?.place ?? 0
        var first = frame?.field ?? run.lowerBound
        while position < count {
            let operand = index.operand(node, rule, position)
            let pattern = index.values.value(operand)
            if isUsable(pattern, node) {
                for field in first..<run.upperBound {
                    guard let holds = holds(name, field, operand, pattern.bytes, in: index) else {
                        meter.interrupt(depth, position, field: field)
                        return false
                    }
                    if holds { return true }
                    if meter.pauses(depth, position, field: field + 1) { return false }
                }
            }
            first = run.lowerBound
            position += 1
            meter.charge(Self.passedOperandCost)
            if position < count && meter.pauses(depth, position, field: first) { return false }
        }
        return false
    }

    /// Whether a value can be an operand: a string and, if it is a widget's wildcard, a valid one.
    @inline(__always)
    private mutating func isUsable(_ pattern: TypedValue, _ node: PatternNode) -> Bool {
        if pattern.tag != .string { return false }
        if !node.isParameter || node.detail != TextOperator.wildcard.number { return true }
        meter.charge(pattern.bytes.count &* WorkCost.textByte)
        return WildcardPattern.isValid(pattern.bytes)
    }

    /// Whether an operator holds for a field's value; false if it is not a string.
    ///
    /// Nil if the work ran out before that was known.
    @inline(__always)
    private mutating func holds(
        _ name: TextOperator,
        _ field: Int,
        _ operand: ValueID,
        _ pattern: ByteView,
        in index: borrowing WidgetIndex
    ) -> Bool? {
        if !reader.batch.fields[field].has(.string) {
            meter.charge(Self.passedElementCost)
            return false
        }
        let text = reader.batch.fields[field].bytes
        let read: Int
        switch name {
        case .regexp: return index.regexes.matches(operand, text, &regexScratch, &meter)
        case .wildcard: return wildcardHolds(text, field, operand, pattern)
        case .cidr: read = text.count &+ pattern.count
        default: read = min(text.count, pattern.count)
        }
        meter.charge(WorkCost.condition / 2 &+ read &* WorkCost.textByte)
        return name.holds(text, pattern) { false }
    }

    /// Whether a wildcard matches a text; answers for long texts are cached.
    @inline(__always)
    private mutating func wildcardHolds(
        _ text: ByteView,
        _ field: Int,
        _ operand: ValueID,
        _ pattern: ByteView
    ) -> Bool {
        let isKept = text.count >= TextAnswers.leastLength
        if isKept, let known = textAnswers.find(operand, field) {
            meter.charge(WorkCost.condition / 2)
            return known
        }
        let read = text.count &+ pattern.count
        meter.charge(WorkCost.condition / 2 &+ read &* WorkCost.textByte)
        let holds = WildcardPattern.matches(pattern, text)
        if isKept { textAnswers.keep(holds, of: operand, field) }
        return holds
    }

    // MARK: - Numbers

    /// Whether one of the field's numbers is within all bounds of a `numeric` node.
    private mutating func hasNumber(
        _ run: Range<Int>,
        _ number: Int,
        _ candidate: Candidate,
        _ depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        var field = meter.resume(depth)?.place ?? run.lowerBound
        while field < run.upperBound {
            if reader.batch.fields[field].has(.number) {
                if isWithinBounds(reader.batch.fields[field].bytes, number, candidate, in: index) {
                    return true
                }
            } else {
                meter.charge(Self.passedElementCost)
            }
            field += 1
            if field < run.upperBound && meter.pauses(depth, field) { return false }
        }
        return false
    }

    /// Whether a number is within all bounds; a bound with several values requires one of them.
    private mutating func isWithinBounds(
        _ value: ByteView,
        _ number: Int,
        _ candidate: Candidate,
        in index: borrowing WidgetIndex
    ) -> Bool {
        for bound in number + 1..<candidate.program.end(number) {
            let node = candidate.program[bound]
            var isWithin = false
            for position in 0..<index.operandCount(node, candidate.rule) where !isWithin {
                let operand = index.operand(node, candidate.rule, position)
                let limit = index.values.bytes(of: operand)
                meter.charge(WorkCost.condition / 2 &+ min(value.count, limit.count))
                isWithin =
                    index.values.tag(of: operand) == .number
                    && node.comparison.holds(DecimalOrder.compare(value, limit))
            }
            if !isWithin { return false }
        }
        return true
    }
}
