package import RouterCore
package import StoreFormat

/// What the loop tells other threads of itself: plain values, as they were at one moment.
package struct RouterStatus: Equatable, Sendable {
    /// When that was, in milliseconds of the monotonic clock.
    package var time: Int64
    package var isDraining = false
    /// Whether nobody is read from because too much waits for the store.
    package var areInputsPaused = false
    package var counters = RouterCounters()
    /// Nil if nothing is stored.
    package var store: StoreStatus?
    /// Nil if nothing is recorded.
    package var recording: RecordingStatus?

    package init(time: Int64) {
        self.time = time
    }
}

/// How the store does.
package struct StoreStatus: Equatable, Sendable {
    package struct Failure: Equatable, Sendable {
        package var code: StoreError.Code
        /// In milliseconds of the monotonic clock.
        package var since: Int64

        package init(code: StoreError.Code, since: Int64) {
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
