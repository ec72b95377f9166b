import Basics
import Platform
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

@Suite("GroupCommit with a failing disk")
struct GroupCommitFailureTests {
    private static let full = StoreError(.full, message: "the disk is full")
    private static let broken = StoreError(.io, message: "the disk is broken")

    @Test(
        "drops nothing, says so, and continues when the disk works again",
        arguments: [true, false]
    )
    func failure(isDone: Bool) throws {
        var harness = GroupCommitHarness()
        harness.holdInAppend()
        harness.engine.fail("append", times: 3, with: Self.full, isDone: isDone)
        harness.submit(2)
        harness.release()
        harness.waitForCommit()
        harness.signal.wait(for: "a good end") { harness.commit.status == .working }
        #expect(try replayed(harness.engine) == harness.bodies)
        // The same piece is tried until it works; the rest follows.
        let one = ["append 1...1", "reopen"]
        #expect(harness.calls == one + one + one + ["append 1...1", "append 2...3"])
    }

    @Test("says since when it fails, and why it fails now")
    func status() {
        var limits = GroupCommitHarness.limits
        limits.closeTimeout = 10_000
        var harness = GroupCommitHarness(limits: limits)
        let begin = MonotonicTime.now
        harness.engine.with { state in
            state.fault = { call in
                if call.hasPrefix("append") { return ScriptedEngine.Fault(error: Self.full) }
                return call == "reopen" ? ScriptedEngine.Fault(error: Self.broken) : nil
            }
        }
        harness.submit(1)
        harness.waitForFailure()
        var since = MonotonicTime.zero
        harness.signal.wait(for: "a failing reopen") {
            guard case .failing(Self.broken, let time) = harness.commit.status else { return false }
            since = time
            return true
        }
        #expect(since >= begin && since <= MonotonicTime.now)
        let count = harness.engine.calls.count
        harness.signal.wait(for: "more tries") { harness.engine.calls.count > count + 5 }
        guard case .failing(_, let later) = harness.commit.status else {
            return #expect(Bool(false), "it cannot work")
        }
        #expect(later == since && harness.commit.committed == 0)
        harness.engine.with { $0.fault = { _ in nil } }
        harness.waitForCommit()
    }

    @Test("works again without a journal to append once the engine is open")
    func idleRecovery() {
        let harness = GroupCommitHarness()
        harness.engine.fail("write", with: Self.broken)
        _ = harness.commit.beginCheckpoint()
        harness.write(1)
        harness.signal.wait(for: "the loss") { harness.commit.lost == 1 }
        harness.signal.wait(for: "a good end") { harness.commit.status == .working }
        #expect(harness.calls == ["write 1", "reopen"])
    }

    @Test(
        "reports a checkpoint as lost of which something was written and nothing sealed",
        arguments: ["write", "begin seal", "seal", "append"]
    )
    func lostCheckpoint(failing: String) {
        var harness = GroupCommitHarness()
        #expect(harness.commit.beginCheckpoint() == 1)
        harness.write(1)
        harness.waitForCall("write")
        harness.engine.fail(failing, with: Self.broken)
        harness.submit(1)
        if failing != "append" {
            harness.write(2)
            harness.seal()
        }
        harness.signal.wait(for: "the loss") { harness.commit.lost == 1 }
        // Whatever else belongs to it has no effect.
        harness.write(3)
        harness.seal()
        harness.commit.cut(before: 1)
        harness.waitForCommit()
        #expect(harness.commit.sealed == 0 && harness.sealedNumbers.isEmpty)

        #expect(harness.commit.beginCheckpoint() == 2)
        harness.write(4, epoch: 2)
        harness.seal(epoch: 2)
        harness.signal.wait(for: "the next one") { harness.commit.sealed == 2 }
        #expect(harness.commit.lost == 1 && harness.sealedNumbers == [4])
        #expect(!harness.calls.contains("cut 1"))
    }

