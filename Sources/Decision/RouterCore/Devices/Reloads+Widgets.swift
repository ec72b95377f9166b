internal import Basics
internal import ChangeDetection
internal import ReloadScheduling
internal import WidgetMatching

/// The widgets of a device: its list, and the chain of those with pending reloads.
extension Reloads {
    /// Stores the records of a widget that the matcher already has: its name, kind and schedule.
    private mutating func place(
        _ widget: WidgetID,
        of device: DeviceID,
        named id: ByteView,
        kind: KindID
    ) {
        delivery.widgets.reserve(through: widget, filling: .empty)
        assert(delivery.widgets[widget].device.isNone, "the number has a widget")
        delivery.widgets[widget] = .empty
        delivery.widgets[widget].device = device
        delivery.widgets[widget].kind = kind
        delivery.setName(of: widget, to: id)
        let budget = ReloadBudget(now: clock.now.monotonic, phase: Schedules.phase(widget))
        let schedule = WidgetSchedule(budget: budget)
        schedules.widgets.reserve(through: widget, filling: schedule)
        schedules.widgets[widget] = schedule
        delivery.count(delivery.devices[device].app) { $0.widgets += 1 }
    }

    /// Stores a widget whose configuration was checked, and returns its number.
    mutating func insert(
        _ id: ByteView,
        of device: DeviceID,
        kind: KindID,
        configuration: ByteView,
        in matcher: inout WidgetMatcher
    ) -> WidgetID {
        let widget: WidgetID
        let cost = matcher.index.storedCost
        do throws(ConfigurationError) {
            widget = try matcher.insert(kind: kind, configuration: configuration)
        } catch {
            preconditionFailure("a checked configuration was refused: \(error)")
        }
        delivery.countBytes(
            of: delivery.devices[device].app,
            adding: matcher.index.storedCost - cost
        )
        place(widget, of: device, named: id, kind: kind)
        return widget
    }

    /// Gives a listed widget the kind and configuration that it has now, and returns whether they
    /// differ from the former ones. A widget whose configuration changes stays the same widget to
    /// its user, so a pending reload stays pending. Only its timeline's date is dropped, because it
    /// belonged to the former configuration.
    mutating func change(
        _ widget: WidgetID,
        kind: KindID,
        configuration: ByteView,
        in matcher: inout WidgetMatcher,
        during fanOuts: inout FanOutQueue,
        into out: inout Outbox
    ) -> Bool {
        if matcher.hasConfiguration(widget, kind: kind, equalTo: configuration) { return false }
        let cost = matcher.index.storedCost
        do throws(ConfigurationError) {
            try matcher.replace(widget, kind: kind, configuration: configuration)
        } catch {
            preconditionFailure("a checked configuration was refused: \(error)")
        }
        let app = delivery.devices[delivery.widgets[widget].device].app
        delivery.countBytes(of: app, adding: matcher.index.storedCost - cost)
        fanOuts.replaced(widget, after: numbers.fanOut)
        dropDate(of: widget, reason: .removed, into: &out)
        if rules(of: widget).hasFields { fields.widgets.remove(widget, catalog: fields.catalog) }
        let former = delivery.widgets[widget].kind
        delivery.widgets[widget].kind = kind
        if former != kind && delivery.widgets[widget].stage == .queued {
            // The widget waited for a permit of the former kind's origin.
            delivery.setStage(of: widget, to: .idle)
            decide(widget, fanOut: 0, into: &out)
        }
        updateTimer(widget, into: &out)
        return true
    }

    /// Removes a widget that the device does not list any more, with everything that is pending for
    /// it.
    mutating func remove(
        _ widget: WidgetID,
        from matcher: inout WidgetMatcher,
        during fanOuts: inout FanOutQueue,
        into out: inout Outbox
    ) {
        assert(matcher.index.isStored(widget), "the number has no widget")
        let record = delivery.widgets[widget]
        if record.stage != .idle {
            out.observer.counters.endings[.removed] &+= 1
            log(widget, reason: .removed, into: &out)
        }
        dropDate(of: widget, reason: .removed, into: &out)
        // An entry that is left in its origin's queue is skipped because of this stage.
        delivery.setStage(of: widget, to: .idle)
        out.agenda.setTimer(of: widget, to: .max)
        if rules(of: widget).hasFields { fields.widgets.remove(widget, catalog: fields.catalog) }
        apns.setControlToken(of: widget, to: nil, in: &delivery)
        delivery.removeName(of: widget)
        let app = delivery.devices[record.device].app
        let cost = matcher.index.storedCost
        matcher.remove(widget)
        delivery.count(app) { $0.widgets -= 1 }
        delivery.countBytes(of: app, adding: matcher.index.storedCost - cost)
        delivery.widgets[widget] = .empty
        fanOuts.removed(widget, after: numbers.fanOut)
        out.observer.pushes.removed(widget, after: numbers.fanOut)
        out.observer.decisions.forget(widget, of: record.device)
    }
}
