package import Basics
package import RouterCore
package import StoreFormat

/// The router's state at one moment, copied by the loop for other threads: plain values, from which
/// they make the status page and the metrics.
package struct RouterStatus: Equatable, Sendable {
    /// The moment.
    package var time: MonotonicTime
    /// The same moment as a date.
    package var wallTime = WallTime.zero
    /// When the process began to serve.
    package var startedAt = WallTime.zero
    /// The program's version.
    package var version = ""
    /// Sentences about what is for trials, such as open roles; empty for none.
    package var warnings: [String] = []
    /// Sentences about what kinds declare that has no effect; empty for none.
    package var hints: [String] = []
    /// The files that SIGHUP reads again, and whether they are in force.
    package var files: [RereadFile] = []
    /// True once the router drains: it accepts no connections and no input.
    package var isDraining = false
    /// True while no connection is read from because too much waits for the store.
    package var areInputsPaused = false
    /// The counters of the router, which only rise.
    package var counters = RouterCounters()
    /// The router's present totals: what waits, what is stored, apps, origins and hot keys.
    package var totals = RouterTotals()
    /// How long pushes, ticks and commits take.
    package var latencies = LatencyStatus()
    /// The loop's connections and bytes.
    package var loop = LoopStatus()
    /// Log messages suppressed since the start because there were too many in a second.
    package var suppressedLogCount: UInt64 = 0
    /// The state of the store; nil if the router has none.
    package var store: StoreStatus?
    /// The state of the recording; nil if inputs are not recorded.
    package var recording: RecordingStatus?
    /// The state of delivery by APNs; nil if there is none.
    package var apns: APNsStatus?

    /// Makes an empty status for a moment.
    package init(time: MonotonicTime) { self.time = time }
}

/// How long pushes, ticks and commits take, and how late scheduled work is.
package struct LatencyStatus: Equatable, Sendable {
    /// From the beginning of the tick that read a push until its ACK was passed to the kernel.
    package var pushToAck = LatencyFigures()
    /// From the beginning of the tick that read a push until a RELOAD for the push was passed to
    /// the kernel; RELOADs that a policy, an origin or a full connection has delayed are not
    /// measured.
    package var pushToReload = LatencyFigures()
    /// A tick of the loop.
    package var tick = LatencyFigures()
    /// An append to the journal, until it is as durable as configured.
    package var commit = LatencyFigures()
    /// How late the loop performs scheduled work.
    package var schedulerLag = LatencyFigures()
}

/// Connections and bytes that pass through the loop.
package struct LoopStatus: Equatable, Sendable {
    /// Connections paused until the router accepts their frames again.
    package var pausedConnections = 0
    /// Bytes of output that the kernel has not accepted.
    package var outputByteCount = 0
    /// Bytes of frames that the router has consumed since the start.
    package var receivedByteCount: UInt64 = 0
    /// Bytes of output that the kernel has accepted since the start.
    package var sentByteCount: UInt64 = 0
    /// Connections accepted since the start.
    package var acceptedCount: UInt64 = 0
    /// The most bytes of output at any time since the start: not accepted by the kernel, awaiting
    /// commit, or made in that tick.
    package var outputMax = 0
    /// Bytes of input kept because a frame is incomplete or the router accepts none at present.
    package var keptInputByteCount = 0
    /// The most bytes of kept input at any time since the start.
    package var keptInputMax = 0
    /// Connections refused, or closed in favour of others, since the start.
    package var refused = RefusedConnections()
    /// HELLOs that were refused because of what their clients have shown, since the start, by the
    /// reason's label.
    package var refusedCredentials: [String: UInt64] = [:]
    /// When the next credential of the app file expires; nil if none will.
    package var credentialExpiry: WallTime?
    /// TLS handshakes that were completed since the start.
    package var handshakes = HandshakeCounts()
    /// When the first certificate expires; nil if the router speaks without TLS.
    package var certificateExpiry: WallTime?
    /// The callbacks of the loop that took more than 5 ms, by what they did.
    package var stalls: [StallTotal] = []
    /// True while no connection is read from because the total output is at its limit.
    package var pausedByOutput = false
    /// True while no connection is read from because the total of kept input is at its limit.
    package var pausedByInput = false

    /// Makes a status of a loop that has done nothing yet.
    package init() {}
}

