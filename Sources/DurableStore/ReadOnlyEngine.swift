package import ByteStorage
package import StoreFormat

/// What a view shows, for those who read an engine and never write: a router that is made of the
/// store to see whether that can be done.
package final class ReadOnlyEngine: StoreEngine {
    private let view: StoreView

    package init(_ view: StoreView) {
        self.view = view
    }

    package func scan(
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        try view.scan(body)
    }

    package func replay(
        from position: UInt64,
        _ body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        try view.replay(from: position, body)
    }

    package var diskByteCount: UInt64 { StoreFolder(path: view.path).byteCount }

    // MARK: What nobody may call

    package func append(
        _ records: ByteView,
        from position: UInt64,
        isSynced: Bool
    ) throws(StoreError) {
        refuse()
    }

    package func rotate(before position: UInt64) throws(StoreError) { refuse() }
    package func cut(before position: UInt64) throws(StoreError) { refuse() }
    package func write(_ changes: borrowing TableChanges) throws(StoreError) { refuse() }
    package func seal() throws(StoreError) { refuse() }
    package func reopen() throws(StoreError) { refuse() }

    private func refuse() -> Never { preconditionFailure("a view of a store is only read") }
}

@available(*, unavailable)
extension ReadOnlyEngine: Sendable {}
