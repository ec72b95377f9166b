extension TimingWheel {
    /// The most chunks of 62 entries that one `advance` moves to lower levels, which takes about a
    /// millisecond; 62 parked timers that are looked at count as one chunk.
    ///
    /// The timers of one tick are sorted in one go: two million on the same tick take 31 ms.
    static var stepLimit: Int { 1_024 }

    /// Delivers the timers that are due, in order of deadline, then number.
    ///
    /// A timer is stopped when it is delivered and may be started again at once, even at `now`. The
    /// call ends after `limit` timers, or when it has moved `stepLimit` chunks to lower levels, so
    /// that the caller can do something else; the next call continues. Ticks without entries cost
    /// nothing.
    ///
    /// - Parameters:
    ///   - tick: the last tick to deliver; one before `now` counts as `now`.
    ///   - limit: the most timers to deliver; at least 1.
    ///   - expired: the timers' numbers are appended here.
    /// - Returns: whether all timers due by then are delivered. If not, the call may nevertheless
    ///   have appended fewer than `limit`, or even none.
    package mutating func advance(
        to tick: UInt64,
        limit: Int,
        into expired: inout ContiguousArray<TimerID>
    ) -> Bool {
        precondition(limit > 0)
        let end = max(tick, now)
        let full = expired.count + min(limit, .max - expired.count)
        var steps = Self.stepLimit
        while true {
            if !placeDetached(&steps) { return false }
            // Entries may have been added to this tick's slot since the tick began.
            if let start = slots.first(position: now), start.tick == now {
                take(start.slot)
                continue
            }
            deliverDue(until: full, into: &expired)
            if !due.isEmpty {
                if expired.count == full { return false }
                continue
            }
            due.removeAll()
            if !review(&steps) { return false }
            if !step(to: end) {
                now = end
                return true
            }
        }
    }

    /// Goes to the next tick at which there is something to do; returns false if that is after
    /// `end`.
    private mutating func step(to end: UInt64) -> Bool {
        let start = slots.first(position: now)
        let review = parked.reviewTick ?? .max
        if let start, start.tick <= min(review, end) {
            assert(start.tick >= now, "the wheel goes back")
            now = start.tick
            take(start.slot)
            return true
        }
        if parked.count > 0, review <= end {
            now = max(now, review)
            parked.beginReview()
            return true
        }
        return false
    }

    /// Detaches a slot's chunks, to be processed next by `placeDetached`.
    private mutating func take(_ slot: Int) {
        assert(detached == nil)
        detached = slots.detach(slot)
        if slot == sweep.slot {
            sweep.taken = sweep.rest
            sweep.rest = nil
        }
    }

    /// Puts the entries of the detached chunks where they belong now; returns whether all chunks
    /// are done.
    private mutating func placeDetached(_ steps: inout Int) -> Bool {
        while let chunk = detached ?? sweep.popTaken() {
            if steps <= 0 {
                detached = chunk
                return false
            }
            steps -= 1
            detached = chunk.next
            placeAll(of: chunk)
        }
        return true
    }

    /// Delivers what is due at `now`, until `expired` has `full` timers.
    private mutating func deliverDue(until full: Int, into expired: inout ContiguousArray<TimerID>)
    {
        due.sort()
        let word = WheelWord(tick: now)
        while expired.count < full, due.isSorted, let id = due.popFirst() {
            if deadlines[id] != word {
                // The timer was cancelled or moved after it was gathered.
                place(WheelEntry(id: id, word: word))
                continue
            }
            deadlines[id] = .none
            count -= 1
            entryCount -= 1
            assert(count >= 0 && entryCount >= 0, "more timers end than were started")
            expired.append(id)
        }
    }

    /// Moves parked timers that have come near into the wheel; returns whether all have been looked
    /// at.
    private mutating func review(_ steps: inout Int) -> Bool {
        var left = steps * WheelChunk.capacity
        while let parkedID = parked.review(position: now, steps: &left) {
            let timer = parked[parkedID]
            unpark(parkedID)
            let word = WheelWord(tick: max(timer.tick, now))
            deadlines[timer.id] = word
            addEntry(WheelEntry(id: timer.id, word: word))
        }
        steps = left / WheelChunk.capacity
        return !parked.isReviewing
    }
}
