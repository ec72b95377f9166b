package import DataStructures

/// What the router needs of a store: a log, and a table of what the log has led to, to be written
/// and, as a `StoreSource`, to be read.
///
/// All calls come from one thread at a time, and none out of the `body` of another: what an engine
/// hands out it may read ahead on a thread of its own. Whatever throws has changed nothing that the
/// next `reopen` and `replay` would not show; the caller reopens before it goes on.
///
///     log      append ─► … ─► rotate ─► append ─► … ─► cut        inputs, in their order
///     table    write, write … ─► seal                             the state behind some position
///
/// An engine that replicates can take this one's place: `append` returns when the records are
/// committed there.
package protocol StoreEngine: StoreSource, AnyObject {
    // MARK: Log

    /// Appends whole journal records, in one piece: all of them are kept, or none.
    ///
    /// - Parameters:
    ///   - records: one after the other, positions rising by one.
    ///   - position: of the first; appending it once more, with the same content, is no error.
    ///   - isSynced: whether they must have reached the disk when the method returns; else they
    ///     survive the end of this process, and not that of the machine.
    /// - Throws: `full` or `io`.
    func append(_ records: ByteView, from position: UInt64, isSynced: Bool) throws(StoreError)

    /// Begins a new segment of the log: `cut` forgets whole ones.
    ///
    /// - Parameter position: that of the next record.
    /// - Throws: `full` or `io`.
    func rotate(before position: UInt64) throws(StoreError)

    /// Forgets the segments that lie wholly before this position.
    func cut(before position: UInt64) throws(StoreError)

    // MARK: Table

    /// Writes changes; they are durable after the next `seal`, and may be lost, each for itself,
    /// until then.
    func write(_ changes: borrowing TableChanges) throws(StoreError)

    /// Makes everything durable that was written before.
    func seal() throws(StoreError)

    /// Begins what `seal` ends, and does not wait for it: appends can go on meanwhile.
    func beginSeal() throws(StoreError)

    /// Whether a write or a `seal` would keep appends waiting; it passes by itself.
    var isTableBusy: Bool { get }

    // MARK: Life

    /// Closes and opens again after an error: what was not durable may be gone, and nothing is there
    /// of an append that has failed.
    ///
    /// - Throws: also `gap` or `corrupt` if the log does not end with what was appended last.
    func reopen() throws(StoreError)

    /// Bytes on disk, about.
    var diskByteCount: UInt64 { get }
}

extension StoreEngine {
    package func beginSeal() throws(StoreError) {}
    package var isTableBusy: Bool { false }
}
