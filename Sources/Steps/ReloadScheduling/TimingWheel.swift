/// The deadlines of numbered timers, one for each, and which of them have come.
///
///     deadlines[id]: u32   the truth: none, parked, or a tick
///     slots                five levels of 64, each a chain of chunks of (id, deadline) entries
///     parked               those further ahead than the wheel reaches
///     due                  those of the tick that is being handed out
///
/// A hierarchical timing wheel: George Varghese and Tony Lauck, "Hashed and Hierarchical Timing
/// Wheels: Data Structures for the Efficient Implementation of a Timer Facility", SOSP 1987, scheme
/// 7; with lazy removal. An entry counts only as long as it says what `deadlines` says:
/// - cancelling a timer clears its deadline and leaves the entry, which is dropped when it is met;
/// - moving a timer to a later tick leaves the entry, which is put where it belongs when it is met;
/// - moving a timer to an earlier tick adds an entry.
///
/// So nothing is searched for, entries have no neighbours to be unlinked from, and memory is read
/// and written in order, 62 entries at a time. Stale entries only cost memory: when an entry would
/// need more while there are more than twice as many entries as timers (and 4,096), some chunks are
/// cleaned of them first. So there are never more than 2.3 times as many entries (and 8,000) as
/// there were timers when there were the most.
///
/// Ticks are the caller's; 64 bits of them outside, 30 inside: the wheel turns for ever. A deadline
/// that has passed already, or that is not after `now`, counts as one of `now`. Timers' numbers
/// should be dense: the table of deadlines has 4 bytes for each number of a chunk that is used.
@safe
package struct TimingWheel: ~Copyable {
    /// The tick up to which timers have been handed out, or of which they are being handed out.
    package internal(set) var now: UInt64
    /// Timers that wait.
    package internal(set) var count = 0
    /// Entries of the wheel, those included that do not count any more.
    package internal(set) var entryCount = 0

    var deadlines = DeadlineTable()
    var slots = WheelSlots()
    var parked = ParkedTimers()
    var due = DueTimers()
    /// Chunks of a slot whose time has come, still to be dealt with.
    var moving: WheelChunk?
    var sweep = WheelSweep()

    package init(now: UInt64) {
        self.now = now
    }

    /// Bytes held from the system, used or not.
    ///
    /// Some 12.4 for each timer, of the time when there were the most; up to 23 if most of these
    /// were moved to earlier ticks again and again.
    package var byteCount: Int {
        deadlines.byteCount + slots.byteCount + parked.byteCount + due.byteCount
    }

    // MARK: - Timers

    /// Starts a timer, or moves it.
    package mutating func schedule(_ id: UInt32, at tick: UInt64) {
        if !deadlines.has(id) { deadlines.add(id) }
        let distance = tick > now ? tick &- now : 0
        let old = deadlines[id]
        if distance >= WheelWord.horizon || old.place != nil {
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

    /// Stops a timer, if it waits.
    package mutating func cancel(_ id: UInt32) {
        if !deadlines.has(id) { return }
        let word = deadlines[id]
        if word == .none { return }
        deadlines[id] = .none
        count -= 1
        if let place = word.place { unpark(place) }
    }

    /// The next tick at which `advance` has something to do, be it that timers are due or that some
    /// must be moved down; nil without timers.
    package var nextTick: UInt64? {
        if count == 0 { return nil }
        if moving != nil || !due.isEmpty || parked.isReviewing { return now }
        let first = slots.first(position: now)?.tick ?? .max
        return max(now, min(first, parked.reviewTick ?? .max))
    }

    // MARK: - Entries

    @inline(__always)
    mutating func addEntry(_ entry: WheelEntry) {
        if !slots.appendToHead(entry, position: now) { addEntryInNewChunk(entry) }
        entryCount += 1
    }

    /// Puts an entry that was met where it belongs now: among those due, into a slot, or nowhere.
    @inline(__always)
    mutating func place(_ met: WheelEntry) {
        var entry = met
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

    /// Deals with the entries of a chunk that has been taken from its slot.
    mutating func placeAll(of chunk: WheelChunk) {
        let count = chunk.count
        for index in 0..<count { deadlines.prefetch(chunk[index].id) }
        for index in 0..<count { place(chunk[index]) }
        slots.giveBack(chunk)
    }

    // MARK: - Timers that are far ahead

    /// Starts or moves a timer that is parked, or is to be.
    @inline(never)
    private mutating func scheduleFar(_ id: UInt32, at tick: UInt64) {
        let old = deadlines[id]
        let isFar = tick > now && tick - now >= WheelWord.horizon
        if old == .none { count += 1 }
        if let place = old.place {
            if isFar {
                parked.move(place, to: tick)
                return
            }
            unpark(place)
        }
        if isFar {
            deadlines[id] = WheelWord(place: parked.append(ParkedTimers.Timer(tick: tick, id: id)))
        } else {
            deadlines[id] = WheelWord(tick: max(tick, now))
            addEntry(WheelEntry(id: id, word: deadlines[id]))
        }
    }

    /// Takes a timer from where it is parked; its own word must be set by the caller.
    mutating func unpark(_ place: UInt32) {
        if let other = parked.remove(place) { deadlines[other] = WheelWord(place: place) }
    }
}
