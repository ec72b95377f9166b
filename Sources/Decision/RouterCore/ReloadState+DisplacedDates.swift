internal import DataStructures
internal import ReloadModel
internal import ReloadScheduling

/// Dates that have passed, by a wall clock that may be wrong.
///
/// An overdue reload gets another slot. Were its date forgotten, a clock that jumps a day ahead and
/// back would leave it a day in the future. So `timelineAt` stays what was wanted, and the widget is
/// `displaced`: it reloads at its slot, which is in schedule time and does not go back with the wall
/// clock, but never before `timelineAt`:
///
///     wall clock   9:00  9:10 │ 9:10 tomorrow … │ 9:20
///     wanted                    9:30 today                 9:30
///     reloads                   slot in 5 min              9:30, spread
///
/// When the slot's time has come and the date has not, the clock has gone back: the date gets a slot
/// as if nothing had happened (`restoreDate`). So nothing has to be looked for when a clock jumps, and
/// the journal needs no more than the timers that have fired.
extension ReloadState {
    /// Gives a widget a slot whose wanted date has passed, or depends on the clock.
    ///
    /// - Parameters:
    ///   - widget: whose former slot was given back.
    ///   - wanted: when it is to reload at the earliest if the clock goes back, in ms of wall time.
    ///   - date: the slot's date by the clock as it is, not before now.
    ///   - out: collects frames, timers and counts that result.
    mutating func displace(_ widget: WidgetID, wanted: Int64, to date: Int64, _ out: inout Outbox) {
        delivery.widgets[widget].flags &= ~WidgetRecord.displaced
        var date = date
        if date > clock.now.wall {
            // Of those that are not delayed the ledger knows the second, and not the millisecond.
            date += (1_000 - clock.schedule.schedule(wall: date) % 1_000) % 1_000
        }
        takeSlot(widget, date, isFixed: false, &out)
        if delivery.schedules[widget].slot.isNone { return }
        delivery.schedules[widget].timelineAt = wanted
        delivery.widgets[widget].flags |= WidgetRecord.displaced
    }

    /// The date of a widget with a slot without the slot's delay, as far as that is known.
    func wantedDate(_ widget: WidgetID) -> Int64 {
        let schedule = delivery.schedules[widget]
        if delivery.widgets[widget].has(WidgetRecord.displaced) { return schedule.timelineAt }
        let origin = rules(of: widget).origin
        return schedule.timelineAt - origins[origin].ledger.delay(of: schedule.slot)
    }

    /// When a widget's date comes, if no clock is set; in schedule time.
    func dateTime(_ widget: WidgetID) -> Int64 {
        let time = clock.schedule.schedule(wall: delivery.schedules[widget].timelineAt)
        return slotTime(widget).map { max($0, time) } ?? time
    }

    /// How long until a widget's date comes, if no clock is set, in ms; negative if it has passed.
    func dateWait(_ widget: WidgetID) -> Int64 {
        let wait = delivery.schedules[widget].timelineAt - clock.now.wall
        return slotTime(widget).map { max($0 - clock.schedule.now, wait) } ?? wait
    }

    func isDateDue(_ widget: WidgetID) -> Bool {
        delivery.schedules[widget].timelineAt <= clock.now.wall
            && slotTime(widget).map { $0 <= clock.schedule.now } ?? true
    }

    /// When a displaced widget's slot comes; nil if it is none.
    @inline(__always)
    private func slotTime(_ widget: WidgetID) -> Int64? {
        delivery.widgets[widget].has(WidgetRecord.displaced) ? timeOfSlot(widget) : nil
    }

    private func timeOfSlot(_ widget: WidgetID) -> Int64? {
        let slot = delivery.schedules[widget].slot
        guard let time = origins[rules(of: widget).origin].ledger.time(of: slot) else { return nil }
        if !slot.isWithoutGroup { return time }
        // Such a slot says only which second: within it, widgets are told apart by their numbers.
        return time + Int64((UInt64(widget &* 0x9e37_79b1) * 1_000) >> 32)
    }

    /// Whether the slot of a displaced widget has come, and its date has not.
    func isRestored(_ widget: WidgetID) -> Bool {
        guard let time = slotTime(widget), time <= clock.schedule.now else { return false }
        let date = delivery.schedules[widget].timelineAt
        return date != .max && date > clock.now.wall
    }

    /// Gives a widget's date a slot again: the clock by which it had passed was wrong.
    mutating func restoreDate(_ widget: WidgetID, _ out: inout Outbox) {
        let date = delivery.schedules[widget].timelineAt
        giveBackSlot(widget, &out)
        delivery.widgets[widget].flags &= ~WidgetRecord.displaced
        if rules(of: widget).mode == .uniform {
            // The hash's delay is in it.
            countAsTold(widget)
        } else {
            takeSlot(widget, date, isFixed: false, &out)
        }
        let isEnd = delivery.widgets[widget].has(WidgetRecord.dueAtEnd)
        note(
            widget,
            .scheduled,
            isEnd ? .atEnd : .after,
            until: clock.now.monotonic + dateWait(widget),
            &out
        )
    }
}
