package import DataStructures

/// One origin's seconds: who reloads when, so that the origin sees a flat line.
///
///     dated reload ─► group of its date and window ─► entry of the group's matrix ─► second
///                                                                                   ▲
///     immediate reload ─────────────────────────────── permits, spend ──────────────┘
///
/// A dated reload gets a slot as soon as its date is known: never before the date, within the
/// window, in a second that has not reached the origin's rate (`SlotGroup`). Immediate reloads
/// have what the dated ones leave (`SecondCounts`). A cancelled reload gives its slot back, and the
/// last of its group moves there, so that the line stays flat.
///
/// The ledger knows no chance: the same calls give the same slots, so that a restart which replays
/// them tells nobody another time.
@safe
package struct SlotLedger: ~Copyable {
    /// The longest window, in s; a longer one is cut.
    package static var windowLimit: Int64 { 86_400 }
    /// Most groups at a time.
    ///
    /// What comes with a further date is placed by a hash in its window, in a second that has room.
    package static var groupLimit: Int { 1 << Int(SlotPosition.slotBits) }
    /// Most members of a group that are not delayed; a higher number is cut.
    package static var undelayedLimit: Int { 10_000 }
    /// The longest, in s, that immediate reloads that were too many keep others back.
    ///
    /// What the seconds until then have not made up for is forgotten.
    package static var debtLimit: Int64 { 10 }
    /// The latest date, in the year 2096 if schedule time is wall time; a later one is cut.
    package static var latest: Int64 { Int64(SecondCounts.lastSecond) * 1_000 }

    var seconds: SecondCounts
    var undelayed: UInt32
    var groups = Slab<SlotGroup>()
    /// Slots of the slab that hold no group.
    var unused = ContiguousArray<UInt32>()
    var table: NumberTable
    let hashKey: HashKey
    /// The last group that somebody joined.
    var lastGroup = SecondCounts.none
    var walks = ContiguousArray<WindowWalk>()
    package internal(set) var statistics = SlotStatistics()
    /// Members of groups whom a ledger that was read does not know yet.
    package internal(set) var unseatedCount = 0
    /// Groups that a checkpoint is owed, by their slots.
    var owed = OwedPieces()
    /// The first place that is not written of the next owed group.
    var owedPlace: UInt32 = 0

    /// - Parameters:
    ///   - perSecond: the origin's rate, at least 1; nil if it has none.
    ///   - undelayed: how many with the same date are not delayed.
    ///   - hashKey: so that nobody can choose dates that are slow to find; no slot depends on it.
    package init(perSecond: Int?, undelayed: Int, hashKey: HashKey) {
        seconds = SecondCounts(rate: Self.rate(perSecond), hashKey: hashKey)
        table = NumberTable(hashKey: hashKey)
        self.hashKey = hashKey
        self.undelayed = Self.undelayed(undelayed)
    }

    deinit {
        for slot in 0..<groups.end { groups[slot].deallocate() }
    }

    /// From now on; slots that have been told stay.
    package mutating func change(perSecond: Int?, undelayed: Int) {
        seconds.change(rate: Self.rate(perSecond))
        self.undelayed = Self.undelayed(undelayed)
    }

    private static func rate(_ perSecond: Int?) -> UInt32 {
        guard let perSecond else { return .max }
        precondition(perSecond > 0, "an origin's rate is at least 1 a second")
        return UInt32(min(perSecond, Int(UInt32.max) - 1))
    }

    private static func undelayed(_ count: Int) -> UInt32 {
        UInt32(max(0, min(count, undelayedLimit)))
    }

    // MARK: - Dated reloads

    /// Gives a reload its slot.
    ///
    /// - Parameters:
    ///   - id: whose it is, below 2^31 - 4; comes back when the slot moves.
    ///   - earliest: the date; one that has passed counts as now.
    ///   - window: how long after the date it may come, in ms. Seconds within count whole.
    ///   - isFixed: whether the slot must not move, because somebody has been told.
    ///   - now: schedule time.
    /// - Returns: the slot, in [earliest, earliest + window) unless all of the window is full.
    package mutating func take(
        _ id: UInt32,
        earliest: Int64,
        window: Int64,
        isFixed: Bool,
        now: Int64
    ) -> Slot {
        seconds.settle(now)
        statistics.taken += 1
        let entry = SlotEntry.member(id, isFixed: isFixed)
        let earliest = min(max(earliest, now, 0), Self.latest)
        let second = UInt32(earliest / 1_000)
        let offset = UInt32(earliest % 1_000)
        let width = UInt32(min(max(1, window / 1_000), Self.windowLimit))
        let key = SlotGroupKey(
            second: second,
            width: width,
            span: UInt32(min(max(0, window), 1_000)),
            offset: width == 1 ? offset : 0
        )
        let slot = group(key, offset: offset, undelayed: undelayed)
        if slot == SecondCounts.none { return takeWithoutGroup(id, key, earliest) }
        willChange(slot)
        if groups[slot].offset != offset { groups[slot].isMixed = true }
        let (index, cell, hasGrown) = groups[slot].place(entry, &seconds)
        if hasGrown { statistics.windowsGrown += 1 }
        let generation = groups[slot].generation
        return Slot(
            at: cell.kind == .undelayed ? earliest : cell.at,
            position: SlotPosition(slot: slot, generation: generation, index: index)
        )
    }

    /// Gives a reload a random time within its window, as systemd's RandomizedDelaySec does.
    ///
    /// It is counted in its second, whatever the rate. The hash decides on the time.
    package mutating func takeUniform(
        _ id: UInt32,
        earliest: Int64,
        window: Int64,
        hash: UInt64
    ) -> Slot {
        statistics.taken += 1
        let window = UInt64(min(max(1, window), Self.windowLimit * 1_000))
        let at = min(max(0, earliest), Self.latest) + Int64(hash % window)
        let second = SecondCounts.second(of: at)
        seconds.addAnyway(second)
        return Slot(at: at, position: SlotPosition(second: second))
    }

    /// A reload with a slot is cancelled.
    ///
    /// - Returns: who has moved to its slot, if somebody has.
    package mutating func giveBack(_ position: SlotPosition, now: Int64) -> MovedSlot? {
        statistics.givenBack += 1
        if position.isWithoutGroup {
            seconds.release(position.index)
            return nil
        }
        let slot = checked(position)
        willChange(slot)
        let begin = groups[slot].hasBegunAt
        let moved = groups[slot].giveBack(
            position.index,
            mayMove: now < begin,
            mayRefill: now < begin + 1_000,
            &seconds
        )
        guard let moved else {
            if groups[slot].live == 0 { freeIfOver(slot, now) }
            return nil
        }
        let at = groups[slot].cell(position.index).at
        return MovedSlot(
            id: moved.id,
            slot: Slot(at: at, position: position),
            formerAt: moved.formerAt
        )
    }

    /// A reload has happened, or goes on as an immediate one: its second stays counted.
    package mutating func finish(_ position: SlotPosition, now: Int64) {
        statistics.finished += 1
        if position.isWithoutGroup { return }
        let slot = checked(position)
        willChange(slot)
        groups[slot].finish(position.index)
        if groups[slot].live == 0 { freeIfOver(slot, now) }
    }

    /// The group's slot of a position that holds a member.
    private func checked(_ position: SlotPosition) -> UInt32 {
        precondition(position.isInGroup, "there is no such slot position")
        precondition(position.slot < groups.end, "there is no such slot position")
        let isCurrent = groups[position.slot].holds(position.index, position.generation)
        precondition(isCurrent, "the slot has been given back or finished before")
        return position.slot
    }

    private mutating func takeWithoutGroup(
        _ id: UInt32,
        _ key: SlotGroupKey,
        _ earliest: Int64
    ) -> Slot {
        var hash = key.hash ^ UInt64(id) &* 0x9e37_79b9_7f4a_7c15
        hash = (hash ^ hash >> 32) &* 0xd6e8_feb8_6659_fd93
        let column = UInt32(truncatingIfNeeded: (hash >> 32) % UInt64(key.width))
        let end = key.second + key.width
        var second = seconds.firstWithRoom(from: key.second + column)
        if second >= end { second = seconds.firstWithRoom(from: key.second) }
        if second >= end { statistics.windowsGrown += 1 }
        seconds.addAnyway(second)
        let at = Int64(second) * 1_000 + Int64(hash & 1_023) * 1_000 / 1_024
        return Slot(
            at: second == key.second ? earliest : at,
            position: SlotPosition(second: second)
        )
    }

    // MARK: - Immediate reloads

    /// How many immediate reloads may go now; Int.max without a rate.
    package func permits(at now: Int64) -> Int {
        seconds.permits(at: now, undelayed: Int(undelayed))
    }

    /// Whether more immediate reloads have gone than the dated ones leave of this second: then a
    /// dated one has to wait too, if the rate is to hold.
    package func isOverdrawn(at now: Int64) -> Bool {
        seconds.isOverdrawn(at: now)
    }

    /// Counts immediate reloads that go now; more than `permits` said are a debt of the next seconds,
    /// `debtLimit` at most.
    package mutating func spend(_ count: Int, at now: Int64) {
        seconds.spend(count, at: now)
    }

    /// The first time after now at which an immediate reload may go, as things stand.
    package func nextPermit(after now: Int64) -> Int64 {
        seconds.nextPermit(after: now, undelayed: Int(undelayed))
    }

    // MARK: - Figures

    /// Groups that are held.
    package var groupCount: Int { Int(groups.end) - unused.count }

    /// Bytes held from the system, but for the untouched rest of the slab.
    package var byteCount: Int {
        var total = Int(groups.end) * MemoryLayout<SlotGroup>.stride
        total += unused.capacity * 4 + table.byteCount + seconds.byteCount
        for slot in 0..<groups.end { total += groups[slot].byteCount }
        return total
    }
}
