package import Basics
internal import Platform
package import StoreFormat

/// The limits of `GroupCommit`, and what happens at each.
package struct CommitLimits: Sendable {
    /// The number of journal bytes waiting for the disk at which `GroupCommit.hasRoom` becomes
    /// false, so that the owner accepts no more inputs.
    package var pendingByteCount = 256 << 20
    /// The number of bytes of table changes waiting for the disk at which a checkpoint pauses.
    package var tableByteCount = 32 << 20
    /// The most bytes appended in one piece; a single longer record is appended alone.
    package var chunkByteCount = 4 << 20
    /// The most empty chunks that are kept for reuse.
    package var spareCount = 4
    /// The initial capacity of a chunk, in bytes.
    package var spareByteCount = 64 << 10
    /// The wait before a failed step is tried again.
    package var retryInterval = Milliseconds.seconds(1)
    /// The wait before a table that has failed is opened again: that keeps the journal waiting.
    package var tableRetryInterval = Milliseconds.seconds(5)
    /// The wait before the engine is asked again whether the table is busy.
    package var busyInterval = Milliseconds.milliseconds(2)
    /// The wait after an append before it is noted how far the journal reaches: so long may be what
    /// is lost without a trace when the end of the journal is lost.
    package var noteInterval = Milliseconds.seconds(1)
    /// How long `close` tries to write what is pending to a failing disk.
    package var closeTimeout = Milliseconds.seconds(10)

    /// The default limits.
    package init() {}
}

/// When a submitted record counts as committed, and its answer may leave.
package enum Durability: String, Sendable, CaseIterable {
    /// When it is on the disk: it survives a loss of power.
    case full
    /// When the operating system has it: it survives the end of the process.
    case os
    /// At once: what the process has not yet written is lost when it ends.
    case none
}

/// Whether commits succeed.
package enum CommitStatus: Equatable, Sendable {
    case working
    /// The latest error, and since when nothing has been committed.
    case failing(StoreError, since: MonotonicTime)

    /// Fails, or still fails, with this error.
    mutating func fail(_ error: StoreError) {
        if case .failing(_, let since) = self {
            self = .failing(error, since: since)
        } else {
            self = .failing(error, since: .now)
        }
    }
}
