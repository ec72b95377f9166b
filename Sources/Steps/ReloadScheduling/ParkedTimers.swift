import DataStructures

/// Timers too far ahead for the wheel, in no order, with the ticks that they wait for.
///
/// They are reviewed, some at a time, when the nearest comes near; all that are near by then leave,
/// so that a review is due at most once in half the wheel's horizon.
struct ParkedTimers: ~Copyable {
    /// 16 bytes.
    struct Timer: BitwiseCopyable {
        var tick: UInt64
        var id: UInt32
    }

    private var timers = Slab<Timer>()
    private(set) var count = 0
    /// No timer but those that are still to be reviewed is due before this.
    private var nearest = UInt64.max
    /// Timers below this place are still to be reviewed.
    private var unreviewed = 0

    var isReviewing: Bool { unreviewed > 0 }

    /// When the next review is due; nil without timers.
    var reviewTick: UInt64? {
        count == 0 ? nil : nearest - min(nearest, WheelWord.horizon / 2)
    }

    /// Bytes held from the system, used or not.
    var byteCount: Int { timers.byteCount }

    subscript(place: UInt32) -> Timer { timers[place] }

    /// Adds a timer and returns its place, which may change when another leaves.
    mutating func append(_ timer: Timer) -> UInt32 {
        let place = UInt32(count)
        timers.reserve(through: place, filling: timer)
        timers[place] = timer
        count += 1
        nearest = min(nearest, timer.tick)
        return place
    }

    mutating func move(_ place: UInt32, to tick: UInt64) {
        timers[place].tick = tick
        nearest = min(nearest, tick)
    }

    /// Removes a timer.
    ///
    /// - Returns: the timer that is in its place now, if there is one.
    mutating func remove(_ place: UInt32) -> UInt32? {
        count -= 1
        unreviewed = min(unreviewed, count)
        if count == 0 { nearest = .max }
        if Int(place) == count { return nil }
        timers[place] = timers[UInt32(count)]
        return timers[place].id
    }

    // MARK: - Reviewing

    mutating func beginReview() {
        unreviewed = count
        nearest = .max
    }

    /// The place of the next timer that is to leave, or nil after so many that stay or at the end.
    mutating func review(position: UInt64, steps: inout Int) -> UInt32? {
        while unreviewed > 0, steps > 0 {
            unreviewed -= 1
            steps -= 1
            let tick = timers[UInt32(unreviewed)].tick
            if tick < position || tick - position < WheelWord.horizon { return UInt32(unreviewed) }
            nearest = min(nearest, tick)
        }
        return nil
    }
}
