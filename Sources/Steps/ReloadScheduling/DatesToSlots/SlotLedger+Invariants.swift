package import Basics

extension SlotLedger {
    /// Checks the ledger's indexes of groups against each other: each open group is found by its
    /// key and is in the list of its page, once; a group without members is freed; and no second
    /// has more members than it counts.
    ///
    /// - Complexity: proportional to the entries of all groups.
    package func checkInvariants() throws(InvariantViolation) {
        try checkPart("SlotLedger", by: seconds.checkInvariants())
        try checkPart("SlotLedger", by: table.checkInvariants())
        try checkPart("SlotLedger", by: unwritten.checkInvariants())
        try checkPart("SlotLedger", by: groups.checkInvariants())
        try checkUnused()
        try checkGroups()
        try checkLists()
    }

    /// The widget whose reload is at a position; nil if the position has none, or only counts in
    /// its second.
    package func member(at position: SlotPosition) -> WidgetID? {
        guard position.isInGroup, groups.has(position.slot),
            groups[position.slot].contains(position.index, generation: position.generation)
        else { return nil }
        return WidgetID(rawValue: SlotEntry.id(groups[position.slot].entries[position.index]))
    }

    /// How many reloads may be sent in a second, by all partitions together; nil for no limit.
    package var perSecond: Int? { seconds.isUnlimited ? nil : Int(seconds.rates.whole) }

    /// Checks that the slots listed as unused have no groups, and that `lastGroup` is open.
    private func checkUnused() throws(InvariantViolation) {
        for slot in unused {
            try checkInvariant(
                groups.has(slot) && !groups[slot].isInUse && groups[slot].live == 0,
                otherwise: "slot \(slot) has a group, and is listed as unused"
            )
        }
        var inUse = 0
        for slot in groups.ids where groups[slot].isInUse { inUse += 1 }
        try checkInvariant(
            Set(unused).count == unused.count && inUse == groupCount,
            otherwise: "\(inUse) groups are in use and \(unused.count) slots unused, "
                + "of \(groups.end)"
        )
        try checkInvariant(
            lastGroup.isNone
                || groups.has(lastGroup) && groups[lastGroup].isInUse
                    && !groups[lastGroup].isClosed,
            otherwise: "group \(lastGroup), which was joined last, is not open"
        )
    }

    /// Checks the groups, and the members that each second counts.
    private func checkGroups() throws(InvariantViolation) {
        var (open, live) = (0, 0)
        var claims = SecondClaims(seconds)
        for slot in groups.ids where groups[slot].isInUse {
            let group = groups[slot]
            try group.checkInvariants()
            live += Int(claims.add(group, in: seconds))
            try checkInvariant(
                group.live > 0 || group.hasFinished && !group.isClosed,
                otherwise: "group \(slot) has no members, and is not freed"
            )
            if group.isClosed { continue }
            open += 1
            let key = group.key
            let found = table.find(tableKey(key), where: { groups[$0].matches(key) })
            try checkInvariant(found == slot, otherwise: "group \(slot) is not found by its key")
        }
        try checkInvariant(
            open == table.count,
            otherwise: "\(open) groups are open, and the table has \(table.count)"
        )
        try checkInvariant(
            claims.areMet(seconds),
            otherwise: "a second has more members than it counts"
        )
        try checkInvariant(
            live <= counters.pending && unnamedCount >= 0,
            otherwise: "\(live) members are in groups, and \(counters.pending) are pending"
        )
    }

    /// Follows the lists of all pages.
    private func checkLists() throws(InvariantViolation) {
        var count = 0
        for page in seconds.pages.elements {
            guard let number = page.number else { continue }
            var previous = GroupSlot.none
            var slot = page.firstGroup
            while !slot.isNone {
                count += 1
                let isListed =
                    count <= table.count && groups.has(slot) && groups[slot].isInUse
                    && !groups[slot].isClosed && groups[slot].previous == previous
                    && groups[slot].second >> SecondCounts.pageBits == number
                try checkInvariant(
                    isListed,
                    otherwise: "the list of page \(number) has group \(slot) after "
                        + "\(previous), which is not its neighbour"
                )
                (previous, slot) = (slot, groups[slot].next)
            }
        }
        try checkInvariant(
            count == table.count,
            otherwise: "\(count) groups are in the lists of pages, and \(table.count) are open"
        )
    }
}
