import AdminAPI
import ReloadModel
import RouterCore
import RouterMetrics
import StoreFormat

extension RouterStatus {
    /// A status in which nearly every number is another one.
    static var numbered: RouterStatus {
        var status = RouterStatus(time: 100_000)
        status.wallTime = 1_700_000_012_345
        status.startedAt = 1_700_000_000_500
        status.version = "1.2.3"
        status.areInputsPaused = true
        status.suppressedLogCount = 166
        status.counters = numberedCounters
        status.figures = numberedFigures
        status.latencies = numberedLatencies
        status.loop.receivedByteCount = 31
        status.loop.sentByteCount = 32
        status.loop.acceptedCount = 33
        status.loop.heldConnections = 46
        status.loop.outputByteCount = 47
        status.loop.outputMax = 171
        status.loop.keptInputByteCount = 172
        status.loop.keptInputMax = 173
        status.loop.pausedByOutput = true
        status.loop.refused.connections = 174
        status.loop.refused.address = 175
        status.loop.refused.store = 176
        status.loop.refused.input = 177
        status.loop.refused.output = 178
        status.store = numberedStore
        status.recording = numberedRecording
        return status
    }

    private static var numberedCounters: RouterCounters {
        var counters = RouterCounters()
        counters.pushesAccepted = 1
        counters.pushesDuplicate = 2
        counters.rejections = [.payloadNotJSON: 3]
        counters.framesRejected = 3
        counters.failures = [.tokenInvalid: 4]
        counters.sessionsFailed = 4
        counters.quotaRefusals = [.widgets: 186]
        counters.reloadsSent = 5
        counters.reloadsByCause[.budget] = 5
        counters.reloadsVoid = 6
        counters.wishes = 7
        counters.closeEntries = 8
        counters.windowsExceeded = 9
        counters.windowsGrown = 10
        counters.clockJumps = 11
        counters.decisions[.budget] = 12
        counters.endings[.sent] = 13
        counters.pushesMatched = 30
        counters.producersForgotten = 190
        counters.producersRefused = 191
        return counters
    }

    private static var numberedFigures: RouterFigures {
        var figures = RouterFigures()
        figures.roles.publishers = 34
        figures.roles.devices = 35
        figures.roles.gateways = 36
        figures.roles.awaitingHello = 37
        figures.pending.debounced = 38
        figures.pending.deferred = 39
        figures.pending.queued = 40
        figures.pending.held = 41
        figures.pending.ready = 42
        figures.readyDevices = 43
        figures.fanOutMatches = 44
        figures.timers = 45
        figures.stored.apps = 48
        figures.stored.devices = 49
        figures.stored.widgets = 50
        figures.stored.producers = 51
        figures.stored.bytes = 181
        figures.storedBytesLimit = 182
        figures.memory.index = 52
        figures.memory.widgets = 53
        figures.memory.schedules = 54
        figures.memory.fields = 55
        figures.memory.decisions = 56
        figures.memory.connections = 57
        addLists(to: &figures)
        return figures
    }

    private static func addLists(to figures: inout RouterFigures) {
        var app = AppFigures(app: "com.game")
        app.counts.pushes = 60
        app.counts.matched = 61
        app.counts.reloads = 62
        app.isPaused = true
        app.used.devices = 183
        app.used.storedBytes = 184
        app.quotas.storedBytes = 185
        figures.apps = [app, AppFigures(app: RouterFigures.others)]
        figures.pausedApps = 71
        var origin = OriginFigures(app: "com.game", origin: "feed")
        origin.waiting = 63
        origin.peakAsked = 64
        origin.peakGiven = 65
        var others = OriginFigures(app: RouterFigures.others, origin: RouterFigures.others)
        others.waiting = 72
        figures.origins = [origin, others]
        figures.hotKeys = [
            HotKeyFigures(
                app: "com.game",
                kind: "detail",
                key: "character=elf-42",
                pushes: 66,
                matched: 67
            )
        ]
    }

    private static var numberedLatencies: LatencyStatus {
        var latencies = LatencyStatus()
        var histogram = LatencyHistogram()
        histogram.record(200_000)
        histogram.record(3_000_000)
        histogram.record(60_000_000_000)
        latencies.pushToAck = histogram.summary
        var turns = LatencyHistogram()
        turns.record(5_000, times: 2)
        latencies.turn = turns.summary
        return latencies
    }

    private static var numberedStore: StoreStatus {
        var store = StoreStatus()
        store.failure = StoreStatus.Failure(code: .full, since: 98_500)
        store.failureCount = 14
        store.submitted = UInt64.max
        store.committed = 16
        store.waitingJournalByteCount = 17
        store.heldAnswerByteCount = 18
        store.checkpointsBegun = 19
        store.checkpointsSealed = 20
        store.isCheckpointRunning = true
        store.checkpointNumber = 70
        store.checkpointByteCount = 21
        store.checkpointMilliseconds = 22
        store.checkpointLongestTurn = 24_500_000
        store.diskByteCount = 23
        return store
    }

    private static var numberedRecording: RecordingStatus {
        var recording = RecordingStatus()
        recording.isFailing = true
        recording.recordCount = 25
        recording.lostCount = 26
        recording.fileCount = 27
        recording.byteCount = 28
        recording.storedByteCount = 29
        return recording
    }
}
