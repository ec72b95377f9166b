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
    func holds(_ index: Int, _ candidate: Candidate, _ context: UInt32) -> Bool {
        let node = candidate.program[index]
        switch node.form {
        case .all: return allHold(index, candidate, context)
        case .any:
            var child = index + 1
            while child < Int(node.end) {
                if holds(child, candidate, context) { return true }
                child = candidate.program.end(child)
            }
            return false
        case .nested: return holdsNested(index, candidate, context)
        default:
            return anyTestHolds(
                index,
                candidate,
                reader.fields.run(node.attribute, context, reader.pushes[candidate.push].fields)
            )
        }
    }

    private func allHold(_ index: Int, _ candidate: Candidate, _ context: UInt32) -> Bool {
        let end = candidate.program.end(index)
        var child = index + 1
        while child < end {
            if !holds(child, candidate, context) { return false }
            child = candidate.program.end(child)
        }
        return true
    }

    /// Conditions on an object hold for one element of a list together.
    private func holdsNested(
        _ index: Int,
        _ candidate: Candidate,
        _ context: UInt32
    ) -> Bool {
        let push = reader.pushes[candidate.push]
        if !push.hasContexts { return allHold(index, candidate, context) }
        let attribute = candidate.program[index].attribute
        var element = reader.contexts.element(of: attribute, within: context, after: 0, push)
        if element == 0 { return allHold(index, candidate, context) }
        while element != 0 {
            if allHold(index, candidate, element) { return true }
            element = reader.contexts.element(of: attribute, within: context, after: element, push)
        }
        return false
    }

    // MARK: - Tests

    private func anyTestHolds(
        _ index: Int,
        _ candidate: Candidate,
        _ run: Range<Int>
    ) -> Bool {
        let end = candidate.program.end(index)
        var child = index + 1
        while child < end {
            if testHolds(child, candidate, run) { return true }
            child = candidate.program.end(child)
        }
        return false
    }

    /// Whether a test holds for the values that a field has.
    private func testHolds(_ index: Int, _ candidate: Candidate, _ run: Range<Int>) -> Bool {
        let node = candidate.program[index]
        switch node.form {
        case .equals: return hasAny(run, node, candidate.rule)
        case .text:
            for position in 0..<operandCount(node, candidate.rule) {
                if hasText(run, node, operand(node, candidate.rule, position)) { return true }
            }
            return false
        case .numeric: return hasNumber(run, index, candidate)
        case .exists: return run.isEmpty == (node.detail == 0)
        case .anythingBut: return !run.isEmpty && !anyTestHolds(index, candidate, run)
        case .allOf:
            var child = index + 1
            while child < Int(node.end) {
                if !testHolds(child, candidate, run) { return false }
                child = candidate.program.end(child)
            }
            return true
        case .allOfParameter: return hasAll(run, node, candidate.rule)
        case .all, .any, .nested, .field, .bound: return false
        }
    }

    private func hasAny(
        _ run: Range<Int>,
        _ node: PatternNode,
        _ rule: WidgetRule
    ) -> Bool {
        for position in 0..<operandCount(node, rule) {
            if has(run, operand(node, rule, position)) { return true }
        }
        return false
    }

    private func hasAll(
        _ run: Range<Int>,
        _ node: PatternNode,
        _ rule: WidgetRule
    ) -> Bool {
        if run.isEmpty { return false }
        for position in 0..<operandCount(node, rule) {
            if !has(run, operand(node, rule, position)) { return false }
        }
        return true
    }

    @inline(__always)
    private func has(_ run: Range<Int>, _ value: ValueID) -> Bool {
        reader.fields.has(run, values.head(value), values.bytes(of: value))
    }

    // MARK: - Strings

    private func hasText(
        _ run: Range<Int>,
        _ node: PatternNode,
        _ operand: ValueID
    ) -> Bool {
        let pattern = values.value(operand)
        if pattern.tag != .string { return false }
        let name = node.textOperator
        if name == .wildcard && node.isParameter && !WildcardPattern.isValid(pattern.bytes) {
            return false
        }
        for index in run where reader.fields[index].has(.string) {
            let text = reader.fields[index].bytes
            let holds = name.holds(text, pattern.bytes) { regexes.matches(operand, text) }
            if holds { return true }
        }
        return false
    }

    // MARK: - Numbers

    private func hasNumber(_ run: Range<Int>, _ index: Int, _ candidate: Candidate) -> Bool {
        for field in run where reader.fields[field].has(.number) {
            if isWithinBounds(reader.fields[field].bytes, index, candidate) { return true }
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
                isWithin =
                    values.tag(of: operand) == .number
                    && node.comparison.holds(
                        DecimalOrder.compare(number, values.bytes(of: operand))
                    )
            }
            if !isWithin { return false }
        }
        return true
    }
}
