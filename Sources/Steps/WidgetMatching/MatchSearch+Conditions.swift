internal import DataStructures
internal import EventPatterns
internal import ReloadModel

extension MatchSearch {
    // MARK: - Conditions

    /// Whether a node and what is below it holds for an object: the push's outermost one, or an
    /// element of a list.
    ///
    /// False also if the meter was spent before that was known: then it says that it `isInterrupted`.
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

    /// Conditions on an object hold for one element of a list together.
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
            // No list with objects: the object itself, or the empty one.
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

    /// Whether one of a node's children holds.
    ///
    /// An interrupted evaluation continues where it stopped.
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

    /// Whether all of a node's children hold.
    ///
    /// An interrupted evaluation continues where it stopped.
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
