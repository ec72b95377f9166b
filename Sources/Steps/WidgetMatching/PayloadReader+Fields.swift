internal import DataStructures
internal import ReloadModel

/// Finding the values that a push has at an attribute.
///
/// Extensions of the buffers, because a call on a whole `PayloadReader` would copy it.
extension GrowingBuffer where Element == FieldValue {
    typealias Span = PushBatch.Span

    /// The number of fields up to which they are unsorted and compared one by one; more are sorted
    /// and searched by bisection.
    static var linearLimit: Int { 12 }

    /// The fields at an attribute within one list element, or outside of all (`context` 0). They
    /// are adjacent.
    @inline(__always)
    func run(_ attribute: AttributeID, _ context: UInt32, _ all: Span) -> Range<Int> {
        if all.end - all.first > Self.linearLimit {
            return runAmongMany(attribute, context, all)
        }
        var first = all.first
        while first < all.end && !isAt(first, attribute, context) { first += 1 }
        var end = first
        while end < all.end && isAt(end, attribute, context) { end += 1 }
        return first..<end
    }

    @inline(__always)
    private func isAt(_ index: Int, _ attribute: AttributeID, _ context: UInt32) -> Bool {
        self[index].attribute == attribute && self[index].context == context
    }

    private func runAmongMany(
        _ attribute: AttributeID,
        _ context: UInt32,
        _ all: Span
    ) -> Range<Int> {
        let wanted = UInt64(attribute) << 32 | UInt64(context)
        let first = firstIndex(all) { place($0) < wanted }
        // The run may be long: its end is found by bisection, too.
        let end = firstIndex(all) { place($0) <= wanted }
        return first..<end
    }

    /// The sort key of a field's place: its attribute, then its context.
    @inline(__always)
    private func place(_ index: Int) -> UInt64 {
        UInt64(self[index].attribute) << 32 | UInt64(self[index].context)
    }

    /// The first index for which `isBefore` is false.
    @inline(__always)
    private func firstIndex(_ all: Span, where isBefore: (Int) -> Bool) -> Int {
        var low = all.first
        var high = all.end
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether one of a run's fields has the value; `head` is as in `FieldValue`.
    @inline(__always)
    func has(_ run: Range<Int>, _ head: UInt32, _ bytes: ByteView) -> Bool {
        if run.count > Self.linearLimit { return hasAmongMany(run, head, bytes) }
        for index in run where self[index].head == head && self[index].bytes == bytes {
            return true
        }
        return false
    }

    private func hasAmongMany(_ run: Range<Int>, _ head: UInt32, _ bytes: ByteView) -> Bool {
        var low = run.lowerBound
        var high = run.upperBound
        while low < high {
            let middle = (low + high) / 2
            let order = self[middle].compare(head, bytes)
            if order == 0 { return true }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return false
    }

    /// The part of a run of fields at one attribute that lies within the elements `first` to
    /// `last`.
    func part(of run: Range<Int>, from first: UInt32, to last: UInt32) -> Range<Int> {
        let all = Span(run.lowerBound, run.upperBound)
        let start = firstIndex(all) { self[$0].context < first }
        return start..<firstIndex(all) { self[$0].context <= last }
    }
}

/// Finding objects in a push's lists.
extension GrowingBuffer where Element == PushBatch.Context {
    /// The next object after `last` in the list at an attribute, directly within an element or
    /// within none.
    ///
    /// - Returns: its number, or 0 if there is none; and the number of objects skipped on the way.
    func element(
        of attribute: AttributeID,
        within context: UInt32,
        after last: UInt32,
        _ push: PushBatch.Push
    ) -> (number: UInt32, passed: Int) {
        var number = last == 0 ? context + 1 : lastWithin(last, push) + 1
        let end = context == 0 ? UInt32(push.contexts.count) : lastWithin(context, push)
        var passed = 0
        while number <= end {
            let candidate = self[push.contexts.first + Int(number) - 1]
            if candidate.attribute == attribute && candidate.parent == context {
                return (number, passed)
            }
            passed += 1
            number = candidate.parent == context ? candidate.last + 1 : number + 1
        }
        return (0, passed)
    }

    /// The highest number of an object within an element; the element's own if there is none.
    func lastWithin(_ context: UInt32, _ push: PushBatch.Push) -> UInt32 {
        self[push.contexts.first + Int(context) - 1].last
    }
}

/// Finding the kinds that a push names.
extension GrowingBuffer where Element == KindID {
    /// The number of kinds up to which they are compared one by one; more are sorted and searched
    /// by bisection.
    static var linearKinds: Int { 8 }

    /// Whether a push names the kind.
    @inline(__always)
    func names(_ kind: KindID, _ push: PushBatch.Push) -> Bool {
        if push.kinds.count > Self.linearKinds { return namesAmongMany(kind, push) }
        for index in push.kinds.first..<push.kinds.end where self[index] == kind { return true }
        return false
    }

    private func namesAmongMany(_ kind: KindID, _ push: PushBatch.Push) -> Bool {
        var low = push.kinds.first
        var high = push.kinds.end
        while low < high {
            let middle = (low + high) / 2
            if self[middle] == kind { return true }
            if self[middle] < kind { low = middle + 1 } else { high = middle }
        }
        return false
    }
}
