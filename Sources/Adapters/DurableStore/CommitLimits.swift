package import StoreFormat

/// The limits of `GroupCommit`.
package struct CommitLimits: Sendable {
    /// Bytes of journal that may wait for the disk; beyond them `GroupCommit.hasRoom` is false, and
    /// whoever feeds it stops to take inputs.
    package var pendingByteCount = 256 << 20
    /// The same for changes to the table: a checkpoint pauses.
    package var tableByteCount = 32 << 20
    /// What is appended in one piece, in bytes; one record may be longer.
    package var chunkByteCount = 4 << 20
    /// So many chunks are kept when they are empty.
    package var spareCount = 4
    /// The memory with which a chunk begins, in bytes.
    package var spareByteCount = 64 << 10
    /// How long it waits before it tries again what has failed.
    package var retryMilliseconds: Int64 = 1_000
    /// How long it waits before it asks the engine again whether the table is busy.
    package var busyMilliseconds: Int64 = 2
    /// How long `close` tries to bring to a failing disk what is pending.
    package var closeMilliseconds: Int64 = 10_000

    package init() {}
}

/// When what was submitted counts as committed.
package enum Durability: String, Sendable, CaseIterable {
    /// When it is on the disk: it survives the loss of power.
    case full
    /// When the system has it: it survives the end of the process.
    case os
    /// At once: what the process had not yet handed to the system is lost when it ends.
    case none
}

/// Whether commits succeed.
package enum CommitStatus: Equatable, Sendable {
    case working
    /// What went wrong last, and since when nothing is committed, in milliseconds of the monotonic
    /// clock.
    case failing(StoreError, since: Int64)
}
