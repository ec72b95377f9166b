package import DataStructures

/// What a store holds, for those who only read: a router is made of it.
///
/// Calls are as those of `StoreEngine`: from one thread at a time, and none out of the `body` of
/// another.
package protocol StoreSource {
    /// Hands out all records of the table in the order of their keys, with their headers
    /// (`TableRecord.body` checks those).
    ///
    /// - Throws: `corrupt` or `io`, and what `body` throws.
    func scan(
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError)

    /// Hands out what was appended to the log together, in its order, from where `position` lies
    /// within or behind it (`JournalChain` checks that nothing is missing).
    ///
    /// What an engine hands out is durable by then, also if the process that appended it ended before
    /// it was synced: whoever reads it may tell others of it.
    ///
    /// - Throws: `corrupt` or `io`, and what `body` throws.
    func replay(
        from position: UInt64,
        _ body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError)
}
