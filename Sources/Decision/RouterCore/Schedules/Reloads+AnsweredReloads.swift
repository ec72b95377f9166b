internal import Basics
internal import ReloadScheduling

/// What a TIMELINE ends: the reload that was pending for the same reason.
extension Reloads {
    /// Ends the pending reload that repeats an answered RELOAD, wherever it waits, unless it has
    /// another cause by now: that is charged and delayed as if it had come alone.
    mutating func endRepetition(of widget: WidgetID, into out: inout Outbox) {
        let record = delivery.widgets[widget]
        if !record.has(WidgetRecord.resent) { return }
        delivery.widgets[widget].flags &= ~WidgetRecord.resent
        if record.privileges.isDisjoint(with: [.isRequested, .hasDate]) {
            delivery.setStage(of: widget, to: .idle)
            out.observer.counters.endings[.superseded] &+= 1
            log(widget, reason: .superseded, into: &out)
        } else if record.stage == .ready && earliest(widget).time > clock.now.monotonic {
            decide(widget, fanOut: 0, into: &out)
        }
        if record.stage == .ready { delivery.restorePending(record.device) }
    }

    /// Removes an older timeline's date from the causes of the pending reload, and ends the reload
    /// if it has no other cause.
    mutating func supersede(_ widget: WidgetID, into out: inout Outbox) {
        let record = delivery.widgets[widget]
        let isDate = record.stage == .deferred || record.stage == .queued
        if !isDate || record.has(WidgetRecord.resent) { return }
        delivery.widgets[widget].privileges.remove(.hasDate)
        if record.privileges.contains(.isRequested) { return }
        delivery.setStage(of: widget, to: .idle)
        out.observer.counters.endings[.superseded] &+= 1
        log(widget, reason: .superseded, into: &out)
    }
}
