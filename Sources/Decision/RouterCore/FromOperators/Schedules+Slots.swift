internal import Basics
internal import ReloadScheduling

/// Slots for dates of apps that hold no connection.
extension Schedules {
    /// Assigns slots to dates by the rules of a kind, in the order of the dates; `out` gets them.
    mutating func takeSlots(
        for dates: Span<WallTime>,
        by rules: KindRules,
        clock: StateClock,
        into out: inout Outbox
    ) {
        out.assignedSlots.removeAll(keepingCapacity: true)
        for index in dates.indices {
            let slot = takeSlot(for: dates[index], by: rules, clock: clock, into: &out)
            out.assignedSlots.append(slot)
        }
    }

    /// Assigns a slot to a date as to the date of a timeline; no widget holds the slot.
    private mutating func takeSlot(
        for wanted: WallTime,
        by rules: KindRules,
        clock: StateClock,
        into out: inout Outbox
    ) -> AssignedSlot {
        // A date before 1970 counts as 1970, and one after the last date as the last date.
        let wanted = max(.zero, min(wanted, .lastDate))
        let date = max(wanted, clock.now.wall)
        let earliest = clock.schedule.schedule(wall: date)
        var delay = Milliseconds.zero
        if earliest < SlotLedger.latest {
            // The hash differs for each slot, and is the same when the journal is replayed.
            let assigned = UInt64(origins[rules.origin].ledger.counters.assigned)
            let salt = UInt64(bitPattern: date.rawValue) ^ 0x9e37_79b9_7f4a_7c15
            let slot = takeSlot(
                for: .first,
                by: rules,
                earliest: earliest,
                hash: foldedProduct(salt &+ assigned, by: 0xe703_7ed1_a0b4_28db),
                isFixed: true,
                now: clock.schedule.now,
                into: &out
            )
            if let slot {
                origins[rules.origin].ledger.finish(
                    slot.position,
                    now: clock.schedule.now
                )
                origins[rules.origin].unownedSlots.add(date)
                delay = max(.zero, slot.at - earliest)
            }
        }
        return AssignedSlot(reloadAt: date + delay, slotDelay: date + delay - wanted)
    }
}
