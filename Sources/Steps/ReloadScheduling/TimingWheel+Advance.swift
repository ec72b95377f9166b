extension TimingWheel {
    /// Chunks of 62 entries (and as many parked timers) that one `advance` moves down at most, which
    /// takes a millisecond or so.
    ///
    /// The timers of one tick are sorted in one go: two million on the same one take 31 ms.
    static var stepLimit: Int { 1_024 }

    /// Hands out timers that are due, in order of deadline, then number.
    ///
    /// Each is stopped as it is handed out and may be started again at once, also at `now`. The call
    /// stops after `limit` timers, or when it has moved so many others down that it is time for
    /// something else; then the next call goes on. Ticks without entries cost nothing.
    ///
    /// - Parameters:
    ///   - tick: the tick up to which, itself included; one before `now` counts as `now`.
    ///   - limit: at most so many; at least 1.
    ///   - expired: the timers are added here.
    /// - Returns: whether all are out that are due up to then; if not, there may still be fewer than
    ///   `limit`, or even none.
    package mutating func advance(
        to tick: UInt64,
        limit: Int,
        into expired: inout ContiguousArray<UInt32>
    ) -> Bool {
        precondition(limit > 0)
        let end = max(tick, now)
        let full = expired.count + limit
        var steps = Self.stepLimit
        while true {
            if !moveOn(&steps) { return false }
            // Also those that were put there since the tick came.
            if let start = slots.first(position: now), start.tick == now {
                take(start.slot)
                continue
            }
            handOut(until: full, into: &expired)
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

    /// Goes to the next tick at which there is something to do, if it is not after `end`.
    private mutating func step(to end: UInt64) -> Bool {
        let start = slots.first(position: now)
        let review = parked.reviewTick ?? .max
        if let start, start.tick <= min(review, end) {
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

    /// Takes a slot's chunks out, to deal with them next.
    private mutating func take(_ slot: Int) {
        assert(moving == nil)
        moving = slots.detach(slot)
        if slot == sweep.slot {
            sweep.taken = sweep.rest
            sweep.rest = nil
        }
    }

    /// Deals with the chunks that were taken out; returns whether all are done.
    private mutating func moveOn(_ steps: inout Int) -> Bool {
        while let chunk = moving ?? sweep.takeTaken() {
            if steps <= 0 {
                moving = chunk
                return false
            }
            steps -= 1
            moving = chunk.next
            placeAll(of: chunk)
        }
        return true
    }

    /// Hands out what is due at `now`, until there are so many in all.
    private mutating func handOut(until full: Int, into expired: inout ContiguousArray<UInt32>) {
        due.sort()
        let word = WheelWord(tick: now)
        while expired.count < full, due.isSorted, let id = due.popFirst() {
            if deadlines[id] != word {
                // Cancelled or moved since it was gathered.
                place(WheelEntry(id: id, word: word))
                continue
            }
            deadlines[id] = .none
            count -= 1
            entryCount -= 1
            expired.append(id)
        }
    }

    /// Puts parked timers that have come near into the wheel; returns whether all were looked at.
    private mutating func review(_ steps: inout Int) -> Bool {
        var left = steps * WheelChunk.capacity
        while let place = parked.review(position: now, steps: &left) {
            let timer = parked[place]
            unpark(place)
            let word = WheelWord(tick: max(timer.tick, now))
            deadlines[timer.id] = word
            addEntry(WheelEntry(id: timer.id, word: word))
        }
        steps = left / WheelChunk.capacity
        return !parked.isReviewing
    }
}
