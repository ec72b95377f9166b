internal import DataStructures

/// When places are due.
extension SlotLedger {
    /// When a place is due, in ms of schedule time.
    package func time(of position: SlotPosition) -> Int64? {
        if position.isNone { return nil }
        if position.isWithoutGroup { return Int64(position.index) * 1_000 }
        guard position.isInGroup, position.slot < groups.end,
            groups[position.slot].holds(position.index, position.generation)
        else { return nil }
        return groups[position.slot].cell(position.index).at
    }

    /// How long after its date a place is due, in ms: at most a second less if dates of the same second
    /// share its group, and 0 if the ledger does not know the date.
    package func delay(of position: SlotPosition) -> Int64 {
        guard position.isInGroup, let time = time(of: position) else { return 0 }
        let group = groups[position.slot]
        let offset = group.isMixed ? 999 : Int64(group.offset)
        return max(0, time - group.hasBegunAt - offset)
    }
}
