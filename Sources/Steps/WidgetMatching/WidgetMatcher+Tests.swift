internal import ByteStorage
internal import EventPatterns
internal import ReloadModel

/// Whether the tests of a condition hold for the values that a push has at its field.
extension WidgetMatcher {
    /// An element of a list that is not looked into.
    static var passedElementCost: Int { 4 }
    /// An operand that is found, and not yet compared.
    private static var passedOperandCost: Int { 15 }

    /// Whether one of a node's tests holds for a field.
    ///
    /// Its values are those of a run: a list has one for each element.
    func anyTestHolds(
        _ index: Int,
        _ candidate: Candidate,
        _ run: Range<Int>,
        _ depth: Int
    ) -> Bool {
        anyChild(of: index, candidate, depth) { child in
            testHolds(child, candidate, run, depth + 1)
        }
    }

    /// Whether a test holds for the values that a field has.
    private func testHolds(
        _ index: Int,
        _ candidate: Candidate,
        _ run: Range<Int>,
        _ depth: Int
    ) -> Bool {
        let node = candidate.program[index]
        switch node.form {
        case .equals: return hasAny(run, node, candidate.rule, depth)
        case .text: return hasText(run, node, candidate.rule, depth)
        case .numeric: return hasNumber(run, index, candidate, depth)
        case .exists: return run.isEmpty == (node.detail == 0)
        case .anythingBut:
            if run.isEmpty || anyTestHolds(index, candidate, run, depth) { return false }
            return !meter.isInterrupted
        case .allOf:
            return allChildren(of: index, candidate, depth) { child in
                testHolds(child, candidate, run, depth + 1)
            }
        case .allOfParameter: return hasAll(run, node, candidate.rule, depth)
        case .all, .any, .nested, .field, .bound: return false
        }
    }

    private func hasAny(
        _ run: Range<Int>,
        _ node: PatternNode,
        _ rule: WidgetRule,
        _ depth: Int
    ) -> Bool {
        let count = operandCount(node, rule)
        var position = meter.resume(depth)?.place ?? 0
        while position < count {
            if has(run, operand(node, rule, position)) { return true }
            position += 1
            if position < count && meter.pauses(depth, position) { return false }
        }
        return false
    }

    private func hasAll(
        _ run: Range<Int>,
        _ node: PatternNode,
        _ rule: WidgetRule,
        _ depth: Int
    ) -> Bool {
        if run.isEmpty { return false }
        let count = operandCount(node, rule)
        var position = meter.resume(depth)?.place ?? 0
        while position < count {
            if !has(run, operand(node, rule, position)) { return false }
            position += 1
            if position < count && meter.pauses(depth, position) { return false }
        }
        return true
    }

    @inline(__always)
    private func has(_ run: Range<Int>, _ value: ValueID) -> Bool {
        let bytes = values.bytes(of: value)
        meter.charge(WorkCost.condition / 2 &+ bytes.count)
        return reader.fields.has(run, values.head(value), bytes)
    }

    // MARK: - Strings

    private func hasText(
        _ run: Range<Int>,
        _ node: PatternNode,
        _ rule: WidgetRule,
        _ depth: Int
    ) -> Bool {
        if run.isEmpty { return false }
        let count = operandCount(node, rule)
        let name = node.textOperator
        let frame = meter.resume(depth)
        var position = frame?.place ?? 0
        var first = frame?.field ?? run.lowerBound
        while position < count {
            let operand = operand(node, rule, position)
            let pattern = values.value(operand)
            if isUsable(pattern, node) {
                for field in first..<run.upperBound {
                    guard let holds = holds(name, field, operand, pattern.bytes) else {
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

    @inline(__always)
    private func isUsable(_ pattern: TypedValue, _ node: PatternNode) -> Bool {
        if pattern.tag != .string { return false }
        if !node.isParameter || node.detail != TextOperator.wildcard.number { return true }
        meter.charge(pattern.bytes.count &* WorkCost.textByte)
        return WildcardPattern.isValid(pattern.bytes)
    }

    /// Whether an operator holds for a value; it does for no other than strings.
    ///
    /// Nil if the meter was spent before that was known.
    @inline(__always)
    private func holds(
        _ name: TextOperator,
        _ field: Int,
        _ operand: ValueID,
        _ pattern: ByteView
    ) -> Bool? {
        if !reader.fields[field].has(.string) {
            meter.charge(Self.passedElementCost)
            return false
        }
        let text = reader.fields[field].bytes
        let read: Int
        switch name {
        case .regexp: return regexes.matches(operand, text, meter)
        case .wildcard: return wildcardHolds(text, field, operand, pattern)
        case .cidr: read = text.count &+ pattern.count
        default: read = min(text.count, pattern.count)
        }
        meter.charge(WorkCost.condition / 2 &+ read &* WorkCost.textByte)
        return name.holds(text, pattern) { false }
    }

    @inline(__always)
    private func wildcardHolds(
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

    private func hasNumber(
        _ run: Range<Int>,
        _ index: Int,
        _ candidate: Candidate,
        _ depth: Int
    ) -> Bool {
        var field = meter.resume(depth)?.place ?? run.lowerBound
        while field < run.upperBound {
            if reader.fields[field].has(.number) {
                if isWithinBounds(reader.fields[field].bytes, index, candidate) { return true }
            } else {
                meter.charge(Self.passedElementCost)
            }
            field += 1
            if field < run.upperBound && meter.pauses(depth, field) { return false }
        }
        return false
    }

    private func isWithinBounds(
        _ number: ByteView,
        _ index: Int,
        _ candidate: Candidate
    ) -> Bool {
        for bound in index + 1..<candidate.program.end(index) {
            let node = candidate.program[bound]
            var isWithin = false
            for position in 0..<operandCount(node, candidate.rule) where !isWithin {
                let operand = operand(node, candidate.rule, position)
                let limit = values.bytes(of: operand)
                meter.charge(WorkCost.condition / 2 &+ min(number.count, limit.count))
                isWithin =
                    values.tag(of: operand) == .number
                    && node.comparison.holds(DecimalOrder.compare(number, limit))
            }
            if !isWithin { return false }
        }
        return true
    }
}
