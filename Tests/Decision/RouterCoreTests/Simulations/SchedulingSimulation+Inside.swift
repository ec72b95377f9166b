import Basics
import FrameCodec
import ReloadScheduling
import WidgetMatching

#if DEBUG
@testable import ChangeDetection
@testable import RouterCore

/// What must hold inside the router at every step.
extension SchedulingSimulation {
    func verify() {
        guard problem == nil else { return }
        if let text = slotProblem() ?? fieldsProblem() ?? widgetProblem() ?? requestProblem()
            ?? countProblem() ?? tableProblem()
        {
            fail(text)
        }
    }

    /// All tables agree with each other; that is looked at after each eighth act.
    private func tableProblem() -> String? {
        if acts % 8 != 0 { return nil }
        do throws(InvariantViolation) {
            try harness.router.router.checkInvariants()
            return nil
        } catch {
            return error.description
        }
    }

    /// What is counted as it moves is what going through everything finds.
    private func countProblem() -> String? {
        var pending = PendingTotals()
        _ = forEachWidget { router, widget in
            switch router.state.reloads.delivery.widgets[widget].stage {
            case .idle: break
            case .debounced: pending.debounced += 1
            case .deferred: pending.deferred += 1
            case .queued: pending.queued += 1
            case .awaitingSession: pending.awaitingSession += 1
            case .ready: pending.ready += 1
            }
            return nil
        }
        var roles = RoleCounts()
        for connection in harness.router.router.link.front.sessions.connections.ids {
            let record = harness.router.router.link.front.sessions.connections[connection]
            if record.isOpen { roles.add(1, to: record.session.phase) }
        }
        let totals = harness.router.router.totals
        if totals.pending != pending { return "\(totals.pending) are counted of \(pending)" }
        return totals.roles == roles ? nil : "\(totals.roles) are counted of \(roles)"
    }

    /// Every cause to reload has ended for a reason, or waits.
    private func requestProblem() -> String? {
        let counters = harness.router.router.counters
        let waiting = harness.router.router.pendingReloadCount
        if counters.reloadRequests == counters.endings.total + UInt64(waiting) { return nil }
        return
            "of \(counters.reloadRequests) causes \(counters.endings.total) have ended and \(waiting) wait"
    }

    /// After a long rest nothing waits any more, not even for a date.
    func verifyRest() {
        forEachWidget { router, widget in
            let stage = router.state.reloads.delivery.widgets[widget].stage
            if stage != .idle { return "widget \(widget) is \(stage) after a long rest" }
            let isScheduled = router.state.reloads.schedules.widgets[widget].timelineAt != .max
            return isScheduled ? "widget \(widget) waits for its date after a long rest" : nil
        }.map { fail($0) }
    }

    /// Every slot that has not ended is some widget's.
    private func slotProblem() -> String? {
        let held = harness.router.router.usedSlotCount
        let pending = harness.router.router.slotCounters.pending
        return held == pending ? nil : "\(held) widgets hold a slot, the ledgers say \(pending)"
    }

    /// Only widgets that are stored have fields, of the lists that hold.
    private func fieldsProblem() -> String? {
        let router = harness.router
        for widget in router.router.state.reloads.fields.widgets.blocks.ids {
            let block = router.router.state.reloads.fields.widgets.blocks[widget]
            if block == .none { continue }
            let generation = router.router.state.reloads.fields.widgets.header(block).generation
            if !router.router.state.reloads.fields.catalog.generations.contains(generation) {
                continue
            }
            if !router.router.state.matcher.index.isStored(widget) {
                return "widget \(widget) is gone, and has fields"
            }
        }
        return nil
    }

    /// Every widget whose reload waits will be looked at again.
    private func widgetProblem() -> String? {
        var queued: [OriginID: Int] = [:]
        let text = forEachWidget { router, widget in
            let record = router.state.reloads.delivery.widgets[widget]
            let deadline = router.outbox.agenda.timers.deadline(of: TimerID(widget))
            if router.state.reloads.schedules.widgets[widget].timelineAt != .max && deadline == nil
            {
                return "widget \(widget) has a date and no timer"
            }
            let device = router.state.reloads.delivery.devices[record.device]
            switch record.stage {
            case .idle: return nil
            case .debounced, .deferred:
                return deadline == nil
                    ? "widget \(widget) is \(record.stage) and has no timer" : nil
            case .queued:
                queued[router.state.reloads.rules(of: widget).origin, default: 0] += 1
                return nil
            case .awaitingSession:
                return router.state.reloads.delivery.isAttached(device)
                    ? "widget \(widget) is held" : nil
            case .ready:
                let isQueued =
                    router.outbox.agenda.isQueued(record.device)
                    || !router.state.reloads.delivery.isAttached(device)
                return isQueued ? nil : "widget \(widget) is ready and its device not queued"
            }
        }
        for (origin, count) in queued
        where harness.router.router.state.reloads.schedules.origins[origin].queue.count < count {
            return "\(count) widgets wait for origin \(origin), whose queue is shorter"
        }
        return text
    }

    private func forEachWidget(_ body: (borrowing Router, WidgetID) -> String?) -> String? {
        for device in harness.router.router.state.reloads.delivery.devices.ids {
            var widget = harness.router.router.state.reloads.delivery.devices[device].firstWidget
            while !widget.isNone {
                if let text = body(harness.router.router, widget) { return text }
                widget = harness.router.router.state.reloads.delivery.widgets[widget].nextOfDevice
            }
        }
        return nil
    }
}
#else
extension SchedulingSimulation {
    func verify() {}
    func verifyRest() {}
}
#endif
