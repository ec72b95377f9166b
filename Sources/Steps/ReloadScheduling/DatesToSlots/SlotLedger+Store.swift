package import Basics
package import StoreFormat

/// The stored form of a ledger: what later calls depend on.
///
///     undelayed, of all partitions                 32 bits
///     counters                                     see `SlotCounters`
///     slots of groups │ of these, unused ones      32 + 32
///     the unused slots, the next to be used last   32 each
///     seconds                                      see `SecondCounts`
///     groups, slot by slot                         see `SlotGroup`
///
/// What follows from the rest is left out: tables, walks, the links back, how many members a group
/// has, and which group was joined last. The ids of the members are left out too: each widget
/// stores its `SlotPosition`, and its owner registers it again with `nameMember`.
extension SlotLedger {
    /// Writes the whole ledger.
    package func write(to writer: inout StoreWriter) {
        writeHead(to: &writer)
        for page in seconds.pages.ids { seconds.write(page: page, to: &writer) }
        for slot in groups.ids { groups[slot].write(to: &writer) }
    }

    /// Writes what comes before pages and groups.
    func writeHead(to writer: inout StoreWriter) {
        writer.put(undelayed.whole)
        counters.write(to: &writer)
        writer.put(groups.end)
        writer.put(UInt32(unused.count))
        writer.put(numbers: unused.span)
        seconds.writeHead(to: &writer)
    }

    /// Reads a ledger from the first byte that `write` wrote up to the last. Once all members are
    /// named, no call traps on it that would have been valid on the ledger that was written. Only
    /// their owners know the positions without a group: with damaged bytes, a second may count
    /// fewer reloads than there are such positions in it. The hash key may differ from the one
    /// before.
    ///
    /// - Throws: `corrupt` if the bytes are cut off or impossible.
    package init(
        reading reader: inout StoreReader,
        for partition: Partition = .only,
        hashKey: HashKey
    ) throws(StoreError) {
        self.init(perSecond: nil, undelayed: 0, for: partition, hashKey: hashKey)
        undelayed = ShareOfSeconds(of: try reader.read(UInt32.self), for: partition)
        if undelayed.whole > UInt32(Self.undelayedLimit) {
            throw reader.corrupt("\(undelayed.whole) reloads that are not delayed")
        }
        counters = try SlotCounters(reading: &reader)
        let end = try readSlots(&reader)
        seconds = try SecondCounts(reading: &reader, for: partition, hashKey: hashKey)
        try readGroups(&reader, upTo: end)
        try joinGroups(reader)
    }

    /// The beginning of the ledger's current second. The `now` of a later call must not be before
    /// it.
    package var time: ScheduleTime { ScheduleTime(second: seconds.current) }

    // MARK: - Members

    /// Registers a member of a ledger that was read, at the position its owner has stored, with the
    /// values with which its slot was acquired. Returns false if the position is impossible, or is
    /// another member's already.
    package mutating func nameMember(
        _ widget: WidgetID,
        isFixed: Bool,
        at position: SlotPosition
    ) -> Bool {
        if position.isWithoutGroup {
            return seconds.isForgotten(position.index) || seconds.planned(position.index) > 0
        }
        guard widget.rawValue < SlotEntry.idLimit, position.isInGroup, groups.has(position.slot),
            groups[position.slot].contains(position.index, generation: position.generation),
            groups[position.slot].entries[position.index] == SlotEntry.unnamed
        else { return false }
        groups[position.slot].entries[position.index] = SlotEntry.member(
            widget.rawValue,
            isFixed: isFixed
        )
        unnamedCount -= 1
        return true
    }

    // MARK: - Groups

    /// Reads how many slots for groups there are, and which of them are unused.
    private mutating func readSlots(_ reader: inout StoreReader) throws(StoreError) -> UInt32 {
        let end = try reader.read(UInt32.self)
        let unusedCount = try reader.read(UInt32.self)
        let byteCount = Int(unusedCount) * 4 + Int(end) * SlotGroupHeader.unusedByteCount
        if end > UInt32(Self.groupLimit) || unusedCount > end || byteCount > reader.remainingCount {
            throw reader.corrupt("a ledger's \(end) groups are cut off")
        }
        unused = try reader.read(numbers: Int(unusedCount))
        return end
    }

