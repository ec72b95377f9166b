package import RouterCore
package import RouterMetrics
package import StoreFormat

/// What the loop tells other threads of itself: plain values, as they were at one moment.
package struct RouterStatus: Equatable, Sendable {
    /// When that was, in milliseconds of the monotonic clock.
    package var time: Int64
    /// The same moment, and when the process began to serve, in ms since 1970.
    package var wallTime: Int64 = 0
    package var startedAt: Int64 = 0
    /// Of the program.
    package var version = ""
    package var isDraining = false
    /// Whether nobody is read from because too much waits for the store.
    package var areInputsPaused = false
    package var counters = RouterCounters()
    package var figures = RouterFigures()
    package var latencies = LatencyStatus()
    package var loop = LoopStatus()
    /// Log messages that were not written because too many came in a second, since the start.
    package var suppressedLogCount: UInt64 = 0
    /// Nil if nothing is stored.
    package var store: StoreStatus?
    /// Nil if nothing is recorded.
    package var recording: RecordingStatus?

    package init(time: Int64) {
        self.time = time
    }
}

/// How long things take.
package struct LatencyStatus: Equatable, Sendable {
    /// From the begin of the turn that has read a push until its ACK was with the kernel.
    package var pushToAck = LatencySummary()
    /// The same until a RELOAD for it was, if nothing has held that back on purpose.
    package var pushToReload = LatencySummary()
    /// A turn of the loop.
    package var turn = LatencySummary()
    /// An append to the journal, until it is as durable as it has to be.
    package var commit = LatencySummary()
    /// How late the loop comes to do what is due at a time.
    package var schedulerLag = LatencySummary()

    package init() {}
}

/// What passes through the loop.
package struct LoopStatus: Equatable, Sendable {
    /// Connections that are not read from until the router takes frames again.
    package var heldConnections = 0
    /// Output that the kernel has not taken.
    package var outputByteCount = 0
    /// Since the start: frames that were taken, and output that the kernel has taken.
    package var receivedByteCount: UInt64 = 0
    package var sentByteCount: UInt64 = 0
    /// Connections that were accepted since the start.
    package var acceptedCount: UInt64 = 0
    /// The most output at a time since the start: what the kernel has not taken, answers that wait
    /// for the store, and those of a turn.
    package var outputMax = 0
    /// Input that is kept because it is no whole frame, or the router takes none; and the most of it at
    /// a time since the start.
    package var keptInputByteCount = 0
    package var keptInputMax = 0
    /// Connections that were refused, or ended for others, since the start.
    package var refused = RefusedConnections()
    /// True while no connection is read because the output of all together is at its limit.
    package var pausedByOutput = false
    /// True while no connection is read because the unfinished input of all together is at its limit.
    package var pausedByInput = false

    package init() {}
}

/// How the store does.
package struct StoreStatus: Equatable, Sendable {
    package struct Failure: Equatable, Sendable {
        package var code: StoreErrorCode
        /// In milliseconds of the monotonic clock.
        package var since: Int64

        package init(code: StoreErrorCode, since: Int64) {
            self.code = code
            self.since = since
        }
    }

    /// Nil while it works.
    package var failure: Failure?
    /// How often it has failed since the start, each new try counted.
    package var failureCount: UInt64 = 0
    /// Positions of the last records of the journal that were submitted and committed.
    package var submitted: UInt64 = 0
    package var committed: UInt64 = 0
    package var waitingJournalByteCount = 0
    package var heldAnswerByteCount = 0
    package var checkpointsBegun = 0
    package var checkpointsSealed = 0
    /// Whether one is begun, and neither sealed nor given up.
    package var isCheckpointRunning = false
    /// The store's number of the last one that was begun, which goes on over restarts.
    package var checkpointNumber: UInt32 = 0
    /// Of the last checkpoint that was sealed; 0 if there is none since the start.
    package var checkpointByteCount = 0
    package var checkpointMilliseconds: Int64 = 0
    /// The longest turn of the loop in that time, in ns.
    package var checkpointLongestTurn: Int64 = 0
    /// As of the last checkpoint.
    package var diskByteCount: UInt64 = 0

    package init() {}
}

/// How the recording of inputs does.
package struct RecordingStatus: Equatable, Sendable {
    /// Whether nothing can be written now.
    package var isFailing = false
    /// Records that were written.
    package var recordCount: UInt64 = 0
    /// Records that there was no room for.
    package var lostCount: UInt64 = 0
    package var fileCount: UInt64 = 0
    /// Of the records, before and after they were compressed.
    package var byteCount: UInt64 = 0
    package var storedByteCount: UInt64 = 0

    package init() {}
}