/// The callbacks of the loop that took more than 5 ms and did one kind of work.
package struct StallTotal: Equatable, Sendable {
    /// What they did, as the label of a metric.
    package var work: String
    /// Their number since the start.
    package var count: UInt64
    /// The sum of their times.
    package var time: Nanoseconds

    /// Makes a total from what was measured.
    package init(work: String, count: UInt64, time: Nanoseconds) {
        self.work = work
        self.count = count
        self.time = time
    }
}

/// Counts of completed TLS handshakes.
package struct HandshakeCounts: Equatable, Sendable {
    /// With a new session, which takes a signature.
    package var full: UInt64 = 0
    /// With a ticket of an earlier session.
    package var resumed: UInt64 = 0
}

/// State of the store, of its journal, and of its checkpoints.
package struct StoreStatus: Equatable, Sendable {
    /// Why the store fails, and since when.
    package struct Failure: Equatable, Sendable {
        /// The kind of the failure.
        package var code: StoreErrorCode
        /// Since when nothing has been committed, or no checkpoint has succeeded.
        package var since: MonotonicTime

        /// Makes a failure from its kind and its beginning.
        package init(code: StoreErrorCode, since: MonotonicTime) {
            self.code = code
            self.since = since
        }
    }

    /// Why the store fails; nil while it works.
    package var failure: Failure?
    /// Why checkpoints fail; nil while they succeed.
    package var checkpointFailure: Failure?
    /// Failed attempts to write to the store since the start; every retry that fails counts again.
    package var failureCount: UInt64 = 0
    /// Position of the last record that was submitted to the journal.
    package var submitted: UInt64 = 0
    /// Position of the last record that is committed.
    package var committed: UInt64 = 0
    /// Bytes of journal waiting to be committed.
    package var waitingJournalByteCount = 0
    /// Bytes of frames awaiting commit.
    package var uncommittedByteCount = 0
    /// Checkpoints that began since the start.
    package var checkpointsBegun = 0
    /// Checkpoints that became durable since the start.
    package var checkpointsSealed = 0
    /// True while a checkpoint has begun and is neither sealed nor abandoned.
    package var isCheckpointRunning = false
    /// The store's number of the newest checkpoint that began; it keeps counting across restarts.
    package var checkpointNumber: UInt32 = 0
    /// Bytes of the last checkpoint sealed since the start; 0 if there is none.
    package var checkpointByteCount = 0
    /// The duration of the last checkpoint sealed since the start; zero if there is none.
    package var checkpointDuration = Milliseconds.zero
    /// The longest tick of the loop during the last checkpoint sealed since the start.
    package var checkpointLongestTick = Nanoseconds.zero
    /// Size of the store on disk in bytes, as of the last checkpoint.
    package var diskByteCount: UInt64 = 0

    /// Makes a status of a store that works and has done nothing yet.
    package init() {}
}

/// State of the recording of inputs.
package struct RecordingStatus: Equatable, Sendable {
    /// True while nothing can be written.
    package var isFailing = false
    /// Records written.
    package var recordCount: UInt64 = 0
    /// Inputs that are missing from the recording.
    package var lostCount: UInt64 = 0
    /// Files of the recording.
    package var fileCount: UInt64 = 0
    /// Bytes of the records before compression.
    package var byteCount: UInt64 = 0
    /// Bytes that they take on disk.
    package var storedByteCount: UInt64 = 0

    /// Makes a status of a recording without records.
    package init() {}
}

/// Counts of connections that were refused, or closed in favour of others, by reason, since the
/// start.
package struct RefusedConnections: Equatable, Sendable {
    /// The limit of open connections was reached.
    package var connections: UInt64 = 0
    /// The peer's network had too many connections, or too many without a session.
    package var address: UInt64 = 0
    /// The TLS handshake failed.
    package var handshake: UInt64 = 0
    /// Too much was waiting for the store.
    package var store: UInt64 = 0
    /// Closed while the total of kept input was at its limit: they were sending a frame, or not
    /// reading.
    package var input: UInt64 = 0
    /// Closed while the total of output was at its limit: they had most of it, and did not read.
    package var output: UInt64 = 0

    var total: UInt64 { connections + address + handshake + store + input + output }
}
