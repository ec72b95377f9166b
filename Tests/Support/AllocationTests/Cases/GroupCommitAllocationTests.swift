import Basics
import DurableStore
import FrameCodec
import RouterCore
import RouterStore
import StoreFormat
import Testing

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
            hasThread: false,
            onChange: {}
        )
        let body = [UInt8](repeating: 7, count: 200)
        func submit(_ count: Int) {
            body.withByteView { view in
                for _ in 0..<count { _ = commit.submit(view) }
            }
        }
        // What the store's thread would do.
        func write() { while commit.runStep() == .done {} }
        // Chunks grow to what gathers while one is appended.
        for _ in 0..<20 {
            submit(10_000)
            write()
        }
        var count = 0
        for _ in 0..<10 {
            count += allocations { submit(5_000) }
            write()
        }
        #expect(count == 0)
        #expect(commit.close() == 0)
    }

    /// A router whose state is written to a store that has all of it already.
    private func makeDriver(_ bench: inout RouterBench) -> CommitDriver {
        bench.router.journalTaken()
        bench.router.startTracking(isSaved: true)
        bench.load(encodeFrame(.push, seq: 0, body: Array(#"{"weather":"rain"}"#.utf8)))
        let commit = GroupCommit(
            engine: ForgetfulEngine(),
            durability: .full,
            from: 0,
            parent: 0,
            hasThread: false,
            onChange: {}
        )
        return CommitDriver(commit: commit, journalByteCount: 0, stateByteCount: 0)
    }

    /// One turn, what the store's thread would do meanwhile, and the ACKs that may leave then.
    private func tick(_ bench: inout RouterBench, _ driver: CommitDriver) -> Int {
        bench.tick(driver)
        while driver.commit.runStep() == .done {}
        var count = 0
        driver.uncommittedAnswers.release(upTo: driver.commit.committed) { _, _ in count += 1 }
        return count
    }

    @Test("no push that reloads 500 widgets allocates between its bytes and its ACK")
    func pushes() {
        var bench = RouterBench()
        let driver = makeDriver(&bench)
        for _ in 0..<50 { _ = tick(&bench, driver) }
        var acknowledged = 0
        let count = allocations { for _ in 0..<50 { acknowledged += tick(&bench, driver) } }
        #expect(count == 0)
        #expect(acknowledged == 50)
        #expect(bench.reloadCount == 500 * 100)
    }

    @Test("no unwritten page of a checkpoint allocates for its copy, after the first checkpoint")
    func copies() {
        var bench = RouterBench()
        let driver = makeDriver(&bench)
        func checkpoint(_ ticks: Int) -> Int {
            for _ in 0..<ticks { _ = tick(&bench, driver) }
            bench.router.beginCheckpoint()
            let count = allocations { for _ in 0..<20 { _ = tick(&bench, driver) } }
            bench.router.abandonCheckpoint()
            var changes = TableChanges()
            while bench.router.checkpointPhase != .idle {
                bench.router.deleteObsolete(&changes, limit: 1 << 16)
            }
            return count
        }
        #expect(checkpoint(20) > 0, "the first one has no memory to use again")
        for _ in 0..<3 { _ = checkpoint(20) }
        #expect(checkpoint(20) == 0)
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
        body: (ByteView) throws(StoreError) -> Void
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
