internal import Basics
internal import FrameCodec
internal import ReloadScheduling

/// Dates that have passed according to a wall clock that may be wrong.
///
/// An overdue reload gets another slot. If its date were forgotten, and the clock had jumped a day
/// ahead and back, the reload would wait for a day. So `timelineAt` keeps the date that was asked
/// for, and the widget is `displaced`: it reloads at its slot, which is in schedule time and does
/// not go back with the wall clock, but never before `timelineAt`:
///
///     wall clock             a widget that is to reload at 9:30 today
///     9:10 today             waits for its date
///     jumps to 9:10 tomorrow has passed its date: gets a slot in 5 min, and is displaced
///     is not set back        reloads at the slot
///     is set back to today   does not reload at the slot, but gets a slot at 9:30 again
///
/// If the slot's time comes and the date has not come, the clock was set back: the date gets a slot
/// as if nothing had happened (`Reloads.restoreDate`). So no widgets have to be searched for when a
/// clock jumps, and the journal needs only the timers that have fired.
extension Schedules {
    /// Assigns a slot to a widget without one, whose date has passed by the present wall clock, and
    /// marks the widget as displaced if it gets one. It reloads at `wanted` or later if the clock
    /// is set back; the slot's date by the present clock is `date`, not before now.
    mutating func displace(
        _ widget: WidgetID,
        wanted: WallTime,
        to date: WallTime,
        in delivery: inout DeliveryTable,
        by catalog: borrowing Catalog,
        clock: StateClock,
        into out: inout Outbox
    ) {
        delivery.widgets[widget].flags &= ~WidgetRecord.displaced
        var date = date
        if date > clock.now.wall {
            // Rounded up to a whole second, because the ledger stores no milliseconds for reloads
            // that are not delayed.
            let offset = clock.schedule.schedule(wall: date).offsetInSecond
            if offset > .zero { date += .seconds(1) - offset }
        }
        takeSlot(
            for: widget,
            at: date,
            isFixed: false,
            in: delivery,
            by: catalog,
            clock: clock,
            into: &out
        )
        if widgets[widget].slot.isNone { return }
        widgets[widget].timelineAt = wanted
        delivery.widgets[widget].flags |= WidgetRecord.displaced
    }

    /// The date that a widget with a slot asked for: without the slot's delay, as far as that is
    /// known.
    func wantedDate(
        of widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog
    ) -> WallTime {
        let schedule = widgets[widget]
        if delivery.widgets[widget].has(WidgetRecord.displaced) { return schedule.timelineAt }
        let origin = catalog.rules(of: widget, in: delivery).origin
        return schedule.timelineAt - origins[origin].ledger.delay(of: schedule.slot)
    }

    /// When a widget's date comes, unless a clock is set before.
    func dateTime(
        of widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog,
        clock: StateClock
    ) -> ScheduleTime {
        let time = clock.schedule.schedule(wall: widgets[widget].timelineAt)
        return slotTime(of: widget, in: delivery, by: catalog).map { max($0, time) } ?? time
    }

    /// The time until a widget's date comes, unless a clock is set before; negative if it has
    /// passed.
    func dateWait(
        of widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog,
        clock: StateClock
    ) -> Milliseconds {
        let wait = widgets[widget].timelineAt - clock.now.wall
        return slotTime(of: widget, in: delivery, by: catalog).map {
            max($0 - clock.schedule.now, wait)
        } ?? wait
    }

    /// Whether a widget's date has come, and its slot too if the widget is displaced.
    func isDateDue(
        of widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog,
        clock: StateClock
    ) -> Bool {
        widgets[widget].timelineAt <= clock.now.wall
            && slotTime(of: widget, in: delivery, by: catalog).map { $0 <= clock.schedule.now }
                ?? true
    }

    /// When a displaced widget's slot comes; nil if the widget is not displaced.
    @inline(__always)
    private func slotTime(
        of widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog
    ) -> ScheduleTime? {
        delivery.widgets[widget].has(WidgetRecord.displaced)
            ? timeOfSlot(widget, at: catalog.rules(of: widget, in: delivery).origin) : nil
    }

    private func timeOfSlot(_ widget: WidgetID, at origin: OriginID) -> ScheduleTime? {
        let slot = widgets[widget].slot
        guard let time = origins[origin].ledger.time(of: slot) else { return nil }
        if !slot.isWithoutGroup { return time }
        // A slot without a group says only the second; within it, widgets are spread by their
        // numbers.
        return time + Milliseconds((UInt64(widget.rawValue &* 0x9e37_79b1) * 1_000) >> 32)
    }

    /// Whether a displaced widget's slot has come, but not its date, so that the clock was set
    /// back.
    func isRestored(
        _ widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog,
        clock: StateClock
    ) -> Bool {
        guard let time = slotTime(of: widget, in: delivery, by: catalog), time <= clock.schedule.now
        else { return false }
        let date = widgets[widget].timelineAt
        return date != .max && date > clock.now.wall
    }
}
