import ByteStorage
import DurableStore
import StoreFormat
import Testing

#if !DEBUG
/// The loop pays for a record of the journal with a copy and a checksum, and with no allocation.
@Suite("In steady state, with a durable store")
struct GroupCommitAllocationTests {
    @Test("no record is submitted to the journal with an allocation")
    func submit() {
        let commit = GroupCommit(
            engine: ForgetfulEngine(),
            durability: .full,
            from: 0,
            parent: 0,
            onChange: {}
        )
        let body = [UInt8](repeating: 7, count: 200)
        var position: UInt64 = 0
        func submit(_ count: Int) {
            body.withByteView { view in
                for _ in 0..<count { position = commit.submit(view) }
            }
            while commit.committed < position {}
        }
        // Chunks grow to what gathers while one is appended.
        for _ in 0..<20 { submit(10_000) }
        let count = allocations { for _ in 0..<10 { submit(5_000) } }
        #expect(count == 0)
        #expect(commit.close() == 0)
    }
}

/// Commits everything at once.
private final class ForgetfulEngine: StoreEngine {
    func append(
        _ records: ByteView,
        from position: UInt64,
        isSynced: Bool
    ) throws(StoreError) {}

    func replay(
        from position: UInt64,
        _ body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {}

    func rotate(before position: UInt64) throws(StoreError) {}
    func cut(before position: UInt64) throws(StoreError) {}
    func write(_ changes: borrowing TableChanges) throws(StoreError) {}
    func seal() throws(StoreError) {}

    func scan(
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {}

    func reopen() throws(StoreError) {}
    var diskByteCount: UInt64 { 0 }
}
#endif
