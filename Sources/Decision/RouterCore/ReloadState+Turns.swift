internal import ChangeDetection
internal import DataStructures
internal import ReloadModel
internal import ReloadScheduling

/// Turns at an origin: a reload without a date waits until the origin has capacity for its device's
/// request.
extension ReloadState {
    /// Whether the widget's reload makes its device send a request to an origin with a rate.
    func waitsForTurn(_ widget: WidgetID) -> Bool {
        let record = delivery.widgets[widget]
        let rules = catalog.kinds[Int(record.kind)].rules
        if !rules.isPaced { return false }
        if case .download = record.cause { return false }
        return !rules.carries
            || !fields.widgets.hasAllCarried(widget, kind: record.kind, catalog: fields.catalog)
    }

    /// Takes a permit for the widget at once, if there are permits for all widgets of this pass.
    mutating func takesTurn(_ widget: WidgetID) -> Bool {
        let origin = rules(of: widget).origin
        if paused.has(origin: origin) { return false }
        if origins[origin].pass != origins.pass {
            origins[origin].pass = origins.pass
            let permits = origins[origin].ledger.permits(at: clock.schedule.now)
            let isEnough = origins[origin].queue.isEmpty && permits >= origins.demand
            origins[origin].turns = isEnough ? permits : 0
        }
        if origins[origin].turns == 0 { return false }
        origins[origin].turns -= 1
        origins[origin].ledger.spend(1, at: clock.schedule.now)
        return true
    }

    /// Begins a pass: at most `demand` widgets ask for permits in it.
    mutating func beginTurns(_ demand: Int) {
        origins.pass &+= 1
        origins.demand = demand
    }

    /// Ends the pass: a widget that asks for a permit outside of one has to queue.
    mutating func endTurns() {
        beginTurns(.max)
    }

    mutating func enqueue(_ widget: WidgetID, burst: UInt64, _ out: inout Outbox) {
        let origin = rules(of: widget).origin
        delivery.setStage(widget, .queued)
        origins.append(
            widget,
            to: origin,
            rank: delivery.widgets[widget].rank,
            burst: burst
        )
        out.enqueued.append(widget)
        let wait = origins[origin].expectedWait(at: clock.schedule.now)
        if wait > rules(of: widget).window { out.observer.counters.windowsExceeded += 1 }
    }

    /// Lets those go whose turn it is.
    ///
    /// - Parameters:
    ///   - limit: the most to look at, of each origin; the rest follows in the next step.
    ///   - out: collects frames, timers and counts that result.
    /// - Returns: whether an entry was taken from a queue.
    mutating func drainOrigins(limit: Int, _ out: inout Outbox) -> Bool {
        var isChange = false
        var next = origins.nextWaiting(from: 0)
        while let origin = next {
            if !paused.has(origin: origin) && drain(origin, limit: limit, &out) { isChange = true }
            next = origins.nextWaiting(from: origin + 1)
        }
        return isChange
    }

    private mutating func drain(_ origin: UInt32, limit: Int, _ out: inout Outbox) -> Bool {
        var permits = origins[origin].ledger.permits(at: clock.schedule.now)
        // Entries that have expired or are stale take no permit, and may be most of the queue.
        var left = limit
        while permits > 0, left > 0, let widget = origins[origin].queue.popFirst() {
            left -= 1
            guard delivery.widgets[widget].stage == .queued,
                rules(of: widget).origin == origin
            else { continue }
            permits -= release(widget, of: origin, &out)
        }
        if origins[origin].queue.isEmpty { origins.stopWaiting(origin) }
        return left < limit
    }

    /// Widgets that join in one step without the memory for their numbers being given back.
    private static var usualEnqueuedCount: Int { 262_144 }

    /// Says until when, at the latest, the widgets have to wait that joined since the last step.
    ///
    /// Not when they join: their order within a push is not known before the last of it has come.
    mutating func noteSpread(_ out: inout Outbox) {
        for widget in out.enqueued where delivery.widgets[widget].stage == .queued {
            let wait = origins[rules(of: widget).origin].expectedWait(at: clock.schedule.now)
            if wait > 0 { note(widget, .spread, until: clock.now.monotonic + wait, &out) }
        }
        let isUsual = out.enqueued.count <= Self.usualEnqueuedCount
        out.enqueued.removeAll(keepingCapacity: isUsual)
    }

    /// Lets a widget go whose turn it is, and with it those of its device that wait there too: one
    /// RELOAD has them all.
    ///
    /// - Returns: how many of the origin's requests that takes.
    private mutating func release(_ widget: WidgetID, of origin: UInt32, _ out: inout Outbox) -> Int
    {
        var spent = 0
        var next = delivery.devices[delivery.widgets[widget].device].firstWidget
        while next != WidgetRecord.none {
            let record = delivery.widgets[next]
            if record.stage == .queued && catalog.kinds[Int(record.kind)].rules.origin == origin {
                // Meanwhile it may have become void, offline or paid for something else.
                decide(next, 0, hasSlot: true, &out)
                if delivery.widgets[next].stage == .ready { spent += 1 }
            }
            next = record.nextOfDevice
        }
        if spent > 0 { origins[origin].ledger.spend(spent, at: clock.schedule.now) }
        return spent
    }
}
