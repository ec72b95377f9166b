internal import AdminAPI
internal import Basics
internal import Logging
internal import Platform
internal import RouterStore
internal import StoreFormat

/// The store's part of the server: what commits, and what log and status say of it. Each event is
/// logged once, and not at each look: when the store fails and works again, and its checkpoints.
struct Commits {
    /// An outage, and what the log says of it.
    private struct Outage {
        let begin: Logger.Message
        let reminder: Logger.Message
        let end: Logger.Message
        var log = OutageLog()

        mutating func look(
            at failure: (error: StoreError, since: MonotonicTime)?,
            details: @autoclosure () -> Logger.Metadata = [:],
            logger: Logger
        ) {
            switch log.update(failure, now: .now) {
            case nil: break
            case .begins(let error): logger.error(begin, metadata: ["error": "\(error)"])
            case .continues(let error, let duration):
                var metadata = details()
                metadata["error"] = "\(error)"
                metadata["seconds"] = "\(duration.wholeSeconds)"
                logger.error(reminder, metadata: metadata)
            case .ends(let duration):
                logger.notice(end, metadata: ["seconds": "\(duration.wholeSeconds)"])
            }
        }
    }

    /// Writes the router's journal and checkpoints.
    let driver: CommitDriver
    private var outage = Outage(
        begin: "the store fails: nothing is acknowledged until it works again",
        reminder: "the store still fails",
        end: "the store works again"
    )
    private var checkpointOutage = Outage(
        begin: "checkpoints fail: the journal grows until they succeed again",
        reminder: "checkpoints still fail",
        end: "checkpoints succeed again"
    )
    /// The counters when checkpoints were last logged.
    private var counters = CheckpointCounters()
    /// When the newest checkpoint began.
    private var begin = MonotonicTime.zero
    /// Duration of the last sealed checkpoint.
    private var duration = Milliseconds.zero
    /// The longest tick during the last sealed checkpoint.
    private var longestTick = Nanoseconds.zero

    init(_ driver: CommitDriver) { self.driver = driver }

    /// Logs what has changed since the last call; the clock measures the longest tick of a
    /// checkpoint.
    mutating func look(clock: inout TickClock, logger: Logger) {
        let driver = driver
        outage.look(
            at: driver.failure,
            details: [
                "journal": "\(driver.waitingJournalByteCount)",
                "answers": "\(driver.waitingByteCount)",
            ],
            logger: logger
        )
        checkpointOutage.look(at: driver.tableFailure, logger: logger)
        if driver.counters != counters { look(at: driver.counters, clock: &clock, logger: logger) }
    }

    private mutating func look(
        at present: CheckpointCounters,
        clock: inout TickClock,
        logger: Logger
    ) {
        let now = clock.now().monotonic
        if present.begun > counters.begun {
            begin = now
            // Resets the maximum. The tick that begins the checkpoint has not ended yet, and so
            // counts.
            _ = clock.resetLongestTick()
            logger.info("a checkpoint begins", metadata: ["number": "\(present.newest)"])
        }
        if present.sealed > counters.sealed {
            duration = now - begin
            longestTick = clock.resetLongestTick()
            logger.info(
                "the checkpoint is on the disk",
                metadata: [
                    "number": "\(present.newest)", "bytes": "\(present.sealedByteCount)",
                    "milliseconds": "\(duration)",
                    "longestTickMicroseconds": "\(longestTick.rawValue / 1_000)",
                ]
            )
        }
        counters = present
    }

    /// The store's status.
    func status(isCheckpointRunning: Bool) -> StoreStatus {
        var status = StoreStatus()
        status.failure = driver.failure.map { .init(code: $0.error.code, since: $0.since) }
        status.checkpointFailure = driver.tableFailure.map {
            .init(code: $0.error.code, since: $0.since)
        }
        status.failureCount = driver.failureCount
        // Read in this order, `committed` is never above `submitted`.
        status.committed = driver.committed
        status.submitted = driver.submitted
        status.waitingJournalByteCount = driver.waitingJournalByteCount
        status.uncommittedByteCount = driver.waitingByteCount
        status.checkpointsBegun = driver.counters.begun
        status.checkpointsSealed = driver.counters.sealed
        status.isCheckpointRunning = isCheckpointRunning
        status.checkpointNumber = driver.counters.newest
        status.checkpointByteCount = driver.counters.sealedByteCount
        status.checkpointDuration = duration
        status.checkpointLongestTick = longestTick
        status.diskByteCount = driver.diskByteCount
        return status
    }

    /// Commits what is pending, and closes the store; says how many records could not be written.
    func close(logger: Logger) -> UInt64 {
        let count = driver.close()
        if count > 0 {
            logger.error(
                "the store could not keep everything; clients send again what was not acknowledged",
                metadata: ["records": "\(count)"]
            )
        }
        return count
    }
}
