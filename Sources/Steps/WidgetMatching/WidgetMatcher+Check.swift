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
        case .any:
            return anyChild(of: index, candidate, depth) { child in
                holds(child, candidate, context, depth + 1)
            }
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
        allChildren(of: index, candidate, depth) { child in
            holds(child, candidate, context, depth + 1)
        }
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

    // MARK: - Children of a node

    /// Whether one of a node's children holds.
    ///
    /// An interrupted evaluation continues where it stopped.
    @inline(__always)
    func anyChild(
        of index: Int,
        _ candidate: Candidate,
        _ depth: Int,
        _ holds: (_ child: Int) -> Bool
    ) -> Bool {
        let end = candidate.program.end(index)
        var child = meter.resume(depth)?.place ?? index + 1
        while child < end {
            if holds(child) { return true }
            if meter.isInterrupted {
                meter.keep(depth, child)
                return false
            }
            child = candidate.program.end(child)
            if child < end && meter.pauses(depth, child) { return false }
        }
        return false
    }

    /// Whether all of a node's children hold.
    ///
    /// An interrupted evaluation continues where it stopped.
    @inline(__always)
    func allChildren(
        of index: Int,
        _ candidate: Candidate,
        _ depth: Int,
        _ holds: (_ child: Int) -> Bool
    ) -> Bool {
        let end = candidate.program.end(index)
        var child = meter.resume(depth)?.place ?? index + 1
        while child < end {
            if !holds(child) {
                if meter.isInterrupted { meter.keep(depth, child) }
                return false
            }
            child = candidate.program.end(child)
            if child < end && meter.pauses(depth, child) { return false }
        }
        return true
    }
}
