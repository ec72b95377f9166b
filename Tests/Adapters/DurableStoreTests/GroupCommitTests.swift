import Basics
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

@Suite("GroupCommit")
struct GroupCommitTests {
    @Test("commits in one append what was submitted while the disk worked")
    func gathering() throws {
        var harness = GroupCommitHarness()
        harness.holdInAppend()
        harness.submit(4)
        #expect(harness.commit.committed == 0)
        #expect(harness.commit.pendingByteCount == 5 * 33)
        harness.release()
        harness.waitForCommit()
        #expect(harness.calls == ["append 1...1", "append 2...5"])
        #expect(harness.commit.pendingByteCount == 0)
        #expect(try replayed(harness.engine) == harness.bodies)
    }

    @Test("knows how long each append took, and not how much it had")
    func latency() {
        var harness = GroupCommitHarness()
        harness.holdInAppend()
        harness.submit(4)
        harness.release()
        #expect(harness.commit.close() == 0)
        let latency = harness.commit.commitLatency
        #expect(latency.count == 2 && latency.recentCount == 2)
        #expect(latency.sum > 0 && latency.longest > 0)
        harness.commit.rotateLatencyWindow()
        harness.commit.rotateLatencyWindow()
        #expect(harness.commit.commitLatency.recentCount == 0)
        #expect(harness.commit.commitLatency.count == 2)
    }

    @Test("continues after the journal that was there")
    func continuation() throws {
        var journal = Journal()
        let signal = Signal()
        let engine = ScriptedEngine(signal)
        try journal.append([[1], [2]], to: engine)
        let commit = GroupCommit(
            engine: engine,
            durability: .full,
            from: journal.position,
            parent: journal.parent
        ) { signal.notify() }
        #expect(commit.committed == 2)
        #expect([3].withByteView { commit.submit($0) } == 3)
        #expect(commit.close() == 0 && commit.committed == 3)
        #expect(try replayed(engine) == [[1], [2], [3]])
    }

    @Test("syncs with full durability only")
    func unsynced() {
        var harness = GroupCommitHarness(.os)
        harness.submit(1)
        harness.waitForCommit()
        #expect(harness.calls == ["append 1...1 unsynced"])
    }

    @Test("commits without durability what is submitted, before the disk has begun")
    func noDurability() throws {
        var harness = GroupCommitHarness(.none)
        harness.holdInAppend()
        harness.submit(2)
        #expect(harness.commit.committed == 3)
        harness.release()
        #expect(harness.commit.close() == 0)
        #expect(try replayed(harness.engine) == harness.bodies)
        #expect(harness.calls.allSatisfy { $0.hasSuffix("unsynced") })
    }

