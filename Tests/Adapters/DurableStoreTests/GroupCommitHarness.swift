import Basics
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// A `GroupCommit` over an engine that does what the test says.
struct GroupCommitHarness: ~Copyable {
    let signal: Signal
    let engine: ScriptedEngine
    let commit: GroupCommit
    private(set) var bodies: [[UInt8]] = []

    /// Tries again what has failed at once, unless it is said otherwise.
    static var limits: CommitLimits {
        var limits = CommitLimits()
        limits.retryInterval = 1
        limits.tableRetryInterval = 1
        limits.closeTimeout = 5
        return limits
    }

    init(_ durability: Durability = .full, limits: CommitLimits = Self.limits) {
        let signal = Signal()
        let engine = ScriptedEngine(signal)
        self.signal = signal
        self.engine = engine
        commit = GroupCommit(engine: engine, durability: durability, limits: limits, signal: signal)
    }

    deinit {
        release()
        _ = commit.close()
        // The thread has ended, so the queue belongs to this one.
        do {
            try commit.queue.checkInvariants()
        } catch {
            Issue.record(error)
        }
    }

    @discardableResult
    mutating func submit(_ body: [UInt8]) -> UInt64 {
        bodies.append(body)
        return body.withByteView { commit.submit($0) }
    }

    mutating func submit(_ count: Int) {
        for _ in 0..<count { submit([UInt8(truncatingIfNeeded: bodies.count)]) }
    }

    func write(_ number: UInt32, epoch: UInt32 = 1) {
        var changes = TableChanges()
        changes.put(TableKey(type: 1, number: number, epoch: epoch)) { $0.put(number) }
        commit.write(changes)
    }

    func seal(epoch: UInt32 = 1) {
        var changes = TableChanges()
        let (position, checksum) = commit.submitted
        changes.put(StoreManifest.key(epoch: epoch)) { writer in
            StoreManifest(epoch: epoch, position: position, checksum: checksum, version: 1).write(
                to: &writer
            )
        }
        commit.seal(changes)
    }

    /// The thread waits in the middle of an append of so far all records.
    mutating func holdInAppend() {
        engine.with { $0.passes = 0 }
        submit(1)
        let position = bodies.count
        waitForCall("begin append \(position)...\(position)")
    }

    func release(_ count: Int = .max) { engine.with { $0.passes = count } }

    func waitForCall(_ name: String) {
        signal.wait(for: name) { engine.calls.contains { $0.hasPrefix(name) } }
    }

    func waitForCommit() {
        let count = UInt64(bodies.count)
        signal.wait(for: "position \(count)") { commit.committed == count }
    }

    func waitForFailure() { signal.wait(for: "a failure") { isFailing } }

    var isFailing: Bool {
        if case .failing = commit.status { true } else { false }
    }

    /// What was called, but for the beginnings of appends.
    var calls: [String] { engine.calls.filter { !$0.hasPrefix("begin append") } }

    /// Numbers of the table's records of type 1 that are sealed.
    var sealedNumbers: [UInt32] {
        engine.read { $0.sealed.keys }.filter { $0.type == 1 }.map(\.number).sorted()
    }
}
