internal import DataStructures

/// When the reloads of a ledger are due.
extension SlotLedger {
    /// When the reload at a position is due, in ms of schedule time; nil if the ledger has no such
    /// reload. Without a group only the second is known.
    package func time(of position: SlotPosition) -> Int64? {
        if position.isNone { return nil }
        if position.isWithoutGroup { return Int64(position.index) * 1_000 }
        guard position.isInGroup, position.slot < groups.end,
            groups[position.slot].holds(position.index, generation: position.generation)
        else { return nil }
        return groups[position.slot].cell(position.index).at
    }

    /// How long after its date the reload at a position is due, in ms; 0 if the ledger does not
    /// know the date. If reloads with different milliseconds share the group, the result may be up
    /// to a second too low.
    package func delay(of position: SlotPosition) -> Int64 {
        guard position.isInGroup, let time = time(of: position) else { return 0 }
        let group = groups[position.slot]
        let offset = group.hasMixedOffsets ? 999 : Int64(group.offset)
        return max(0, time - group.startsAt - offset)
    }
}
