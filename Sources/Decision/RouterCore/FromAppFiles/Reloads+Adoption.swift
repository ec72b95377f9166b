internal import Basics

/// Widgets adopt the rules of a kind that an app file has changed: their dates get slots under the
/// new rules, and their reloads are decided again. Devices adopt the settings for APNs of an app.
extension Reloads {
    /// A device's widgets adopt the rules of their kinds, of which `formerRules` gives the former
    /// ones; nil for those that have not changed.
    mutating func adopt(
        _ device: DeviceID,
        into out: inout Outbox,
        formerRules: (KindID) -> KindRules?
    ) {
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            if let old = formerRules(delivery.widgets[widget].kind) {
                adopt(widget, formerRules: old, into: &out)
            }
            widget = delivery.widgets[widget].nextOfDevice
        }
    }

    private mutating func adopt(
        _ widget: WidgetID,
        formerRules old: KindRules,
        into out: inout Outbox
    ) {
        out.work.charge(WorkCost.decision)
        if !rules(of: widget).isSpread(like: old) {
            respread(widget, formerOrigin: old.origin, into: &out)
            if delivery.widgets[widget].stage == .queued {
                delivery.setStage(of: widget, to: .idle)
                decide(widget, fanOut: 0, into: &out)
            }
        }
        updateTimer(widget, into: &out)
    }
}
