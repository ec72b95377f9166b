internal import Basics
internal import ChangeDetection
internal import ReloadScheduling

/// Permits of an origin: a reload without a valid slot waits until the origin has capacity for the
/// request that its device will send.
extension Reloads {
    /// Whether the widget's reload makes its device send a request to an origin with a rate, so
    /// that it needs a permit.
    func requiresPermit(_ widget: WidgetID) -> Bool {
        let record = delivery.widgets[widget]
        let rules = rules(of: widget)
        if !rules.isPaced { return false }
        if case .download = record.cause { return false }
        return !rules.inlines
            || !fields.widgets.hasAllInlined(widget, kind: record.kind, catalog: fields.catalog)
    }

    /// Puts a widget into its origin's queue, to wait for a permit.
    mutating func enqueue(_ widget: WidgetID, fanOut: UInt64, into out: inout Outbox) {
        assert(rules(of: widget).isPaced || delivery.widgets[widget].stage == .queued)
        let origin = rules(of: widget).origin
        delivery.setStage(of: widget, to: .queued)
        schedules.origins.append(
            widget,
            to: origin,
            rank: delivery.widgets[widget].rank,
            fanOut: fanOut
        )
        out.enqueued.append(widget)
        let wait = schedules.origins[origin].expectedWait(at: clock.schedule.now)
        if wait > rules(of: widget).window { out.observer.counters.windowsExceeded += 1 }
    }

    /// Makes the origins forget seconds that are over, and counts the producers' running time. This
    /// happens about once a second; if there is a journal, only when other input is written too, so
    /// that an idle router leaves the disk alone.
    mutating func passOrigins(widgets count: Int) {
        clock.originsPassed()
        schedules.passOrigins(widgets: count, in: delivery, now: clock.schedule.now)
    }

    /// Grants the permits that the origins have now to widgets that wait for them. At most `limit`
    /// entries are examined in each origin's queue; the rest follow in the next step. Returns
    /// whether an entry was taken from a queue.
    mutating func drainOrigins(limit: Int, into out: inout Outbox) -> Bool {
        var isChange = false
        var next = schedules.origins.firstWaiting
        while let origin = next {
            if !schedules.paused.has(origin: origin) && drain(origin, limit: limit, into: &out) {
                isChange = true
            }
            next = schedules.origins.nextWaiting(after: origin)
        }
        return isChange
    }

    private mutating func drain(_ origin: OriginID, limit: Int, into out: inout Outbox) -> Bool {
        var permits = schedules.origins[origin].ledger.permits(at: clock.schedule.now)
        // Entries that have expired or are stale take no permit, and may be most of the queue.
        var left = limit
        while permits > 0, left > 0, let widget = schedules.origins[origin].queue.popFirst() {
            left -= 1
            guard delivery.widgets[widget].stage == .queued,
                rules(of: widget).origin == origin
            else { continue }
            permits -= release(widget, of: origin, into: &out)
        }
        if schedules.origins[origin].queue.isEmpty { schedules.origins.stopWaiting(origin) }
        return left < limit
    }

    /// The length up to which `Outbox.enqueued`, the list of the widgets that have joined queues in
    /// a step, keeps its memory; that of a longer list is freed.
    private static var usualEnqueuedCount: Int { 262_144 }

    /// Records the decision `spread` on each widget that has joined a queue since the last step and
    /// still waits, with the time at which the present queue will have been served.
    ///
    /// This is not recorded when they join, because the order of a push's widgets is known only
    /// after the last one of them has joined.
    mutating func logSpread(_ out: inout Outbox) {
        for widget in out.enqueued where delivery.widgets[widget].stage == .queued {
            let wait = schedules.origins[rules(of: widget).origin].expectedWait(
                at: clock.schedule.now
            )
            if wait > .zero {
                log(widget, reason: .spread, until: clock.now.monotonic + wait, into: &out)
            }
        }
        let isUsual = out.enqueued.count <= Self.usualEnqueuedCount
        out.enqueued.removeAll(keepingCapacity: isUsual)
    }

    /// Grants a permit to a widget, and further ones to the other widgets of its device in the same
    /// queue, because one RELOAD names them all. Returns the number of permits used.
    private mutating func release(
        _ widget: WidgetID,
        of origin: OriginID,
        into out: inout Outbox
    ) -> Int {
        assert(delivery.widgets[widget].stage == .queued, "the widget waits for no permit")
        var spent = 0
        var next = delivery.devices[delivery.widgets[widget].device].firstWidget
        while !next.isNone {
            let record = delivery.widgets[next]
            if record.stage == .queued && rules(of: next).origin == origin {
                // By now the reload may have expired, the device be offline, or the budget be
                // spent.
                decide(next, fanOut: 0, hasSlot: true, into: &out)
                if delivery.widgets[next].stage == .ready { spent += 1 }
            }
            next = record.nextOfDevice
        }
        if spent > 0 { schedules.origins[origin].ledger.spend(spent, at: clock.schedule.now) }
        return spent
    }
}
