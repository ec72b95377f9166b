package import Basics

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
