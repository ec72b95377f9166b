/// The deadlines of numbered timers, at most one for each number, and a fast way to the ones that
/// are due. The router keeps one for all its timers.
///
///     deadlines[id]: u32   what holds: none, parked, or a tick
///     slots                five levels of 64, each a chain of chunks of (id, deadline) entries
///     parked               timers further ahead than the wheel reaches
///     due                  timers of the tick that is being delivered
///
/// A hierarchical timing wheel: George Varghese and Tony Lauck, "Hashed and Hierarchical Timing
/// Wheels: Data Structures for the Efficient Implementation of a Timer Facility", SOSP 1987, scheme
/// 7; with lazy removal. An entry is valid only if it says what `deadlines` says; otherwise it is
/// stale:
/// - cancelling a timer clears its deadline and leaves the entry, which is dropped when visited;
/// - moving a timer to a later tick leaves the entry, which is put where it belongs when visited;
/// - moving a timer to an earlier tick adds an entry.
///
/// So nothing is searched for, entries have no neighbours to be unlinked from, and memory is read
/// and written in order, 62 entries at a time. Stale entries only cost memory. When an entry would
/// need new memory while there are more than twice as many entries as timers (and 4,096), stale
/// entries are first removed from some chunks. So there are never more than 2.3 times as many
/// entries (and 8,000) as the largest number of timers there ever was.
///
/// The caller decides what a tick is. Ticks have 64 bits outside and 30 inside, without a limit on
/// how far the wheel can advance. A deadline that is not after `now` counts as `now`. Timer numbers
/// should be dense: the table of deadlines has 4 bytes for each number of a chunk in use.
package struct TimingWheel: ~Copyable {
    /// All timers before this tick have been delivered; those of the tick itself may be being
    /// delivered.
    package internal(set) var now: UInt64
    /// The number of timers that are running.
    package internal(set) var count = 0
    /// The number of the wheel's entries, stale ones included.
    package internal(set) var entryCount = 0

    var deadlines = DeadlineTable()
    var slots = WheelSlots()
    var parked = ParkedTimers()
    var due = DueTimers()
    /// Chunks of a slot whose time has come that are still to be processed.
    var detached: WheelChunk?
    var sweep = WheelSweep()

    /// Makes a wheel without timers whose current tick is `now`.
    package init(now: UInt64) { self.now = now }

    /// Bytes allocated from the system, used or not.
    ///
    /// About 12.4 bytes for each timer, by the largest number of timers there ever was; up to 23 if
    /// most of these were moved to earlier ticks again and again.
    package var byteCount: Int {
        deadlines.byteCount + slots.byteCount + parked.byteCount + due.byteCount
    }

    // MARK: - Timers

    /// Starts a timer, or moves it if it is running.
    package mutating func schedule(_ id: TimerID, at tick: UInt64) {
        if !deadlines.has(id) { deadlines.add(id) }
        let distance = tick > now ? tick &- now : 0
        let old = deadlines[id]
        if distance >= WheelWord.horizon || old.parkedID != nil {
            scheduleFar(id, at: tick)
            return
        }
        let word = WheelWord(tick: now &+ distance)
        if old == .none {
            count += 1
            deadlines[id] = word
            addEntry(WheelEntry(id: id, word: word))
            return
        }
        let oldDistance = old.distance(from: now)
        if distance < oldDistance {
            deadlines[id] = word
            addEntry(WheelEntry(id: id, word: word))
        } else if distance > oldDistance {
            deadlines[id] = word.asMoved
        }
    }

    /// Stops a timer if it is running.
    package mutating func cancel(_ id: TimerID) {
        if !deadlines.has(id) { return }
        let word = deadlines[id]
        if word == .none { return }
        deadlines[id] = .none
        count -= 1
        assert(count >= 0, "more timers end than were started")
        if let parkedID = word.parkedID { unpark(parkedID) }
    }

    /// The next tick at which `advance` has something to do: timers are due, or entries must be
    /// moved to a lower level. Nil without timers.
    package var nextTick: UInt64? {
        if count == 0 { return nil }
        if detached != nil || !due.isEmpty || parked.isReviewing { return now }
        let first = slots.first(position: now)?.tick ?? .max
        return max(now, min(first, parked.reviewTick ?? .max))
    }

    // MARK: - Entries

    /// Adds an entry to its slot.
    @inline(__always)
    mutating func addEntry(_ entry: WheelEntry) {
        if !slots.appendToHead(entry, position: now) { addEntryInNewChunk(entry) }
        entryCount += 1
    }

    /// Puts an entry that was met where it belongs now: among the due timers, into a slot, or
    /// nowhere if it is stale.
    @inline(__always)
    mutating func place(_ met: WheelEntry) {
        var entry = met
        assert(deadlines.has(met.id), "an entry of a timer that was never started")
        let word = deadlines[entry.id]
        if word != entry.word {
            if !word.isMoved {
                entryCount -= 1
                return
            }
            entry.word = word.withoutMove
            deadlines[entry.id] = entry.word
        }
        if entry.word.difference(from: now) == 0 {
            due.append(entry.id)
        } else {
            slots.append(entry, position: now)
        }
    }

    /// Processes the entries of a chunk that was detached from its slot, and frees the chunk.
    mutating func placeAll(of chunk: WheelChunk) {
        assert(chunk.count > 0, "an empty chunk is met")
        let count = chunk.count
        for index in 0..<count { deadlines.prefetch(chunk[index].id) }
        for index in 0..<count { place(chunk[index]) }
        slots.release(chunk)
    }

    // MARK: - Timers that are far ahead

    /// Starts or moves a timer that is parked, or that must be.
    @inline(never)
    private mutating func scheduleFar(_ id: TimerID, at tick: UInt64) {
        let old = deadlines[id]
        let isFar = tick > now && tick - now >= WheelWord.horizon
        if old == .none { count += 1 }
        if let parkedID = old.parkedID {
            if isFar {
                parked.move(parkedID, to: tick)
                return
            }
            unpark(parkedID)
        }
        if isFar {
            deadlines[id] = WheelWord(
                parkedID: parked.append(ParkedTimers.Timer(tick: tick, id: id))
            )
        } else {
            deadlines[id] = WheelWord(tick: max(tick, now))
            addEntry(WheelEntry(id: id, word: deadlines[id]))
        }
    }

    /// Removes a timer from the parked ones; the caller must set the timer's own word.
    mutating func unpark(_ parkedID: ParkedID) {
        if let other = parked.remove(parkedID) { deadlines[other] = WheelWord(parkedID: parkedID) }
    }
}
