package import Basics

/// The reloads of one origin by second: decides when each reload is sent, so that the origin sees
/// an even load. The router keeps one ledger for each origin.
///
///     scheduled reload ─► group of its date and window ─► entry of the group's matrix ─► second
///                                                                                       ▲
///     immediate reload ─────────────────────────────── permits, spend ──────────────────┘
///
/// A scheduled reload gets a slot as soon as its date is known: never before the date, within the
/// window, in a second that has not reached the origin's rate (`SlotGroup`). Immediate reloads get
/// what the scheduled ones leave (`SecondCounts`). When a reload is cancelled, its slot is released
/// and the last reload of its group moves into it, so that the load stays even.
///
/// Nothing in the ledger is random: the same calls give the same slots, so that a restart that
/// replays them changes no time that was already announced.
package struct SlotLedger: ~Copyable {
    /// The longest window; a longer one is cut to it.
    package static var windowLimit: Milliseconds { .days(1) }
    /// The largest number of groups at a time.
    ///
    /// Beyond it, a reload that would need a further group is placed in its window by a hash, in a
    /// second with capacity.
    package static var groupLimit: Int { 1 << Int(SlotPosition.slotBits) }
    /// The largest number of a group's members that are not delayed; a higher one is cut to it.
    package static var undelayedLimit: Int { 10_000 }
    /// How long immediate reloads beyond the rate can delay later ones at most.
    ///
    /// A debt that is not repaid by then is forgiven.
    package static var debtLimit: Milliseconds { .seconds(10) }
    /// The latest date, in the year 2096 if schedule time is wall time; a later one is cut to it.
    package static var latest: ScheduleTime { ScheduleTime(second: SecondCounts.lastSecond) }

    var seconds: SecondCounts
    /// How many reloads with the same date are not delayed.
    var undelayed: ShareOfSeconds
    /// Whose share of the rate it plans with.
    package let partition: Partition
    var groups = Slab<GroupSlot, SlotGroup>()
    /// Indexes in `groups` that hold no group; the next to be used is last.
    var unused = ContiguousArray<GroupSlot>()
    /// The open groups by `tableKey`.
    var table: NumberTable
    let hashKey: HashKey
    /// The group that was joined last; `none` if that was closed or there is none.
    var lastGroup = GroupSlot.none
    /// The most recently made walks: see `walk`.
    var walks = ContiguousArray<WindowWalk>()
    /// What the ledger has done since it was first made; stored with it.
    package internal(set) var counters = SlotCounters()
    /// Members of a ledger read from a store that `nameMember` has not named yet.
    package internal(set) var unnamedCount = 0
    /// The groups, by their slots, that the running checkpoint has not written yet.
    var unwritten = UnwrittenPieces<GroupSlot>()
    /// The first entry not yet written of the next group to write.
    var firstUnwrittenEntry: UInt32 = 0

    /// The origin's rate is at least 1; nil if it has none. Of the reloads with the same date,
    /// `undelayed` are not delayed, up to `undelayedLimit`. Both are those of all partitions.
    /// Without knowing the hash key, a secret, dates whose groups are slow to find cannot be
    /// chosen; no slot depends on it.
    package init(
        perSecond: Int?,
        undelayed: Int,
        for partition: Partition = .only,
        hashKey: HashKey
    ) {
        seconds = SecondCounts(rate: Self.rate(perSecond), for: partition, hashKey: hashKey)
        self.partition = partition
        table = NumberTable(hashKey: hashKey)
        self.hashKey = hashKey
        self.undelayed = Self.undelayed(undelayed, for: partition)
    }

    deinit {
        for slot in groups.ids { unsafe groups[slot].deallocate() }
    }

    /// Changes the settings from now on; slots already assigned stay.
    package mutating func change(perSecond: Int?, undelayed: Int) {
        seconds.change(rate: Self.rate(perSecond))
        self.undelayed = Self.undelayed(undelayed, for: partition)
    }

    /// The rate as `SecondCounts` has it: `UInt32.max` for nil.
    private static func rate(_ perSecond: Int?) -> UInt32 {
        guard let perSecond else { return .max }
        precondition(perSecond > 0, "an origin's rate is at least 1 a second")
        return UInt32(min(perSecond, Int(UInt32.max) - 1))
    }

    /// A partition's share of a count that is clamped to 0 through `undelayedLimit`.
    private static func undelayed(_ count: Int, for partition: Partition) -> ShareOfSeconds {
        ShareOfSeconds(of: UInt32(max(0, min(count, undelayedLimit))), for: partition)
    }

    // MARK: - Scheduled reloads

    /// Assigns a scheduled reload its slot, in [earliest, earliest + window) unless all seconds of
    /// the window are full. A date that has passed counts as now; from one second up, only whole
    /// seconds of the window are used. The number of the widget is below 2^31 - 4; `release`
    /// returns it when the reload moves to another slot, which a fixed one never does, because its
    /// time has been announced.
    package mutating func assign(
        _ widget: WidgetID,
        earliest: ScheduleTime,
        window: Milliseconds,
        isFixed: Bool,
        now: ScheduleTime
    ) -> Slot {
        seconds.settle(now)
        counters.assigned += 1
        let entry = SlotEntry.member(widget.rawValue, isFixed: isFixed)
        let earliest = min(max(earliest, now, .zero), Self.latest)
        let second = SecondCounts.second(of: earliest)
        let offset = UInt32(earliest.rawValue % 1_000)
        let limit = Self.windowLimit.wholeSeconds
        let width = UInt32(min(max(1, window.wholeSeconds), limit))
        let key = SlotGroupKey(
            second: second,
            width: width,
            span: UInt32(min(max(.zero, window), .seconds(1)).rawValue),
            offset: width == 1 ? offset : 0
        )
        let slot = group(key, offset: offset, undelayed: undelayed[second])
        if slot.isNone { return assignWithoutGroup(widget, key: key, earliest: earliest) }
        copyBeforeWrite(slot)
        if groups[slot].offset != offset { groups[slot].hasMixedOffsets = true }
        let (index, cell, hasGrown) = groups[slot].place(entry, in: &seconds)
        if hasGrown { counters.windowsGrown += 1 }
        let generation = groups[slot].generation
        return Slot(
            at: cell.kind == .undelayed ? earliest : cell.at,
            position: SlotPosition(slot: slot, generation: generation, index: index)
        )
    }

    /// Assigns a reload a random time within its window, as systemd's RandomizedDelaySec does.
    ///
    /// The hash determines the time. The reload counts in its second, even if that is full.
    package mutating func assignUniform(
        earliest: ScheduleTime,
        window: Milliseconds,
        hash: UInt64
    ) -> Slot {
        counters.assigned += 1
        let window = min(max(.milliseconds(1), window), Self.windowLimit)
        let delay = Milliseconds(hash % UInt64(window.rawValue))
        let at = min(max(.zero, earliest), Self.latest) + delay
        let second = SecondCounts.second(of: at)
        seconds.addAnyway(second)
        return Slot(at: at, position: SlotPosition(second: second))
    }

    /// Releases the slot of a cancelled reload, and returns the reload that was moved into the
    /// slot, if one was; traps if the position has no reload.
    package mutating func release(_ position: SlotPosition, now: ScheduleTime) -> MovedSlot? {
        counters.released += 1
        assert(counters.pending >= 0, "more slots end than were assigned")
        if position.isWithoutGroup {
            seconds.release(position.index)
            return nil
        }
        let slot = checked(position)
        copyBeforeWrite(slot)
        let begin = groups[slot].startsAt
        let moved = groups[slot].release(
            position.index,
            mayMove: now < begin,
            mayRefill: now < begin + .seconds(1),
            in: &seconds
        )
        guard let moved else {
            if groups[slot].live == 0 { freeUnlessReserved(slot, now: now) }
            return nil
        }
        let at = groups[slot].cell(position.index).at
        return MovedSlot(
            widget: WidgetID(rawValue: moved.id),
            slot: Slot(at: at, position: position),
            formerAt: moved.formerAt
        )
    }

    /// Ends the use of a slot whose reload was sent or turned into an immediate one; the reload
    /// still counts in its second. Traps if the position has no reload.
    package mutating func finish(_ position: SlotPosition, now: ScheduleTime) {
        counters.finished += 1
        if position.isWithoutGroup { return }
        let slot = checked(position)
        copyBeforeWrite(slot)
        groups[slot].finish(position.index)
        if groups[slot].live == 0 { freeUnlessReserved(slot, now: now) }
    }

    /// The slab slot of the group at a position; traps unless the position has a member.
    private func checked(_ position: SlotPosition) -> GroupSlot {
        precondition(position.isInGroup, "there is no such slot position")
        precondition(groups.has(position.slot), "there is no such slot position")
        let isCurrent = groups[position.slot].contains(
            position.index,
            generation: position.generation
        )
        precondition(isCurrent, "the slot was released or finished before")
        return position.slot
    }

    /// Assigns a time by a hash of the widget's number, for a reload whose date has no group,
    /// because there are too many. The time is in its window if a second there has capacity, else
    /// after it.
    private mutating func assignWithoutGroup(
        _ widget: WidgetID,
        key: SlotGroupKey,
        earliest: ScheduleTime
    ) -> Slot {
        var hash = key.hash ^ UInt64(widget.rawValue) &* 0x9e37_79b9_7f4a_7c15
        hash = (hash ^ hash >> 32) &* 0xd6e8_feb8_6659_fd93
        let column = UInt32(truncatingIfNeeded: (hash >> 32) % UInt64(key.width))
        let end = key.second + key.width
        var second = seconds.firstWithRoom(from: key.second + column)
        if second >= end { second = seconds.firstWithRoom(from: key.second) }
        if second >= end { counters.windowsGrown += 1 }
        seconds.addAnyway(second)
        let at = ScheduleTime(second: second) + Milliseconds((hash & 1_023) * 1_000 / 1_024)
        return Slot(
            at: second == key.second ? earliest : at,
            position: SlotPosition(second: second)
        )
    }

    // MARK: - Immediate reloads

    /// How many immediate reloads may be sent now; `Int.max` without a rate.
    package func permits(at now: ScheduleTime) -> Int {
        seconds.permits(at: now, undelayed: undelayed)
    }

    /// Whether more immediate reloads were sent than the scheduled ones leave of this second. Then
    /// a scheduled reload has to wait too, if the rate is to hold.
    package func isOverdrawn(at now: ScheduleTime) -> Bool { seconds.isOverdrawn(at: now) }

    /// Counts immediate reloads that are sent now. Those beyond `permits` are a debt of the next
    /// seconds, at most `debtLimit` of them.
    package mutating func spend(_ count: Int, at now: ScheduleTime) {
        seconds.spend(count, at: now)
    }

    /// Lends permits of the present second, at most `permits`, to another partition, which gets
    /// them by `borrow` later: they count as spent.
    package mutating func lend(_ count: Int, at now: ScheduleTime) {
        seconds.lend(count, at: now)
    }

    /// Adds permits of the present second that another partition has lent. What is not spent in
    /// this second is lost.
    package mutating func borrow(_ count: Int, at now: ScheduleTime) {
        seconds.borrow(count, at: now)
    }

    /// The second of a time: permits are lent and borrowed within one.
    package static func second(of time: ScheduleTime) -> UInt32 { SecondCounts.second(of: time) }

    /// The first time after `now` at which an immediate reload may be sent, if no further reloads
    /// are planned or sent until then.
    package func nextPermit(after now: ScheduleTime) -> ScheduleTime {
        seconds.nextPermit(after: now, undelayed: undelayed)
    }

    // MARK: - Metrics

    /// The number of groups in use.
    package var groupCount: Int { Int(groups.end) - unused.count }

    /// Bytes allocated from the system, without the unused rest of the slab.
    package var byteCount: Int {
        var total = Int(groups.end) * MemoryLayout<SlotGroup>.stride
        total += unused.capacity * 4 + table.byteCount + seconds.byteCount
        for slot in groups.ids { total += groups[slot].byteCount }
        return total
    }
}

/// When the reloads of a ledger are due.
extension SlotLedger {
    /// When the reload at a position is due; nil if the ledger has no such reload. Without a
    /// group only the second is known.
    package func time(of position: SlotPosition) -> ScheduleTime? {
        if position.isNone { return nil }
        if position.isWithoutGroup { return ScheduleTime(second: position.index) }
        guard position.isInGroup, groups.has(position.slot),
            groups[position.slot].contains(position.index, generation: position.generation)
        else { return nil }
        return groups[position.slot].cell(position.index).at
    }

    /// How long after its date the reload at a position is due; 0 if the ledger does not know
    /// the date. If reloads with different milliseconds share the group, the result may be up
    /// to a second too low.
    package func delay(of position: SlotPosition) -> Milliseconds {
        guard position.isInGroup, let time = time(of: position) else { return .zero }
        let group = groups[position.slot]
        let offset = Milliseconds(group.hasMixedOffsets ? 999 : group.offset)
        return max(.zero, time - group.startsAt - offset)
    }
}
