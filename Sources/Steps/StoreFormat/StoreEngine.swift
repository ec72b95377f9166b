package import Basics

/// What the router needs of a store: a log of inputs, and a table with the state that they led to.
/// Reading is in `StoreSource`.
///
/// All calls come from one thread at a time, and none from within the `body` of another call; the
/// engine may read ahead on a thread of its own. After an error the caller must `reopen`; `replay`
/// then shows everything that the failed call may have changed. If only the table has failed, as
/// `tableFailure` says, the log is as it was, and `reopenTable` is enough.
///
///     log      append ─► … ─► rotate ─► append ─► … ─► cut        inputs, in their order
///     table    write, write … ─► seal                             the state after some position
///
/// An engine that replicates can replace the local one: its `append` returns when the records are
/// committed by the replicas.
package protocol StoreEngine: StoreSource, AnyObject {
    // MARK: Log

    /// Appends whole journal records with consecutive positions as one group: all of them are kept,
    /// or none. To append the same records at the same position again is no error. If it
    /// `isSynced`, they are on the disk when the method returns; otherwise they survive the end of
    /// this process, but not a crash of the machine.
    ///
    /// - Throws: `full` or `io`.
    func append(_ records: ByteView, from position: UInt64, isSynced: Bool) throws(StoreError)

    /// Begins a new segment of the log before the next record; `cut` removes only whole segments.
    ///
    /// - Throws: `full` or `io`.
    func rotate(before position: UInt64) throws(StoreError)

    /// Removes the segments whose records all have lower positions.
    func cut(before position: UInt64) throws(StoreError)

    /// Starts to note on the disk how far the log reaches, so that the loss of its end is detected;
    /// appends can continue meanwhile. Returns false if it must be called again later, because the
    /// last note is not written yet. By default does nothing.
    func noteEnd() throws(StoreError) -> Bool

    // MARK: Table

    /// Writes changes. They are durable after the next `seal`; until then each of them may be lost,
    /// independently of the others.
    func write(_ changes: borrowing TableChanges) throws(StoreError)

    /// Makes all earlier writes durable.
    func seal() throws(StoreError)

    /// Starts a `seal` without waiting for it, so that appends can continue; the later `seal`
    /// completes it. By default does nothing.
    func beginSeal() throws(StoreError)

    /// Whether a write or `seal` would delay appends now; it becomes false by itself, without a
    /// call.
    var isTableBusy: Bool { get }

    /// Why the table cannot be used since a call for it has failed; nil while it can. The log can
    /// be used meanwhile. By default always nil: then an error of the table means that all must
    /// `reopen`.
    var tableFailure: StoreError? { get }

    /// Tries to open the table again, as the last `seal` has left it. By default does nothing.
    ///
    /// - Throws: why it still cannot be used.
    func reopenTable() throws(StoreError)

    // MARK: Life

    /// Closes and opens the store again after an error. Writes that were not durable may be lost,
    /// and nothing remains of an append that failed. If the log can be used again and the table
    /// cannot, that is no error: `tableFailure` says it.
    ///
    /// - Throws: also `gap` or `corrupt` if the log does not end with the last append that
    ///   succeeded.
    func reopen() throws(StoreError)

    /// The approximate size on the disk, in bytes.
    var diskByteCount: UInt64 { get }
}

extension StoreEngine {
    /// Notes nothing, for an engine that loses no end of its log.
    package func noteEnd() throws(StoreError) -> Bool { true }
    /// Does nothing; the `seal` that follows does all of the work.
    package func beginSeal() throws(StoreError) {}
    /// Always nil, for an engine of which all fails together.
    package var tableFailure: StoreError? { nil }
    /// Does nothing: the table is open.
    package func reopenTable() throws(StoreError) {}
    /// Always false, for an engine whose table never delays appends.
    package var isTableBusy: Bool { false }
}

/// The reading side of a store, from which a router is restored.
///
/// The rules of `StoreEngine` apply: calls come from one thread at a time, and none from within the
/// `body` of another.
package protocol StoreSource {
    /// Calls `body` with all records of the table in the order of their keys, headers included
    /// (`TableRecord.body` checks those).
    ///
    /// - Throws: `corrupt` or `io`, and what `body` throws.
    func scan(_ body: (TableKey, ByteView) throws(StoreError) -> Void) throws(StoreError)

    /// Calls `body` with groups of records that were appended together, in their order, from the
    /// group that contains `position` on (`JournalChain` checks that nothing is missing).
    ///
    /// Every group passed to `body` is durable by then, even if the process that appended it ended
    /// before syncing it, so replies may depend on it.
    ///
    /// - Throws: `corrupt` or `io`, and what `body` throws.
    func replay(
        from position: UInt64,
        body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError)
}
