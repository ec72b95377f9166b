internal import ByteStorage

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
}
