internal import ByteStorage
internal import EventPatterns
internal import ReloadModel

/// A widget's rule and the values that it brings.
struct WidgetRule: BitwiseCopyable {
    let program: PatternProgram
    let shape: ShapeID
    /// As in the widget's record.
    let values: UInt32
    let hasSingleValue: Bool

    /// Whether there is one condition, outside of lists and `$or`, and it has one alternative.
    var isSingleTest: Bool {
        var field = 1
        while program[field].form == .nested { field += 1 }
        return program[field].form == .field && program.end(field + 1) == program.count
            && program.end(0) == program.end(field)
    }
}

/// A widget whose rule is evaluated, and the push for which it is, by its place in the batch.
struct Candidate: BitwiseCopyable {
    let rule: WidgetRule
    let push: Int

    @inline(__always)
    var program: PatternProgram { rule.program }
}

extension WidgetMatcher {
    /// A widget's rule; its shape has one.
    @inline(__always)
    func rule(of record: StoredWidget) -> WidgetRule {
        WidgetRule(
            program: shapes.program(record.shape),
            shape: record.shape,
            values: record.values,
            hasSingleValue: shapes[record.shape].parameterCount == 1
        )
    }

    /// One of a widget's values, by its position in the layout.
    @inline(__always)
    func value(of rule: WidgetRule, _ position: Int) -> ValueID {
        rule.hasSingleValue ? rule.values : storedValue(rule.values, position)
    }

    // MARK: - Conditions

    /// Whether a node and what is below it holds for an object: the push's outermost one, or an
    /// element of a list.
    ///
    /// False also if the meter was spent before that was known: then it says that it `isInterrupted`.
    func holds(
        _ index: Int,
        _ candidate: Candidate,
        _ context: UInt32,
        _ depth: Int = 0
    ) -> Bool {
        let node = candidate.program[index]
        switch node.form {
        case .all: return allHold(index, candidate, context, depth)
        case .any: return anyHolds(index, candidate, context, depth)
        case .nested: return holdsNested(index, candidate, context, depth)
        default:
            meter.charge(WorkCost.condition)
            return anyTestHolds(
                index,
                candidate,
                reader.fields.run(node.attribute, context, reader.pushes[candidate.push].fields),
                depth
            )
        }
    }

    private func allHold(
        _ index: Int,
        _ candidate: Candidate,
        _ context: UInt32,
        _ depth: Int
    ) -> Bool {
        let end = candidate.program.end(index)
        var child = meter.resume(depth)?.place ?? index + 1
        while child < end {
            if !holds(child, candidate, context, depth + 1) {
                if meter.isInterrupted { meter.keep(depth, child) }
                return false
            }
            child = candidate.program.end(child)
            if child < end && meter.pauses(depth, child) { return false }
        }
        return true
    }

    private func anyHolds(
        _ index: Int,
        _ candidate: Candidate,
        _ context: UInt32,
        _ depth: Int
    ) -> Bool {
        let end = candidate.program.end(index)
        var child = meter.resume(depth)?.place ?? index + 1
        while child < end {
            if holds(child, candidate, context, depth + 1) { return true }
            if meter.isInterrupted {
                meter.keep(depth, child)
                return false
            }
            child = candidate.program.end(child)
            if child < end && meter.pauses(depth, child) { return false }
        }
        return false
    }

    /// Conditions on an object hold for one element of a list together.
    private func holdsNested(
        _ index: Int,
        _ candidate: Candidate,
        _ context: UInt32,
        _ depth: Int
    ) -> Bool {
        let push = reader.pushes[candidate.push]
        var element: UInt32 = 0
        if let frame = meter.resume(depth) {
            element = UInt32(frame.place)
        } else if push.hasContexts {
            element = nextElement(index, candidate, context, after: 0)
        }
        if element == 0 {
            // No list with objects: the object itself, or the empty one.
            let isHeld = allHold(index, candidate, context, depth + 1)
            if meter.isInterrupted { meter.keep(depth, 0) }
            return isHeld
        }
        while element != 0 {
            if allHold(index, candidate, element, depth + 1) { return true }
            if meter.isInterrupted {
                meter.keep(depth, Int(element))
                return false
            }
            element = nextElement(index, candidate, context, after: element)
            if element != 0 && meter.pauses(depth, Int(element)) { return false }
        }
        return false
    }

    @inline(never)
    private func nextElement(
        _ index: Int,
        _ candidate: Candidate,
        _ context: UInt32,
        after last: UInt32
    ) -> UInt32 {
        let (element, passed) = reader.contexts.element(
            of: candidate.program[index].attribute,
            within: context,
            after: last,
            reader.pushes[candidate.push]
        )
        meter.charge(passed * Self.passedElementCost)
        return element
    }

    /// An element of a list that is not looked into.
    private static var passedElementCost: Int { 4 }
    /// An operand that is found, and not yet compared.
    private static var passedOperandCost: Int { 15 }

    // MARK: - Tests

    private func anyTestHolds(
        _ index: Int,
        _ candidate: Candidate,
        _ run: Range<Int>,
        _ depth: Int
    ) -> Bool {
        let end = candidate.program.end(index)
        var child = meter.resume(depth)?.place ?? index + 1
        while child < end {
            if testHolds(child, candidate, run, depth + 1) { return true }
            if meter.isInterrupted {
                meter.keep(depth, child)
                return false
            }
            child = candidate.program.end(child)
            if child < end && meter.pauses(depth, child) { return false }
        }
        return false
    }

    private func allTestsHold(
        _ index: Int,
        _ candidate: Candidate,
        _ run: Range<Int>,
        _ depth: Int
    ) -> Bool {
        let end = candidate.program.end(index)
        var child = meter.resume(depth)?.place ?? index + 1
        while child < end {
            if !testHolds(child, candidate, run, depth + 1) {
                if meter.isInterrupted { meter.keep(depth, child) }
                return false
            }
            child = candidate.program.end(child)
            if child < end && meter.pauses(depth, child) { return false }
        }
        return true
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
        case .allOf: return allTestsHold(index, candidate, run, depth)
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
