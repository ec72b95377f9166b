internal import DataStructures
internal import EventPatterns
internal import ReloadModel

/// Evaluating compiled rules. See `ConditionMeter` for how an evaluation is interrupted and
/// resumed.
extension MatchSearch {
    // MARK: - Conditions

    /// Whether a node holds for an object: the push's outermost one (`context` 0) or a list
    /// element.
    ///
    /// Also false if the work ran out before that was known; then `meter.isInterrupted` is true.
    mutating func holds(
        _ number: Int,
        _ candidate: Candidate,
        _ context: UInt32,
        _ depth: Int = 0,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let node = candidate.program[number]
        switch node.form {
        case .all: return allHold(number, candidate, context, depth, in: index)
        case .any:
            return anyChild(of: number, candidate, depth) { search, child in
                search.holds(child, candidate, context, depth + 1, in: index)
            }
        case .nested: return holdsNested(number, candidate, context, depth, in: index)
        default:
            meter.charge(WorkCost.condition)
            let all = reader.batch.pushes[candidate.push].fields
            let run = reader.batch.fields.run(node.attribute, context, all)
            return anyTestHolds(number, candidate, run, depth, in: index)
        }
    }

    /// Whether all children of a node hold for an object.
    private mutating func allHold(
        _ number: Int,
        _ candidate: Candidate,
        _ context: UInt32,
        _ depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        allChildren(of: number, candidate, depth) { search, child in
            search.holds(child, candidate, context, depth + 1, in: index)
        }
    }

    /// Whether the conditions on a nested object hold; in a list, one element must pass all of
    /// them.
    private mutating func holdsNested(
        _ number: Int,
        _ candidate: Candidate,
        _ context: UInt32,
        _ depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let push = reader.batch.pushes[candidate.push]
        var element: UInt32 = 0
        if let frame = meter.resume(depth) {
            element = UInt32(frame.place)
        } else if push.hasContexts {
            element = nextElement(number, candidate, context, after: 0)
        }
        if element == 0 {
            // No list with objects: evaluate the object itself, or a missing one as empty.
            let isHeld = allHold(number, candidate, context, depth + 1, in: index)
            if meter.isInterrupted { meter.keep(depth, 0) }
            return isHeld
        }
        while element != 0 {
            if allHold(number, candidate, element, depth + 1, in: index) { return true }
            if meter.isInterrupted {
                meter.keep(depth, Int(element))
                return false
            }
            element = nextElement(number, candidate, context, after: element)
            if element != 0 && meter.pauses(depth, Int(element)) { return false }
        }
        return false
    }

    /// The next element after `last` of the list at a node's attribute, or 0. Charges for those
    /// skipped.
    @inline(never)
    private mutating func nextElement(
        _ number: Int,
        _ candidate: Candidate,
        _ context: UInt32,
        after last: UInt32
    ) -> UInt32 {
        let (element, passed) = reader.batch.contexts.element(
            of: candidate.program[number].attribute,
            within: context,
            after: last,
            reader.batch.pushes[candidate.push]
        )
        meter.charge(passed * Self.passedElementCost)
        return element
    }

    // MARK: - Children of a node

    /// Whether at least one child of a node holds. An interrupted evaluation resumes where it
    /// stopped.
    @inline(__always)
    mutating func anyChild(
        of number: Int,
        _ candidate: Candidate,
        _ depth: Int,
        _ holds: (inout MatchSearch, _ child: Int) -> Bool
    ) -> Bool {
        let end = candidate.program.end(number)
        var child = meter.resume(depth)?.place ?? number + 1
        while child < end {
            if holds(&self, child) { return true }
            if meter.isInterrupted {
                meter.keep(depth, child)
                return false
            }
            child = candidate.program.end(child)
            if child < end && meter.pauses(depth, child) { return false }
        }
        return false
    }

    /// Whether all children of a node hold. An interrupted evaluation resumes where it stopped.
    @inline(__always)
    mutating func allChildren(
        of number: Int,
        _ candidate: Candidate,
        _ depth: Int,
        _ holds: (inout MatchSearch, _ child: Int) -> Bool
    ) -> Bool {
        let end = candidate.program.end(number)
        var child = meter.resume(depth)?.place ?? number + 1
        while child < end {
            if !holds(&self, child) {
                if meter.isInterrupted { meter.keep(depth, child) }
                return false
            }
            child = candidate.program.end(child)
            if child < end && meter.pauses(depth, child) { return false }
        }
        return true
    }
}
