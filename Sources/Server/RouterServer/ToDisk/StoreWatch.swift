internal import AdminAPI
internal import Basics
internal import Logging
internal import Platform
internal import RouterStore
internal import StoreFormat

/// What the log and the status say of the store: when it fails and works again, and its
/// checkpoints; each event is logged once, and not at each look.
struct StoreWatch {
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

    /// Logs what has changed since the last call; the clock measures the longest tick of a
    /// checkpoint.
    mutating func look(at driver: CommitDriver, clock: inout TickClock, logger: Logger) {
        outage.look(
            at: driver.failure,
            details: [
                "journal": "\(driver.waitingJournalByteCount)",
                "answers": "\(driver.waitingByteCount)",
            ],
            logger: logger
        )
        checkpointOutage.look(at: driver.tableFailure, logger: logger)
        if driver.counters != counters {
            look(at: driver.counters, clock: &clock, logger: logger)
        }
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
    func status(of driver: CommitDriver, isCheckpointRunning: Bool) -> StoreStatus {
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
}
