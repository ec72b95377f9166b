internal import Basics

/// Finding the values that a push has at an attribute.
///
/// These are extensions of the buffers, because a call on a whole `MatchSearch` would copy it.
extension GrowingBuffer where Element == FieldValue {
    typealias Bounds = PushBatch.Bounds

    /// The number of fields up to which the fields of a push are compared one by one; more are
    /// sorted and searched by bisection.
    static var linearFieldLimit: Int { 12 }

    /// The range of the fields at an attribute, among all fields of a push, within one list element
    /// or outside of all (`context` is `none`).
    @inline(__always)
    func run(
        at attribute: AttributeID,
        within context: ContextNumber,
        among all: Bounds
    ) -> Range<Int> {
        assert(!attribute.isRoot, "the fields of a root")
        assert(all.end <= count, "the fields of a push in the batch")
        if all.end - all.first > Self.linearFieldLimit {
            return runAmongMany(at: attribute, within: context, among: all)
        }
        var first = all.first
        while first < all.end && !isAt(first, attribute: attribute, context: context) { first += 1 }
        var end = first
        while end < all.end && isAt(end, attribute: attribute, context: context) { end += 1 }
        return first..<end
    }

    /// Whether a field is at an attribute, within one list element.
    @inline(__always)
    private func isAt(_ index: Int, attribute: AttributeID, context: ContextNumber) -> Bool {
        self[index].attribute == attribute && self[index].context == context
    }

    /// `run` for sorted fields, by bisection.
    private func runAmongMany(
        at attribute: AttributeID,
        within context: ContextNumber,
        among all: Bounds
    ) -> Range<Int> {
        let all = all.first..<all.end
        let wanted = Self.sortKey(attribute, within: context)
        let first = firstIndex(in: all) { Self.sortKey($0.attribute, within: $0.context) < wanted }
        // The run may be long: its end is found by bisection, too.
        let end = firstIndex(in: all) { Self.sortKey($0.attribute, within: $0.context) <= wanted }
        return first..<end
    }

    /// The sort key of a field's place: its attribute, then its context.
    @inline(__always)
    private static func sortKey(_ attribute: AttributeID, within context: ContextNumber) -> UInt64 {
        UInt64(attribute.rawValue) << 32 | UInt64(context.rawValue)
    }

    /// Whether one of a run's fields has the value; `head` is as in `FieldValue`.
    @inline(__always)
    func has(in run: Range<Int>, head: UInt32, bytes: ByteView) -> Bool {
        if run.count > Self.linearFieldLimit {
            return hasAmongMany(in: run, head: head, bytes: bytes)
        }
        for index in run where self[index].head == head && self[index].bytes == bytes {
            return true
        }
        return false
    }

    /// `has` for a sorted run, by bisection.
    private func hasAmongMany(in run: Range<Int>, head: UInt32, bytes: ByteView) -> Bool {
        let index = firstIndex(in: run) { $0.compare(toHead: head, bytes: bytes) < 0 }
        return index < run.upperBound && self[index].compare(toHead: head, bytes: bytes) == 0
    }
}

/// Finding objects in a push's lists.
extension GrowingBuffer where Element == ScannedContext {
    /// The next object after `last` in the list at an attribute.
    ///
    /// - Parameters:
    ///   - attribute: the attribute of the list.
    ///   - context: the list element in which the list directly is; `none` if it is in none.
    ///   - last: an object of the list; `none` to find the first one.
    ///   - push: the push whose lists are searched.
    /// - Returns: its number, or `none` if there is none; and the number of objects skipped on the
    ///   way.
    func element(
        of attribute: AttributeID,
        within context: ContextNumber,
        after last: ContextNumber,
        in push: PushBatch.Push
    ) -> (number: ContextNumber, skipped: Int) {
        assert(push.contexts.end <= count, "the objects of a push in the batch")
        assert(last.count <= push.contexts.count, "object \(last.count) of another push")
        var number = last == .none ? context.next : lastWithin(last, in: push).next
        let end =
            context == .none
            ? ContextNumber(count: push.contexts.count) : lastWithin(context, in: push)
        var skipped = 0
        while number <= end {
            let candidate = self[push.contexts.first + number.index]
            if candidate.attribute == attribute && candidate.parent == context {
                return (number, skipped)
            }
            skipped += 1
            number = candidate.parent == context ? candidate.last.next : number.next
        }
        return (.none, skipped)
    }

    /// The highest number of an object within an element; the element's own if there is none.
    func lastWithin(_ context: ContextNumber, in push: PushBatch.Push) -> ContextNumber {
        assert(context.count <= push.contexts.count, "object \(context.count) of another push")
        return self[push.contexts.first + context.index].last
    }
}

/// Finding the kinds that a push names.
extension GrowingBuffer where Element == KindID {
    @inline(__always)
    func names(_ kind: KindID, in push: PushBatch.Push) -> Bool {
        assert(push.kinds.end <= count, "the kinds of a push in the batch")
        let index = firstIndex(in: push.kinds.first..<push.kinds.end) { $0 < kind }
        return index < push.kinds.end && self[index] == kind
    }
}
