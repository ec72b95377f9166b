package import Basics

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