    @Test(
        "goes on with the journal while only the table fails, and then makes up for the checkpoint",
        arguments: ["write", "begin seal", "seal"]
    )
    func failingTable(step: String) throws {
        var harness = GroupCommitHarness()
        harness.engine.with { state in
            state.losesTable = true
            state.fault = { call in
                call.hasPrefix(step) || call == "open table"
                    ? ScriptedEngine.Fault(error: Self.broken) : nil
            }
        }
        #expect(harness.commit.beginCheckpoint() == 1)
        harness.write(1)
        harness.seal()
        harness.signal.wait(for: "the loss") { harness.commit.lost == 1 }
        harness.submit(20)
        harness.waitForCommit()
        #expect(harness.commit.status == .working && !harness.commit.isTableOpen)
        guard case .failing(Self.broken, _) = harness.commit.tableStatus else {
            return #expect(Bool(false), "checkpoints fail")
        }
        harness.engine.with { $0.fault = { _ in nil } }
        harness.signal.wait(for: "the table") { harness.commit.isTableOpen }
        #expect(harness.commit.tableStatus != .working, "the checkpoint is owed")
        #expect(harness.commit.beginCheckpoint() == 2)
        harness.write(2, epoch: 2)
        harness.seal(epoch: 2)
        harness.signal.wait(for: "the next one") { harness.commit.sealed == 2 }
        #expect(harness.commit.tableStatus == .working && harness.sealedNumbers == [2])
        #expect(!harness.calls.contains("reopen"))
        #expect(try replayed(harness.engine) == harness.bodies)
    }

    @Test("deletes once more what was not sealed, and keeps what waits")
    func deletions() {
        var harness = GroupCommitHarness()
        _ = harness.commit.beginCheckpoint()
        harness.write(1)
        harness.write(2)
        harness.seal()
        harness.signal.wait(for: "the seal") { harness.commit.sealed == 1 }
        var changes = TableChanges()
        changes.delete(TableKey(type: 1, number: 1, epoch: 1))
        harness.commit.delete(changes)
        harness.waitForCall("write")
        harness.engine.fail("append", with: Self.broken)
        harness.submit(1)
        harness.commit.cut(before: 1)
        harness.waitForCommit()
        harness.waitForCall("cut 1")
        #expect(harness.commit.lost == 0)
        _ = harness.commit.beginCheckpoint()
        harness.seal(epoch: 2)
        harness.signal.wait(for: "the seal") { harness.commit.sealed == 2 }
        #expect(harness.sealedNumbers == [2])
    }

    @Test("gives up after a time when it is closed, and says how many records it keeps back")
    func givingUp() {
        var harness = GroupCommitHarness()
        harness.submit(1)
        harness.waitForCommit()
        harness.engine.fail("append", times: .max, with: Self.full)
        harness.submit(3)
        harness.waitForFailure()
        #expect(harness.commit.close() == 3)
        #expect(harness.commit.committed == 1)
    }

    @Test("tries once more at once when it is closed while it waits for the next try")
    func lastTry() throws {
        var limits = CommitLimits()
        limits.retryInterval = 3_600_000
        var harness = GroupCommitHarness(limits: limits)
        harness.engine.fail("append", with: Self.full)
        harness.submit(3)
        harness.waitForFailure()
        #expect(harness.commit.close() == 0)
        #expect(try replayed(harness.engine) == harness.bodies)
    }

    /// Every call may fail, done or not.
    ///
    /// Whatever counts as committed is there; in the end all is.
    @Test("keeps its promises when anything may fail at any step", arguments: 0..<40)
    func anything(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var limits = GroupCommitHarness.limits
        limits.chunkByteCount = 200
        limits.spareCount = 1
        limits.closeTimeout = 60_000
        var harness = GroupCommitHarness(limits: limits)
        var faults = SeededGenerator(seed: seed &+ 1_000)
        harness.engine.with { state in
            state.losesTable = seed % 2 == 1
            state.fault = { _ in
                if faults.below(8) > 0 { return nil }
                return ScriptedEngine.Fault(error: Self.broken, isDone: faults.below(2) == 0)
            }
        }
        var checkpoint: UInt64 = 0
        for _ in 0..<300 {
            switch generator.below(8) {
            case 0..<5: harness.submit(generator.bytes(generator.below(90)))
            case 5:
                if checkpoint == max(harness.commit.sealed, harness.commit.lost) {
                    checkpoint = harness.commit.beginCheckpoint()
                    harness.commit.rotate()
                    harness.write(UInt32(checkpoint), epoch: UInt32(checkpoint))
                    harness.seal(epoch: UInt32(checkpoint))
                }
            case 6: try expectCommitted(harness)
            default: harness.waitForCommit()
            }
        }
        #expect(harness.commit.close() == 0)
        #expect(try replayed(harness.engine) == harness.bodies)
        // A sealed checkpoint is there; of the others no one is, unless its seal has failed late.
        let numbers = Set(harness.sealedNumbers)
        #expect(harness.commit.sealed == 0 || numbers.contains(UInt32(harness.commit.sealed)))
    }

    private func expectCommitted(_ harness: borrowing GroupCommitHarness) throws {
        let count = Int(harness.commit.committed)
        let found = try replayed(harness.engine)
        #expect(found.count >= count)
        #expect(found.prefix(count).elementsEqual(harness.bodies.prefix(count)))
    }
}
