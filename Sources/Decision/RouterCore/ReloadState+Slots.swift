internal import DataStructures
internal import ReloadModel
internal import ReloadScheduling

/// Slots for those who hold no connection.
extension ReloadState {
    mutating func takeSlot(_ kind: KindID, _ wanted: Int64, _ out: inout Outbox) -> GivenSlot {
        let rules = catalog.kinds[Int(kind)].rules
        // What lies before 1970 or after the last date is taken for these.
        let wanted = max(0, min(wanted, Self.lastDate))
        let date = max(wanted, clock.now.wall)
        let earliest = clock.schedule.schedule(wall: date)
        var delay: Int64 = 0
        if earliest < SlotLedger.latest, let slot = takeSlot(rules, earliest, date, &out) {
            origins[rules.origin].ledger.finish(slot.position, now: clock.schedule.now)
            origins[rules.origin].unheld.add(date)
            delay = max(0, slot.at - earliest)
        }
        return GivenSlot(reloadAt: date + delay, slotDelay: date + delay - wanted)
    }

    /// Nil if the kind's dates are not spread.
    private mutating func takeSlot(
        _ rules: KindRules,
        _ earliest: Int64,
        _ date: Int64,
        _ out: inout Outbox
    ) -> Slot? {
        switch rules.mode {
        case .none: return nil
        case .uniform:
            // Another time for each, and the same one when the journal is read.
            let taken = UInt64(origins[rules.origin].ledger.statistics.taken)
            let salt = UInt64(bitPattern: date) ^ 0x9e37_79b9_7f4a_7c15
            return origins[rules.origin].ledger.takeUniform(
                0,
                earliest: earliest,
                window: rules.window,
                hash: foldedProduct(salt &+ taken, 0xe703_7ed1_a0b4_28db)
            )
        case .ledger:
            let before = origins[rules.origin].ledger.statistics.windowsGrown
            let slot = origins[rules.origin].ledger.take(
                0,
                earliest: earliest,
                window: rules.window,
                isFixed: true,
                now: clock.schedule.now
            )
            let grown = origins[rules.origin].ledger.statistics.windowsGrown - before
            out.observer.counters.windowsGrown &+= UInt64(grown)
            return slot
        }
    }
}
