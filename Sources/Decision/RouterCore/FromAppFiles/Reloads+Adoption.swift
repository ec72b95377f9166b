internal import Basics

/// Widgets adopt the rules of a kind that an app file has changed: their dates get slots under the
/// new rules, and their reloads are decided again. Devices adopt the settings for APNs of an app.
extension Reloads {
    /// Whether a whole file changes or withdraws a kind that is being adopted. It does not if its
    /// portions were applied before: a log has their file as a whole, after them.
    func changesAdopted(_ declarations: AppCatalog) -> Bool {
        var left = catalog.adoption.kinds.count { catalog.kinds[$0].isDeclared }
        for declaration in declarations.apps {
            guard let app = catalog.appsByName[Array(declaration.app.utf8)] else { continue }
            for kind in declaration.kinds {
                guard let number = catalog.apps[app].kindsByName[Array(kind.kind.utf8)],
                    catalog.adoption.has(number)
                else { continue }
                let name = Array((kind.policy.origin ?? "").utf8)
                guard
                    let origin = catalog.originsByName[Catalog.NameInApp(app: app, name: name)]
                else { return true }
                let rules = KindRules(kind.policy, origin: origin, hasRate: false)
                if rules.areToBeAdopted(after: catalog.kinds[number].rules) { return true }
                if catalog.kinds[number].isDeclared { left -= 1 }
            }
        }
        return left > 0
    }

    /// The rules of a widget's kind, with how reloads are spread as far as the widget has adopted
    /// that.
    @inline(never)
    func adopted(_ rules: KindRules, by widget: WidgetID) -> KindRules {
        let (kind, device) = (delivery.widgets[widget].kind, delivery.widgets[widget].device)
        guard let former = catalog.adoption.formerRules(of: kind, on: device) else { return rules }
        return rules.spread(like: former)
    }

    /// How many of the next devices adopt their rules in a step: one, or as many as have
    /// `RouterLimits.adoptionsPerStep` widgets together.
    var adoptingDeviceCount: Int {
        var count = 0
        var widgets = 0
        let first = catalog.adoption.next.rawValue
        for number in first..<UInt32(delivery.devices.ids.count) {
            let device = DeviceID(rawValue: number)
            if delivery.isStored(device) { widgets += Int(delivery.devices[device].widgetCount) }
            if count > 0 && widgets > RouterLimits.adoptionsPerStep { break }
            count += 1
            if count == RouterLimits.adoptingDevicesPerStep { break }
        }
        return count
    }

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
