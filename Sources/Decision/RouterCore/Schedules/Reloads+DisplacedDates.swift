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
/// as if nothing had happened (`restoreDate`). So no widgets have to be searched for when a clock
/// jumps, and the journal needs only the timers that have fired.
extension Reloads {
    /// Assigns a slot to a widget without one, whose date has passed by the present wall clock, and
    /// marks the widget as displaced if it gets one. It reloads at `wanted` or later if the clock
    /// is set back; the slot's date by the present clock is `date`, not before now.
    mutating func displace(
        _ widget: WidgetID,
        wanted: WallTime,
        to date: WallTime,
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
        takeSlot(widget, at: date, isFixed: false, into: &out)
        if schedules.widgets[widget].slot.isNone { return }
        schedules.widgets[widget].timelineAt = wanted
        delivery.widgets[widget].flags |= WidgetRecord.displaced
    }

    /// The date that a widget with a slot asked for: without the slot's delay, as far as that is
    /// known.
    func wantedDate(_ widget: WidgetID) -> WallTime {
        let schedule = schedules.widgets[widget]
        if delivery.widgets[widget].has(WidgetRecord.displaced) { return schedule.timelineAt }
        let origin = rules(of: widget).origin
        return schedule.timelineAt - schedules.origins[origin].ledger.delay(of: schedule.slot)
    }

    /// When a widget's date comes, unless a clock is set before.
    func dateTime(_ widget: WidgetID) -> ScheduleTime {
        let time = clock.schedule.schedule(wall: schedules.widgets[widget].timelineAt)
        return slotTime(widget).map { max($0, time) } ?? time
    }

    /// The time until a widget's date comes, unless a clock is set before; negative if it has
    /// passed.
    func dateWait(_ widget: WidgetID) -> Milliseconds {
        let wait = schedules.widgets[widget].timelineAt - clock.now.wall
        return slotTime(widget).map { max($0 - clock.schedule.now, wait) } ?? wait
    }

    /// Whether a widget's date has come, and its slot too if the widget is displaced.
    func isDateDue(_ widget: WidgetID) -> Bool {
        schedules.widgets[widget].timelineAt <= clock.now.wall
            && slotTime(widget).map { $0 <= clock.schedule.now } ?? true
    }

    /// When a displaced widget's slot comes; nil if the widget is not displaced.
    @inline(__always)
    private func slotTime(_ widget: WidgetID) -> ScheduleTime? {
        delivery.widgets[widget].has(WidgetRecord.displaced) ? timeOfSlot(widget) : nil
    }

    private func timeOfSlot(_ widget: WidgetID) -> ScheduleTime? {
        let slot = schedules.widgets[widget].slot
        guard let time = schedules.origins[rules(of: widget).origin].ledger.time(of: slot) else {
            return nil
        }
        if !slot.isWithoutGroup { return time }
        // A slot without a group says only the second; within it, widgets are spread by their
        // numbers.
        return time + Milliseconds((UInt64(widget.rawValue &* 0x9e37_79b1) * 1_000) >> 32)
    }

    /// Whether a displaced widget's slot has come, but not its date, so that the clock was set
    /// back.
    func isRestored(_ widget: WidgetID) -> Bool {
        guard let time = slotTime(widget), time <= clock.schedule.now else { return false }
        let date = schedules.widgets[widget].timelineAt
        return date != .max && date > clock.now.wall
    }

    /// Assigns a slot to a widget's date again, because it had passed only by a wrong clock.
    mutating func restoreDate(of widget: WidgetID, into out: inout Outbox) {
        let date = schedules.widgets[widget].timelineAt
        releaseSlot(widget, into: &out)
        delivery.widgets[widget].flags &= ~WidgetRecord.displaced
        if rules(of: widget).mode == .uniform {
            // The date includes its delay already, which depends only on a hash.
            takeReportedSlot(widget)
        } else {
            takeSlot(widget, at: date, isFixed: false, into: &out)
        }
        let isEnd = delivery.widgets[widget].has(WidgetRecord.dueAtEnd)
        log(
            widget,
            reason: .scheduled,
            cause: isEnd ? .atEnd : .after,
            until: clock.now.monotonic + dateWait(widget),
            into: &out
        )
    }
}
