internal import Basics

/// The timers of a `TimingWheel` that are due at the current tick, delivered in order of their
/// numbers.
///
///     first: timers gathered when the tick began           ┐ the smaller of the two heads
///     late:  timers added while the tick is being drained  ┘ is delivered next
///
/// There are two sorted runs, so that one late timer does not require sorting a million others
/// again. A number may occur in them more than once.
struct DueTimers {
    /// After a tick, arrays with more capacity than this are freed.
    private static var keptCapacity: Int { 1 << 16 }
    /// Up to this many numbers are sorted by insertion, more by radix.
    private static var insertionLimit: Int { 40 }

    private(set) var first: ContiguousArray<TimerID> = []
    /// The index in `first` of the next timer to deliver.
    private(set) var firstIndex = 0
    private(set) var late: ContiguousArray<TimerID> = []
    /// The index in `late` of the next timer to deliver.
    private(set) var lateIndex = 0
    /// Working memory of the radix sort.
    private var scratch: ContiguousArray<TimerID> = []
    /// Whether nothing has been added since the last `sort`.
    private(set) var isSorted = true

    var isEmpty: Bool { firstIndex == first.count && lateIndex == late.count }

    /// Bytes allocated from the system, used or not.
    var byteCount: Int { (first.capacity + late.capacity + scratch.capacity) * 4 }

    /// Adds a timer. `sort` must be called before the next `popFirst`.
    @inline(__always)
    mutating func append(_ id: TimerID) {
        late.append(id)
        isSorted = false
    }

    /// Sorts what `append` has added, if anything.
    mutating func sort() {
        if isSorted { return }
        isSorted = true
        if lateIndex > 0 {
            late.removeFirst(lateIndex)
            lateIndex = 0
        }
        if late.count <= Self.insertionLimit {
            sortByInsertion()
        } else {
            sortByDigits()
        }
        if firstIndex == first.count {
            swap(&first, &late)
            firstIndex = 0
            late.removeAll(keepingCapacity: true)
        }
    }

    /// Removes and returns the smallest number; nil if there is none.
    @inline(__always)
    mutating func popFirst() -> TimerID? {
        assert(isSorted)
        if lateIndex < late.count {
            if firstIndex == first.count || late[lateIndex] < first[firstIndex] {
                lateIndex += 1
                return late[lateIndex - 1]
            }
        } else if firstIndex == first.count {
            return nil
        }
        firstIndex += 1
        return first[firstIndex - 1]
    }

    /// Resets the arrays once every timer has been delivered.
    mutating func removeAll() {
        assert(isEmpty)
        if first.isEmpty && late.isEmpty { return }
        first.removeAll(keepingCapacity: first.capacity <= Self.keptCapacity)
        late.removeAll(keepingCapacity: late.capacity <= Self.keptCapacity)
        if scratch.count > Self.keptCapacity { scratch = [] }
        firstIndex = 0
        lateIndex = 0
    }

    // MARK: - Sorting

    /// Sorts `late` by insertion, which is fast for few numbers.
    private mutating func sortByInsertion() {
        var ids = late.mutableSpan
        for index in ids.indices.dropFirst() {
            let id = ids[index]
            var position = index
            while position > 0, ids[position - 1] > id {
                ids[position] = ids[position - 1]
                position -= 1
            }
            ids[position] = id
        }
    }

    /// Radix sort from the lowest byte (Knuth 5.2.5, algorithm R); bytes in which all numbers agree
    /// are skipped.
    private mutating func sortByDigits() {
        var different: UInt32 = 0
        for id in late { different |= id.rawValue ^ late[0].rawValue }
        if scratch.count < late.count {
            scratch.append(contentsOf: repeatElement(.first, count: late.count - scratch.count))
        }
        for shift in stride(from: UInt32(0), to: 32, by: 8) where different >> shift & 255 != 0 {
            Self.distribute(&late, by: shift, through: &scratch)
        }
    }

    /// One pass of the radix sort: orders `array` by one byte, stably, by way of `scratch`.
    private static func distribute(
        _ array: inout ContiguousArray<TimerID>,
        by shift: UInt32,
        through scratch: inout ContiguousArray<TimerID>
    ) {
        var ids = array.mutableSpan
        var sorted = scratch.mutableSpan
        var ends = InlineArray<256, Int>(repeating: 0)
        for index in ids.indices { ends[Int(ids[index].rawValue >> shift & 255)] += 1 }
        var start = 0
        for digit in ends.indices {
            let next = start + ends[digit]
            ends[digit] = start
            start = next
        }
        for index in ids.indices {
            let digit = Int(ids[index].rawValue >> shift & 255)
            sorted[ends[digit]] = ids[index]
            ends[digit] += 1
        }
        for index in ids.indices { ids[index] = sorted[index] }
    }
}

extension DueTimers {
    /// How many timers are still to be delivered; a number that occurs twice counts twice.
    var count: Int { first.count - firstIndex + late.count - lateIndex }

    /// Checks that what is left of each run is sorted, unless timers were added since `sort`.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            firstIndex <= first.count && lateIndex <= late.count,
            otherwise: "more timers were delivered than there were"
        )
        try Self.check(first[firstIndex...], name: "first")
        if isSorted { try Self.check(late[lateIndex...], name: "late") }
    }

    /// Checks that a run is sorted; `name` is that of its array.
    private static func check(_ run: ArraySlice<TimerID>, name: String) throws(InvariantViolation) {
        for index in run.indices.dropFirst() {
            try checkInvariant(
                run[index - 1] <= run[index],
                otherwise: "timer \(run[index - 1]) is delivered before \(run[index]) of `\(name)`"
            )
        }
    }

    /// Calls `body` with each timer that is still to be delivered.
    func visit(_ body: (TimerID) -> Void) {
        for id in first[firstIndex...] { body(id) }
        for id in late[lateIndex...] { body(id) }
    }
}
