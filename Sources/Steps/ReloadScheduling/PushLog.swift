package import Basics

/// A push that was accepted, as `PushLog` keeps it: 40 bytes.
package struct LoggedPush: Equatable, BitwiseCopyable, Sendable {
    /// The push's sequence number, which its producer gave it.
    package var seq: UInt64
    /// When it was accepted.
    package var at: WallTime
    /// The first bits of what it is found by (`RequestKey.high`): of the key of its request or, in
    /// a request without one, of its event; 0 if it has neither.
    package var key: UInt64
    /// The producer that sent it.
    package var producer: ProducerID
    /// How many widgets it matches.
    package var matched: UInt32
    /// The position of its first match among all that were ever appended, and whether its matches
    /// were applied in portions after it was accepted, as the lowest bit.
    private var firstMatchAndFlag: UInt64

    /// Makes the record of a push; `firstMatch` is `PushLog.matchEnd` from before its first match.
    package init(
        producer: ProducerID,
        seq: UInt64,
        at: WallTime,
        key: UInt64,
        firstMatch: UInt64,
        matched: UInt32,
        isFanOut: Bool
    ) {
        self.producer = producer
        self.seq = seq
        self.at = at
        self.key = key
        self.matched = matched
        firstMatchAndFlag = firstMatch << 1 | (isFanOut ? 1 : 0)
    }

    /// The position of its first match among all that were ever appended.
    package var firstMatch: UInt64 { firstMatchAndFlag >> 1 }
    /// Whether its matches were applied in portions, some of them later than `at`.
    package var isFanOut: Bool { firstMatchAndFlag & 1 == 1 }

    /// Whether a decision with the push's mark may have been made for it: only a portion is applied
    /// later than the push was accepted.
    func mayHaveLed(to decision: Decision) -> Bool {
        isFanOut ? decision.at >= at : decision.at == at
    }
}