    @Test("appends in pieces of a limited size what has gathered, and has room again then")
    func pieces() throws {
        var limits = GroupCommitHarness.limits
        limits.chunkByteCount = 100
        limits.spareCount = 1
        limits.pendingByteCount = 400
        var harness = GroupCommitHarness(limits: limits)
        harness.holdInAppend()
        for count in [68, 1, 35, 1, 500, 0, 67, 1] {
            harness.submit([UInt8](repeating: 7, count: count))
        }
        #expect(!harness.commit.hasRoom)
        harness.release()
        harness.waitForCommit()
        #expect(harness.commit.hasRoom)
        #expect(
            harness.calls == [
                "append 1...1", "append 2...2", "append 3...4", "append 5...5", "append 6...6",
                "append 7...7", "append 8...8", "append 9...9",
            ]
        )
        #expect(try replayed(harness.engine) == harness.bodies)
    }

    @Test("works on the table in order, after the journal that was submitted before")
    func tableOrder() {
        var harness = GroupCommitHarness()
        harness.holdInAppend()
        harness.submit(1)
        #expect(harness.commit.beginCheckpoint() == 1)
        harness.write(1)
        harness.write(2)
        harness.submit(1)
        harness.seal()
        #expect(harness.commit.pendingTableByteCount > 0)
        harness.release()
        harness.signal.wait(for: "the seal") { harness.commit.sealed == 1 }
        #expect(harness.commit.pendingTableByteCount == 0)
        #expect(
            harness.calls == [
                "append 1...1", "append 2...3", "write 1", "write 1", "write 1", "begin seal",
                "seal",
            ]
        )
        #expect(harness.sealedNumbers == [1, 2])
    }

    @Test("does one step for the table after each append when the journal never pauses")
    func fairness() {
        var harness = GroupCommitHarness()
        harness.holdInAppend()
        #expect(harness.commit.beginCheckpoint() == 1)
        for number in 0..<3 as Range<UInt32> { harness.write(number) }
        for _ in 0..<5 {
            // The next record is there before the append of this one ends.
            let position = harness.submit([1])
            harness.release(1)
            harness.waitForCall("begin append \(position)")
        }
        #expect(
            harness.calls == [
                "append 1...1", "write 1", "append 2...2", "write 1", "append 3...3", "write 1",
                "append 4...4", "append 5...5",
            ]
        )
    }

    @Test("does not let the journal wait for a table that is busy")
    func busyTable() {
        var harness = GroupCommitHarness()
        harness.engine.with { $0.isTableBusy = true }
        _ = harness.commit.beginCheckpoint()
        harness.write(1)
        harness.submit(3)
        harness.waitForCommit()
        #expect(!harness.calls.contains("write 1"))
        harness.engine.with { $0.isTableBusy = false }
        harness.waitForCall("write 1")
    }

    @Test("says when a checkpoint must pause, and when it can continue")
    func tableRoom() {
        var limits = GroupCommitHarness.limits
        limits.tableByteCount = 60
        var harness = GroupCommitHarness(limits: limits)
        harness.holdInAppend()
        _ = harness.commit.beginCheckpoint()
        harness.write(1)
        #expect(harness.commit.hasTableRoom)
        harness.write(2)
        #expect(!harness.commit.hasTableRoom)
        harness.release()
        harness.signal.wait(for: "room") { harness.commit.hasTableRoom }
    }

    @Test("begins a segment exactly after what was submitted, so that a cut takes all of it")
    func rotation() throws {
        var harness = GroupCommitHarness()
        harness.holdInAppend()
        harness.submit(2)
        harness.commit.rotate()
        harness.submit(2)
        harness.release()
        harness.waitForCommit()
        #expect(harness.calls == ["append 1...1", "append 2...3", "rotate 4", "append 4...5"])
        harness.commit.cut(before: 4)
        harness.waitForCall("cut 4")
        #expect(try replayed(harness.engine, from: 4) == Array(harness.bodies[3...]))
        #expect(harness.engine.read { $0.groups.keys.sorted() } == [4])
        // Also when nothing follows.
        harness.commit.rotate()
        harness.waitForCall("rotate 6")
        harness.submit(1)
        harness.waitForCommit()
        #expect(harness.engine.read { $0.segments } == [4, 6])
    }

    @Test("commits what is pending when it is closed, and drops what waits for the table")
    func closing() throws {
        var harness = GroupCommitHarness()
        harness.holdInAppend()
        harness.submit(3)
        _ = harness.commit.beginCheckpoint()
        harness.write(1)
        harness.write(2)
        harness.release()
        #expect(harness.commit.close() == 0)
        #expect(harness.commit.close() == 0)
        #expect(harness.commit.committed == 4)
        #expect(try replayed(harness.engine) == harness.bodies)
    }

    @Test(
        "has it noted how far the journal reaches, once after appends, and again if that was late"
    )
    func notes() {
        var limits = GroupCommitHarness.limits
        limits.noteInterval = 1
        var harness = GroupCommitHarness(limits: limits)
        harness.submit(1)
        harness.signal.wait(for: "a note") { harness.engine.read { $0.notes.last } == 1 }
        harness.engine.with { $0.lateNotes = 3 }
        harness.submit(2)
        harness.signal.wait(for: "the next note") {
            harness.engine.read { $0.lateNotes == 0 && $0.notes.last ?? 0 > 1 }
        }
        #expect(harness.commit.close() == 0)
        // Never twice without an append in between.
        let notes = harness.engine.read { $0.notes }
        #expect(notes == notes.sorted() && Set(notes).count == notes.count)
    }

    @Test("has nothing noted before a time has passed")
    func notedLater() {
        var limits = GroupCommitHarness.limits
        limits.noteInterval = 3_600_000
        var harness = GroupCommitHarness(limits: limits)
        harness.submit(3)
        harness.waitForCommit()
        #expect(harness.commit.close() == 0)
        #expect(harness.engine.read { $0.notes } == [])
    }
}
