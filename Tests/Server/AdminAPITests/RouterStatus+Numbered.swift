import AdminAPI
import Basics
import StoreFormat
import TestSupport

@testable import RouterCore

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
        status.totals = numberedFigures
        status.latencies = numberedLatencies
        status.files = [RereadFile(.apps, readAt: 7_000), RereadFile(.operators, readAt: 8_999)]
        status.files[1].refused(because: "line 1", at: 9_000)
        status.loop.receivedByteCount = 31
        status.loop.sentByteCount = 32
        status.loop.acceptedCount = 33
        status.loop.pausedConnections = 46
        status.loop.outputByteCount = 47
        status.loop.outputMax = 171
        status.loop.keptInputByteCount = 172
        status.loop.keptInputMax = 173
        status.loop.pausedByOutput = true
        status.loop.refused.connections = 174
        status.loop.refused.address = 175
        status.loop.refused.handshake = 179
        status.loop.handshakes.full = 180
        status.loop.handshakes.resumed = 181
        status.loop.certificateExpiry = WallTime(rawValue: 182_000)
        status.loop.credentialExpiry = WallTime(rawValue: 183_000)
        status.loop.refusedCredentials["expired"] = 184
        status.loop.stalls = [StallTotal(work: "http", count: 198, time: .milliseconds(199_500))]
        status.loop.refused.store = 176
        status.loop.refused.input = 177
        status.loop.refused.output = 178
        status.store = numberedStore
        status.recording = numberedRecording
        status.apns = numberedAPNs
        return status
    }

    private static var numberedCounters: RouterCounters {
        var counters = RouterCounters()
        counters.pushesAccepted = 1
        counters.pushesDuplicate = 2
        counters.widgetsLeftOut = 197
        counters.rejections = [.payloadNotJSON: 3]
        counters.framesRejected = 3
        counters.failures = [.tokenInvalid: 4]
        counters.sessionsFailed = 4
        counters.quotaRefusals = [.widgets: 186]
        counters.reloadsSent = 5
        counters.reloadsByCause[.budget] = 5
        counters.reloadsExpired = 6
        counters.reloadRequests = 7
        counters.closeEntries = 8
        counters.windowsExceeded = 9
        counters.windowsGrown = 10
        counters.clockJumps = 11
        counters.decisions[.budget] = 12
        counters.endings[.sent] = 13
        counters.pushesMatched = 30
        counters.producersForgotten = 190
        counters.devicesForgotten = 194
        counters.producersRefused = 191
        counters.producersAhead = 193
        counters.pushes.made = 200
        counters.pushes.accepted = 201
        counters.pushes.refused = 202
        counters.pushes.tokensDead = 203
        counters.pushes.tokensRefused = 204
        counters.pushes.postponed = 205
        counters.pushes.unheard = 206
        return counters
    }

    private static var numberedFigures: RouterTotals {
        var totals = RouterTotals()
        totals.roles.publishers = 34
        totals.roles.devices = 35
        totals.roles.gateways = 36
        totals.roles.awaitingHello = 37
        totals.pending.debounced = 38
        totals.pending.deferred = 39
        totals.pending.queued = 40
        totals.pending.awaitingSession = 41
        totals.pending.ready = 42
        totals.readyDevices = 43
        totals.fanOutMatches = 44
        totals.timers = 45
        totals.pushesWaiting = 208
        totals.deadTokens = 209
        totals.stored.apps = 48
        totals.stored.devices = 49
        totals.stored.widgets = 50
        totals.stored.producers = 51
        totals.undeclaredWidgets = 192
        totals.revocations = 220
        totals.stored.bytes = 181
        totals.storedBytesLimit = 182
        totals.memory.index = 52
        totals.memory.widgets = 53
        totals.memory.schedules = 54
        totals.memory.fields = 55
        totals.memory.decisions = 56
        totals.memory.connections = 57
        totals.memory.history = 257
        addLists(to: &totals)
        return totals
    }

    private static func addLists(to totals: inout RouterTotals) {
        var app = AppTotals(app: "com.game")
        app.counts.pushes = 60
        app.counts.matched = 61
        app.counts.reloads = 62
        app.isPaused = true
        app.used.devices = 183
        app.used.storedBytes = 184
        app.quotas.storedBytes = 185
        totals.apps = [app, AppTotals(app: RouterTotals.others)]
        totals.pausedApps = 71
        var origin = OriginTotals(app: "com.game", origin: "feed")
        origin.waiting = 63
        origin.peakRequested = 64
        origin.peakAssigned = 65
        var others = OriginTotals(app: RouterTotals.others, origin: RouterTotals.others)
        others.waiting = 72
        totals.origins = [origin, others]
        totals.hotKeys = [
            HotKeyTotals(
                app: "com.game",
                kind: "detail",
                key: "character=elf-42",
                pushes: 66,
                matched: 67
            )
        ]
    }

    private static var numberedLatencies: LatencyStatus {
        var latencies = RouterStatus(time: 0).latencies
        var histogram = LatencyHistogram()
        histogram.record(200_000)
        histogram.record(3_000_000)
        histogram.record(60_000_000_000)
        latencies.pushToAck = histogram.summary
        var ticks = LatencyHistogram()
        ticks.record(5_000, times: 2)
        latencies.tick = ticks.summary
        return latencies
    }

    private static var numberedStore: StoreStatus {
        var store = StoreStatus()
        store.failure = StoreStatus.Failure(code: .full, since: 98_500)
        store.failureCount = 14
        store.submitted = UInt64.max
        store.committed = 16
        store.waitingJournalByteCount = 17
        store.uncommittedByteCount = 18
        store.checkpointsBegun = 19
        store.checkpointsSealed = 20
        store.isCheckpointRunning = true
        store.checkpointFailure = StoreStatus.Failure(code: .io, since: 3)
        store.checkpointNumber = 70
        store.checkpointByteCount = 21
        store.checkpointDuration = 22
        store.checkpointLongestTick = .microseconds(24_500)
        store.diskByteCount = 23
        return store
    }

    private static var numberedAPNs: APNsStatus {
        var apns = APNsStatus()
        apns.underWayCount = 210
        apns.connectionCount = 211
        apns.lostConnectionCount = 212
        apns.refusals = ["Unregistered": 213, "other": 214]
        apns.stoppedLanes = ["credentials": 1, "key": 215]
        apns.stopped = [
            StoppedLane(app: "com.game", environment: .sandbox, cause: "credentials")
        ]
        apns.stops = ["credentials": 216]
        apns.certificateExpiry = WallTime(rawValue: 217_000)
        var histogram = LatencyHistogram()
        histogram.record(14_000_000)
        apns.answerTime = histogram.summary
        return apns
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