    /// Reads the groups, slot by slot, and checks their members against the seconds' counts.
    private mutating func readGroups(
        _ reader: inout StoreReader,
        upTo end: UInt32
    ) throws(StoreError) {
        if end == 0 { return }
        groups.reserve(
            through: GroupSlot(rawValue: end - 1),
            filling: SlotGroup(.unused, walk: walk(1))
        )
        var claims = SecondClaims(seconds)
        for slot in NumberRange<GroupSlot>(count: Int(end)) {
            let header = try SlotGroupHeader(reading: &reader)
            groups[slot] = SlotGroup(header, walk: walk(header.width))
            if !header.isInUse { continue }
            try groups[slot].readArrays(&reader, of: header)
            groups[slot].live = claims.add(groups[slot], in: seconds)
            unnamedCount += Int(groups[slot].live)
        }
        if !claims.areMet(seconds) { throw reader.corrupt("a group's members cannot be") }
    }

    /// Enters the groups into the table and links them into the lists of their pages.
    private mutating func joinGroups(_ reader: StoreReader) throws(StoreError) {
        table = NumberTable(hashKey: hashKey, roomFor: groupCount)
        var inUse: UInt32 = 0
        var pending = 0
        for slot in groups.ids where groups[slot].isInUse {
            inUse += 1
            pending += Int(groups[slot].live)
            // A group is freed with its last member, unless its slots must not be assigned again.
            let mayBeEmpty = groups[slot].hasFinished && !groups[slot].isClosed
            if groups[slot].live == 0 && !mayBeEmpty { throw reader.corrupt("an empty group") }
            if !groups[slot].isClosed { try enter(slot, from: reader) }
        }
        if pending > counters.pending { throw reader.corrupt("more in groups than are pending") }
        if Int(inUse) + unused.count != Int(groups.end) {
            throw reader.corrupt("a ledger's slots of groups do not sum up")
        }
        try linkGroups(reader)
        try checkUnused(reader)
    }

    /// Enters an open group into the table; throws if there is another one with its key.
    private mutating func enter(_ slot: GroupSlot, from reader: StoreReader) throws(StoreError) {
        let key = groups[slot].key
        let hash = tableKey(key)
        if table.find(hash, where: { groups[$0].matches(key) }) != nil {
            throw reader.corrupt("two groups with one date and window")
        }
        table.insert(hash, number: slot)
    }

    /// Follows the lists of all pages; each open group must occur exactly once.
    private mutating func linkGroups(_ reader: StoreReader) throws(StoreError) {
        var count = 0
        for page in seconds.pages.elements where page.number != nil {
            var previous = GroupSlot.none
            var slot = page.firstGroup
            while !slot.isNone {
                count += 1
                let isPossible =
                    count <= table.count && groups.has(slot) && groups[slot].isInUse
                    && !groups[slot].isClosed
                    && groups[slot].second >> SecondCounts.pageBits == page.number
                if !isPossible { throw reader.corrupt("group \(slot) is not in its page") }
                groups[slot].previous = previous
                (previous, slot) = (slot, groups[slot].next)
            }
        }
        if count != table.count { throw reader.corrupt("a group is in no page") }
    }

    /// Checks that the list of unused slots has only slots without a group, each once.
    private mutating func checkUnused(_ reader: StoreReader) throws(StoreError) {
        for slot in unused {
            // `live` serves as the mark of slots already met; only groups have a value there.
            if !groups.has(slot) || groups[slot].isInUse || groups[slot].live > 0 {
                throw reader.corrupt("slot \(slot) is wrongly listed as unused")
            }
            groups[slot].live = 1
        }
        for slot in unused { groups[slot].live = 0 }
    }
}
