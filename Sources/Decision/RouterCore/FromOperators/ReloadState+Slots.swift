internal import Basics
internal import ReloadScheduling

/// Slots for dates of apps that hold no connection.
extension ReloadState {
    /// Assigns a slot to a date as to the date of a timeline of the kind; no widget holds the slot.
    mutating func takeSlot(
        for kind: KindID,
        wanted: WallTime,
        into out: inout Outbox
    ) -> AssignedSlot {
        assert(catalog.kinds.has(kind), "the kind was never declared")
        let rules = catalog.kinds[kind].rules
        // A date before 1970 counts as 1970, and one after the last date as the last date.
        let wanted = max(.zero, min(wanted, .lastDate))
        let date = max(wanted, clock.now.wall)
        let earliest = clock.schedule.schedule(wall: date)
        var delay = Milliseconds.zero
        if earliest < SlotLedger.latest,
            let slot = takeSlot(by: rules, earliest: earliest, date: date, into: &out)
        {
            origins[rules.origin].ledger.finish(slot.position, now: clock.schedule.now)
            origins[rules.origin].unownedSlots.add(date)
            delay = max(.zero, slot.at - earliest)
        }
        return AssignedSlot(reloadAt: date + delay, slotDelay: date + delay - wanted)
    }

    /// Takes a slot by a kind's rules; nil if the kind's dates are not spread.
    private mutating func takeSlot(
        by rules: KindRules,
        earliest: ScheduleTime,
        date: WallTime,
        into out: inout Outbox
    ) -> Slot? {
        switch rules.mode {
        case .none: return nil
        case .uniform:
            // The hash differs for each slot, and is the same when the journal is replayed.
            let assigned = UInt64(origins[rules.origin].ledger.counters.assigned)
            let salt = UInt64(bitPattern: date.rawValue) ^ 0x9e37_79b9_7f4a_7c15
            return origins[rules.origin].ledger.assignUniform(
                earliest: earliest,
                window: rules.window,
                hash: foldedProduct(salt &+ assigned, by: 0xe703_7ed1_a0b4_28db)
            )
        case .ledger:
            let before = origins[rules.origin].ledger.counters.windowsGrown
            let slot = origins[rules.origin].ledger.assign(
                .first,
                earliest: earliest,
                window: rules.window,
                isFixed: true,
                now: clock.schedule.now
            )
            let grown = origins[rules.origin].ledger.counters.windowsGrown - before
            out.observer.counters.windowsGrown &+= UInt64(grown)
            return slot
        }
    }
}
