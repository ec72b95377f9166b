internal import Basics

/// The number of a timer among the parked ones.
struct ParkedID: SlotNumber {
    let rawValue: UInt32
}

/// The timers of a `TimingWheel` that are too far ahead for the wheel, with their ticks, unordered.
///
/// When the nearest of them comes near, all are reviewed, some at a time, and each that is within
/// the wheel's horizon by then moves to the wheel. So a review is due at most once in half the
/// horizon. A timer's index, kept in its `WheelWord`, changes when another timer is removed.
struct ParkedTimers: ~Copyable {
    /// A timer and the tick at which it is due: 16 bytes with padding.
    struct Timer: BitwiseCopyable {
        var tick: UInt64
        var id: TimerID
    }

    private(set) var timers = Slab<ParkedID, Timer>()
    private(set) var count = 0
    /// A lower bound of the ticks of all timers except those still to be reviewed.
    private(set) var nearest = UInt64.max
    /// Timers at indexes below this are still to be reviewed.
    private(set) var unreviewed = 0

    /// Whether a review has timers left to look at.
    var isReviewing: Bool { unreviewed > 0 }

    /// The tick at which the next review is due; nil without timers.
    var reviewTick: UInt64? { count == 0 ? nil : nearest - min(nearest, WheelWord.horizon / 2) }

    /// Bytes allocated from the system, used or not.
    var byteCount: Int { timers.byteCount }

    subscript(parkedID: ParkedID) -> Timer {
        assert(parkedID.index < count, "no timer is parked here")
        return timers[parkedID]
    }

    /// Adds a timer and returns its index, which may change when another timer is removed.
    mutating func append(_ timer: Timer) -> ParkedID {
        let parkedID = ParkedID(index: count)
        timers.reserve(through: parkedID, filling: timer)
        timers[parkedID] = timer
        count += 1
        nearest = min(nearest, timer.tick)
        return parkedID
    }

    /// Changes the tick of the timer at an index.
    mutating func move(_ parkedID: ParkedID, to tick: UInt64) {
        assert(parkedID.index < count, "no timer is parked here")
        timers[parkedID].tick = tick
        nearest = min(nearest, tick)
    }

    /// Removes the timer at an index. Returns the number of the timer that was moved to this index;
    /// nil if none was.
    mutating func remove(_ parkedID: ParkedID) -> TimerID? {
        count -= 1
        unreviewed = min(unreviewed, count)
        if count == 0 { nearest = .max }
        if parkedID.index == count { return nil }
        timers[parkedID] = timers[ParkedID(index: count)]
        return timers[parkedID].id
    }

    // MARK: - Reviewing

    /// Starts a review of all timers.
    mutating func beginReview() {
        assert(!isReviewing, "the last review is not finished")
        unreviewed = count
        nearest = .max
    }

    /// Returns the index of the next timer that is within the wheel's horizon, which the caller
    /// must remove; nil when `steps` timers have been looked at, or all. `steps` is reduced by
    /// those looked at.
    mutating func review(position: UInt64, steps: inout Int) -> ParkedID? {
        while unreviewed > 0, steps > 0 {
            unreviewed -= 1
            steps -= 1
            let parkedID = ParkedID(index: unreviewed)
            let tick = timers[parkedID].tick
            if tick < position || tick - position < WheelWord.horizon { return parkedID }
            nearest = min(nearest, tick)
        }
        return nil
    }
}

extension ParkedTimers {
    /// Checks that no timer that was reviewed is due before `nearest`, by which the next review is
    /// timed.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            unreviewed <= count && count <= Int(timers.end),
            otherwise: "\(unreviewed) timers are to be reviewed of \(count)"
        )
        for position in unreviewed..<count {
            let timer = timers[ParkedID(index: position)]
            try checkInvariant(
                timer.tick >= nearest,
                otherwise: "timer \(timer.id) is due at \(timer.tick), "
                    + "and the nearest at \(nearest)"
            )
        }
    }
}