/// The pushes that were accepted last, and the widgets that each of them has matched: with the
/// decisions on these (`DecisionLog`) it can be said what became of a push.
///
///     pushes    a ring, by fan-out number │ producer, seq, at, … │ …
///     matches   a ring of widgets         │ those of a push follow each other │ …
///     removals  by widget, the last push before it was removed
///
/// Adding to the rings goes from one cache line to the next one, and allocates nothing: their
/// memory is reserved at once, and the system provides a page when it is first written. Nothing is
/// searched for before an operator asks.
package struct PushLog: ~Copyable {
    /// The most pushes kept; 0 for no log.
    package let capacity: Int
    /// The most matches kept, of all pushes together; of one push a quarter of them.
    package let matchCapacity: Int
    /// Elements that were not appended yet are not initialized.
    private var pushes: ContiguousArray<LoggedPush>
    private var matches: ContiguousArray<WidgetID>
    /// How many pushes were ever appended.
    private var pushEnd: UInt64 = 0
    /// How many matches were ever appended.
    package private(set) var matchEnd: UInt64 = 0
    /// The fan-out number of the last push; 0 for none.
    private var last: UInt64 = 0
    /// How many pushes are kept.
    private var count = 0
    /// The fan-out number of the last push before a widget was removed; 0 for none.
    private var removals = SparseTable<WidgetID, UInt64>(filling: 0)
    /// The fan-out number of the last push before a producer was forgotten; 0 for none.
    private var forgotten = SparseTable<ProducerID, UInt64>(filling: 0)

    /// Makes an empty log for numbers of pushes and matches that are powers of two; without pushes
    /// it keeps nothing.
    package init(capacity: Int, matchCapacity: Int) {
        precondition(capacity & (capacity - 1) == 0 && matchCapacity & (matchCapacity - 1) == 0)
        self.capacity = capacity
        self.matchCapacity = capacity == 0 ? 0 : matchCapacity
        pushes = Self.ring(self.capacity)
        matches = Self.ring(self.matchCapacity)
    }

    /// A ring of elements, none of which is initialized.
    private static func ring<Element: BitwiseCopyable>(
        _ capacity: Int
    ) -> ContiguousArray<Element> {
        unsafe ContiguousArray(unsafeUninitializedCapacity: capacity) { $1 = capacity }
    }

    /// The index of a number in a ring, whose capacity is a power of two.
    @inline(__always)
    private static func index(_ number: UInt64, in capacity: Int) -> Int {
        Int(truncatingIfNeeded: number & UInt64(capacity - 1))
    }

    // MARK: - Changes

    /// Appends a widget that a push has matched which has `count` matches already; the push itself
    /// follows when it is accepted.
    @inline(__always)
    package mutating func append(match widget: WidgetID, after count: UInt32) {
        if UInt64(count) &* 4 >= UInt64(matchCapacity) { return }
        matches[Self.index(matchEnd, in: matchCapacity)] = widget
        matchEnd &+= 1
    }

    /// Appends an accepted push with its fan-out number. If it is not the number after the last
    /// one, there were others in between of which nothing is known, and the log begins anew.
    package mutating func append(_ push: LoggedPush, number: UInt64) {
        if capacity == 0 { return }
        if number != last &+ 1 { count = 0 }
        last = number
        count = min(count + 1, capacity)
        pushEnd &+= 1
        pushes[Self.index(number, in: capacity)] = push
    }

    /// Records that a widget was removed after the push with the fan-out number `push`: another one
    /// may have its number from now on.
    package mutating func removed(_ widget: WidgetID, after push: UInt64) {
        if count > 0 { removals[widget] = push }
    }

    /// Records that a producer was forgotten: another one may have its number from now on.
    package mutating func forget(_ producer: ProducerID) {
        if count > 0 { forgotten[producer] = last }
    }

    // MARK: - Reading

    /// The fan-out numbers of the pushes that are kept.
    package var numbers: Range<UInt64> { last &+ 1 &- UInt64(count)..<last &+ 1 }

    /// When the oldest push was accepted that is kept, also of a producer that was forgotten; nil
    /// if none is.
    package var keptSince: WallTime? {
        count == 0 ? nil : pushes[Self.index(numbers.lowerBound, in: capacity)].at
    }

    /// The push with a fan-out number, which is one of `numbers`; nil if its producer was forgotten
    /// since.
    package func push(_ number: UInt64) -> LoggedPush? {
        precondition(numbers.contains(number), "the push is not kept")
        let push = pushes[Self.index(number, in: capacity)]
        let isForgotten = forgotten.has(push.producer) && forgotten[push.producer] >= number
        return isForgotten ? nil : push
    }

    /// The fan-out number of the push that a decision was made for; nil if it is not kept, or there
    /// is none. Of several with the decision's mark it is the last one that may have led to it.
    ///
    /// - Complexity: proportional to the pushes kept, divided by the number of marks.
    package func number(of decision: Decision) -> UInt64? {
        if decision.push == .none || count == 0 { return nil }
        var number = last &- UInt64(PushMark(ofPush: last).distance(from: decision.push))
        while numbers.contains(number) {
            let push = pushes[Self.index(number, in: capacity)]
            if push.mayHaveLed(to: decision) { return number }
            if number < PushMark.count { return nil }
            number -= PushMark.count
        }
        return nil
    }

    /// The positions of the matches that are kept of a push, counted from its first one.
    package func keptMatches(of push: LoggedPush) -> Range<Int> {
        let appended = min(Int(push.matched), (matchCapacity + 3) / 4)
        let oldest = matchEnd > UInt64(matchCapacity) ? matchEnd - UInt64(matchCapacity) : 0
        let lost = oldest > push.firstMatch ? oldest - push.firstMatch : 0
        return Int(min(lost, UInt64(appended)))..<appended
    }

    /// The widget of a match, which is one of `keptMatches`; nil if it was removed since the push
    /// with the fan-out number `number`.
    package func match(_ position: Int, of push: LoggedPush, number: UInt64) -> WidgetID? {
        precondition(keptMatches(of: push).contains(position), "the match is not kept")
        let place = push.firstMatch + UInt64(position)
        let widget = matches[Self.index(place, in: matchCapacity)]
        return removals.has(widget) && removals[widget] >= number ? nil : widget
    }

    /// Bytes of memory that were ever written.
    package var byteCount: Int {
        Int(min(pushEnd, UInt64(capacity))) * MemoryLayout<LoggedPush>.stride
            + Int(min(matchEnd, UInt64(matchCapacity))) * MemoryLayout<WidgetID>.stride
            + removals.byteCount + forgotten.byteCount
    }
}
