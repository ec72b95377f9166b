internal import Basics
internal import ReloadScheduling

/// The slots of widgets' dates.
extension Schedules {
    /// Assigns a slot to a widget as its kind's reloads are spread, and sets `timelineAt`, which is
    /// never before `date`.
    mutating func takeSlot(
        for widget: WidgetID,
        at date: WallTime,
        isFixed: Bool,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog,
        clock: StateClock,
        into out: inout Outbox
    ) {
        assert(widgets[widget].slot.isNone, "the widget has a slot already")
        let rules = catalog.rules(of: widget, in: delivery)
        let earliest = clock.schedule.schedule(wall: date)
        if earliest >= SlotLedger.latest {
            // Dates this far ahead are not spread; the last second of the ledger is before them.
            widgets[widget].timelineAt = date
            return
        }
        let slot = takeSlot(
            for: widget,
            by: rules,
            earliest: earliest,
            hash: rules.mode == .uniform ? delivery.spreadHash(of: widget, at: date) : 0,
            isFixed: isFixed,
            now: clock.schedule.now,
            into: &out
        )
        guard let slot else {
            widgets[widget].timelineAt = date
            return
        }
        widgets[widget].slot = slot.position
        // The date never moves to an earlier time, whatever the ledger rounds.
        widgets[widget].timelineAt = date + max(.zero, slot.at - earliest)
    }

    /// The next date of one of a device's widgets, or `end` if that is earlier.
    func nextDate(
        of device: DeviceID,
        in delivery: borrowing DeliveryTable,
        now: WallTime,
        orEarlier end: WallTime
    ) -> WallTime {
        var time = end
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            let date = widgets[widget].timelineAt
            if date > now { time = min(time, date) }
            widget = delivery.widgets[widget].nextOfDevice
        }
        return time
    }

    /// Takes a slot at exactly the time that SCHEDULED has announced, even if that second is full.
    mutating func takeReportedSlot(
        for widget: WidgetID,
        by rules: KindRules,
        clock: StateClock
    ) {
        assert(widgets[widget].slot.isNone, "the widget has a slot already")
        if rules.mode == .none { return }
        let earliest = clock.schedule.schedule(wall: widgets[widget].timelineAt)
        if earliest >= SlotLedger.latest { return }
        let slot = origins[rules.origin].ledger.assignUniform(
            earliest: earliest,
            window: .milliseconds(1),
            hash: 0
        )
        widgets[widget].slot = slot.position
    }
}
