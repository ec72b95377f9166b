internal import Basics
internal import FrameCodec
internal import ReloadScheduling

extension Router {
    /// Checks that the partition's tables agree with each other; see `checkInvariants`.
    func checkPartition() throws(InvariantViolation) {
        try state.checkInvariants()
        // A router that follows a log has no timers or counts of its own.
        if !outbox.agenda.isKept { return }
        try outbox.agenda.checkInvariants()
        try checkWidgets()
        try checkDevices()
    }

    /// The number of the session of a connection; 0 if it has none.
    func sessionNumber(_ connection: ConnectionSlot) -> UInt64 {
        if state.reloads.delivery.problem(withSessionOn: connection) != nil { return 0 }
        return state.reloads.delivery.sessions[connection].number
    }

    /// One above the highest number of a connection that has had a session.
    var connectionEnd: UInt32 { state.reloads.delivery.sessions.end }

    // MARK: - Reloads

    /// Checks that each widget that waits for a time has a timer, and that pending reloads are
    /// counted.
    private func checkWidgets() throws(InvariantViolation) {
        var stages = StageCounts()
        var timerCount = 0
        for widget in state.reloads.delivery.widgets.ids
        where !state.reloads.delivery.widgets[widget].device.isNone {
            let record = state.reloads.delivery.widgets[widget]
            let deadline = outbox.agenda.timers.deadline(of: TimerID(widget))
            if deadline != nil { timerCount += 1 }
            stages.move(from: .idle, to: record.stage)
            let waits =
                record.stage == .debounced || record.stage == .deferred
                || state.reloads.schedules.widgets[widget].timelineAt != .max
            try checkInvariant(
                !waits || deadline != nil,
                otherwise: "widget \(widget), whose reload is \(record.stage), waits for a time, "
                    + "and has no timer"
            )
            let device = state.reloads.delivery.devices[record.device]
            try checkInvariant(
                record.stage != .awaitingSession || !state.reloads.delivery.isAttached(device),
                otherwise: "widget \(widget) awaits a session of device \(record.device), "
                    + "which has one"
            )
        }
        try checkInvariant(
            timerCount == outbox.agenda.timerCount,
            otherwise: "\(outbox.agenda.timerCount) timers run, and \(timerCount) are of widgets"
        )
        for stage in ReloadStage.all {
            let counted = state.reloads.delivery.stages[stage]
            try checkInvariant(
                counted == stages[stage],
                otherwise: "\(counted) reloads are counted as \(stage) of \(stages[stage])"
            )
        }
        let counters = outbox.observer.counters
        try checkInvariant(
            counters.reloadRequests == counters.endings.total + UInt64(stages.pending),
            otherwise: "of \(counters.reloadRequests) reload requests \(counters.endings.total) "
                + "have ended and \(stages.pending) are pending"
        )
    }

    /// Checks that each device with a pending RELOAD and a session is in a queue of the agenda.
    private func checkDevices() throws(InvariantViolation) {
        let ready = outbox.agenda.readyDevices()
        var attached: [ConnectionSlot: UInt32] = [:]
        for device in state.reloads.delivery.devices.ids
        where state.reloads.delivery.devices.isInUse(device) {
            let record = state.reloads.delivery.devices[device]
            if !state.reloads.delivery.isAttached(record) { continue }
            attached[record.connection, default: 0] += 1
            if record.firstPending.isNone { continue }
            let waits =
                outbox.agenda.isWaiting(device, for: record.connection)
                && outbox.agenda.isFull(record.connection)
            try checkInvariant(
                outbox.agenda.isQueued(device)
                    && (waits || ready.contains(device)
                        || outbox.agenda.isPaused(device, of: record.app)),
                otherwise: "device \(device) has a pending RELOAD and is in no queue"
            )
        }
        for connection in state.reloads.delivery.sessions.ids
        where state.reloads.delivery.sessions[connection].role != nil {
            let counted = state.reloads.delivery.sessions[connection].deviceCount
            try checkInvariant(
                counted == attached[connection] ?? 0,
                otherwise: "connection \(connection) counts \(counted) of "
                    + "\(attached[connection] ?? 0) devices"
            )
        }
    }
}

extension ReloadStage {
    /// All stages in which a reload is pending.
    fileprivate static var all: [ReloadStage] {
        [.debounced, .deferred, .queued, .awaitingSession, .ready]
    }
}
