internal import AdminAPI
internal import Basics
internal import Credentials
internal import LibuvLoop
internal import Platform
internal import RouterCore
internal import RouterStore

/// The status that other threads read. They ask through the loop's wake-up, and each tick ends by
/// publishing the status if one has asked.
extension Server {
    /// Copies the present state; takes well under 1 ms however much is stored and connected.
    var status: RouterStatus {
        var status = RouterStatus(time: .now)
        status.wallTime = .now
        status.startedAt = metrics.startedAt
        status.version = configuration.version
        status.warnings = appFiles.notes.statusWarnings
        status.hints = appFiles.hints.prefix(AppFileNotes.statusLimit).map(\.text)
        status.files = integration.files
        status.isDraining = core.phase != .serving
        status.areInputsPaused = reading.waitsForStore
        status.counters = core.router.counters
        status.totals = core.router.totals
        status.totals.memory.connections += peers.byteCount
        status.totals.memory.history = metrics.historyByteCount
        status.latencies.tick = metrics.ticks.summary
        status.latencies.pushToAck = metrics.pushToAck.summary
        status.latencies.pushToReload = metrics.pushToReload.summary
        status.latencies.schedulerLag = metrics.schedulerLag.summary
        if let driver = core.driver { status.latencies.commit = driver.commitLatency }
        status.loop = loopStatus
        status.suppressedLogCount = integration.logLimiter?.suppressedCount ?? 0
        let isCheckpointRunning = core.router.checkpointPhase.isRunning
        status.store = core.commits?.status(isCheckpointRunning: isCheckpointRunning)
        status.recording = core.recording?.status
        status.apns = apns?.status
        return status
    }

    private var loopStatus: LoopStatus {
        var status = metrics.loop
        status.pausedConnections = reading.waiting.totalCount + reading.handshakes.totalCount
        status.outputByteCount = core.loop.outputMemoryByteCount
        status.sentByteCount = core.loop.sentByteCount
        status.outputMax = max(status.outputMax, output.waiting)
        status.keptInputByteCount = core.loop.keptInputByteCount
        status.keptInputMax = max(status.keptInputMax, core.loop.keptInputByteCount)
        status.certificateExpiry = certificateExpiry
        status.refusedCredentials = admission.refusalCounts
        status.credentialExpiry = admission.gatekeeper.table.nextExpiry(after: core.now.wall)
        status.pausedByOutput = reading.pauses.contains(.totalOutput)
        status.stalls = LoopWork.allCases.map { work in
            let total = core.loop.meter.stalls[work]
            return StallTotal(work: work.label, count: total.count, time: total.time)
        }
        status.pausedByInput = reading.pauses.contains(.totalInput)
        return status
    }
}
