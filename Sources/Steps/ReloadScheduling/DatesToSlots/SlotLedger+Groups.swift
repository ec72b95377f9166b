package import Basics

/// How groups are made, found, closed and freed.
///
/// A group can be joined until the end of the second of its date, because a date that has passed
/// counts as now. It is freed with its last member, with one exception: before the end of that
/// second, if one of its members has reloaded, it stays, so that its seconds are not assigned
/// again from the start.
extension SlotLedger {
    /// Kinds have few different windows; the walks of this many are kept.
    private static var walkLimit: Int { 16 }

    /// The index of the group with a key, made if need be; `none` if there are too many groups.
    @inline(__always)
    mutating func group(_ key: SlotGroupKey, offset: UInt32, undelayed: UInt32) -> GroupSlot {
        if !lastGroup.isNone && groups[lastGroup].matches(key) { return lastGroup }
        return findOrAddGroup(key, offset: offset, undelayed: undelayed)
    }

    /// Does what `group` does, for another group than the one joined last.
    @inline(never)
    private mutating func findOrAddGroup(
        _ key: SlotGroupKey,
        offset: UInt32,
        undelayed: UInt32
    ) -> GroupSlot {
        let hash = tableKey(key)
        if let slot = table.find(hash, where: { groups[$0].matches(key) }) {
            lastGroup = slot
            return slot
        }
        let slot: GroupSlot
        if let old = unused.popLast() {
            slot = old
            copyBeforeWrite(slot)
            groups[slot] = SlotGroup(
                key,
                walk: walk(key.width),
                offset: offset,
                undelayed: undelayed,
                after: groups[slot]
            )
        } else {
            if groupCount == Self.groupLimit { return .none }
            slot = groups.insert(
                SlotGroup(
                    key,
                    walk: walk(key.width),
                    offset: offset,
                    undelayed: undelayed,
                    after: nil
                )
            )
        }
        table.insert(hash, number: slot)
        link(slot)
        lastGroup = slot
        return slot
    }

    /// The group's key in `table`. `key.hash` is not used, because devices could choose dates that
    /// collide.
    func tableKey(_ key: SlotGroupKey) -> UInt32 {
        let hash = hashKey.hash(
            UInt64(key.second) << 32 | UInt64(key.width),
            and: UInt64(key.span) << 32 | UInt64(key.offset)
        )
        return UInt32(truncatingIfNeeded: hash)
    }

    /// The walk for a window of this many seconds.
    mutating func walk(_ width: UInt32) -> WindowWalk {
        for walk in walks where walk.width.value == width { return walk }
        let walk = WindowWalk(width: width)
        if walks.count == Self.walkLimit { walks.removeFirst() }
        walks.append(walk)
        return walk
    }

    // MARK: - The end

    /// Frees a group without members, unless a new group with its key would assign slots again
    /// that members have already used.
    mutating func freeUnlessReserved(_ slot: GroupSlot, now: ScheduleTime) {
        assert(groups[slot].live == 0)
        if groups[slot].isClosed {
            free(slot)
        } else if !groups[slot].hasFinished || now >= groups[slot].startsAt + .seconds(1) {
            unlink(slot)
            closeGroup(slot)
        }
    }

    /// Forgets the pages of seconds that lie before `now`, and closes their groups, which no member
    /// can join any more. To be called about once a second.
    package mutating func pass(_ now: ScheduleTime) {
        seconds.settle(now)
        let second = SecondCounts.second(of: now)
        var cursor = 0
        while let page = seconds.nextForgettablePage(before: second, cursor: &cursor) {
            var slot = seconds.firstGroup(ofPage: page)
            while !slot.isNone {
                let next = groups[slot].next
                closeGroup(slot)
                slot = next
            }
            seconds.free(page: page)
        }
        seconds.forget(before: second)
    }

    /// Closes a group: it is no longer found, and is freed once it has no members.
    private mutating func closeGroup(_ slot: GroupSlot) {
        assert(groups[slot].isInUse && !groups[slot].isClosed, "the group is closed already")
        table.remove(tableKey(groups[slot].key), number: slot)
        if lastGroup == slot { lastGroup = GroupSlot.none }
        copyBeforeWrite(slot)
        groups[slot].isClosed = true
        if groups[slot].live == 0 { free(slot) }
    }

    /// Empties a group without members, and makes its slot available.
    private mutating func free(_ slot: GroupSlot) {
        assert(groups[slot].isInUse && lastGroup != slot, "a group is freed that can be found")
        groups[slot].close()
        unused.append(slot)
    }

    // MARK: - The groups of a page of seconds

    /// Puts a group at the beginning of the list of the page in which its date lies.
    private mutating func link(_ slot: GroupSlot) {
        assert(!seconds.isForgotten(groups[slot].second), "a group's date is over")
        let second = groups[slot].second
        let first = seconds.firstGroup(at: second)
        groups[slot].next = first
        if !first.isNone { groups[first].previous = slot }
        seconds.setFirstGroup(slot, at: second)
    }

    /// Removes a group from the list of its page.
    private mutating func unlink(_ slot: GroupSlot) {
        assert(!groups[slot].isClosed, "a closed group is in no list")
        let (previous, next) = (groups[slot].previous, groups[slot].next)
        if !next.isNone { groups[next].previous = previous }
        if !previous.isNone {
            copyBeforeWrite(previous)
            groups[previous].next = next
        } else {
            seconds.setFirstGroup(next, at: groups[slot].second)
        }
    }
}
