internal import Basics
internal import EventPatterns

/// Evaluating compiled rules. See `ConditionMeter` for how an evaluation is interrupted and
/// resumed.
extension MatchSearch {
    // MARK: - Conditions

    /// Whether a node of the candidate's program holds for an object: a list element, or `none` for
    /// the whole payload.
    ///
    /// Also false if the work ran out before that was known. Then `meter.isInterrupted` is true,
    /// and each `depth`, the level of the evaluation, has saved its position.
    mutating func holds(
        _ number: Int,
        of candidate: Candidate,
        within context: ContextNumber,
        depth: Int = 0,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(number < candidate.program.count, "node \(number) of the rule")
        let node = candidate.program[number]
        switch node.form {
        case .all: return allHold(number, of: candidate, within: context, depth: depth, in: index)
        case .any:
            return childrenHold(number, in: candidate, all: false, depth: depth) { search, child in
                search.holds(child, of: candidate, within: context, depth: depth + 1, in: index)
            }
        case .nested:
            return nestedHolds(number, of: candidate, within: context, depth: depth, in: index)
        default:
            meter.charge(WorkCost.condition)
            let all = batch.pushes[candidate.push].fields
            let run = batch.fields.run(at: node.attribute, within: context, among: all)
            return anyTestHolds(number, of: candidate, for: run, depth: depth, in: index)
        }
    }

    /// Whether all children of a node hold for an object.
    private mutating func allHold(
        _ number: Int,
        of candidate: Candidate,
        within context: ContextNumber,
        depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        childrenHold(number, in: candidate, all: true, depth: depth) { search, child in
            search.holds(child, of: candidate, within: context, depth: depth + 1, in: index)
        }
    }

    /// Whether the conditions on a nested object hold; in a list, one element must pass all of
    /// them.
    private mutating func nestedHolds(
        _ number: Int,
        of candidate: Candidate,
        within context: ContextNumber,
        depth: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(candidate.program[number].form == .nested, "node \(number) is no nested object")
        let push = batch.pushes[candidate.push]
        var element = ContextNumber.none
        if let saved = meter.resume(depth) {
            element = ContextNumber(count: saved.position)
        } else if push.hasContexts {
            element = nextElement(number, of: candidate, within: context, after: .none)
        }
        if element == .none {
            // No list with objects: evaluate the object itself, or a missing one as empty.
            let isHeld = allHold(
                number,
                of: candidate,
                within: context,
                depth: depth + 1,
                in: index
            )
            if meter.isInterrupted { meter.savePosition(depth, at: 0) }
            return isHeld
        }
        while element != .none {
            if allHold(number, of: candidate, within: element, depth: depth + 1, in: index) {
                return true
            }
            if meter.isInterrupted {
                meter.savePosition(depth, at: element.count)
                return false
            }
            element = nextElement(number, of: candidate, within: context, after: element)
            if element != .none && meter.pauseIfSpent(depth, at: element.count) { return false }
        }
        return false
    }

    /// The next element after `last` of the list at a node's attribute; `none` if there is none.
    /// The meter is charged for the elements skipped.
    @inline(never)
    private mutating func nextElement(
        _ number: Int,
        of candidate: Candidate,
        within context: ContextNumber,
        after last: ContextNumber
    ) -> ContextNumber {
        let (element, skipped) = batch.contexts.element(
            of: candidate.program[number].attribute,
            within: context,
            after: last,
            in: batch.pushes[candidate.push]
        )
        meter.charge(skipped * Self.skippedElementCost)
        return element
    }

    // MARK: - Children of a node

    /// Whether at least one child of a node holds or, if `wantsAll`, all of them do. An interrupted
    /// evaluation resumes where it stopped.
    @inline(__always)
    mutating func childrenHold(
        _ number: Int,
        in candidate: Candidate,
        all wantsAll: Bool,
        depth: Int,
        holds: (inout MatchSearch, _ child: Int) -> Bool
    ) -> Bool {
        let end = candidate.program.end(number)
        var child = meter.resume(depth)?.position ?? number + 1
        while child < end {
            let isHeld = holds(&self, child)
            if meter.isInterrupted {
                meter.savePosition(depth, at: child)
                return false
            }
            if isHeld != wantsAll { return isHeld }
            child = candidate.program.end(child)
            if child < end && meter.pauseIfSpent(depth, at: child) { return false }
        }
        return wantsAll
    }
}
