import Basics
import Glibc
import Platform
import StoreFormat
import Synchronization
import TestSupport
import Testing

@testable import DurableStore

@Suite("A backup of the store")
struct StoreBackupTests {
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }
    private var copyPath: String { folder.path(of: "copy") }

    @Test("holds the newest checkpoint, the journal after it, and their version")
    func copy() throws {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1], [2]], to: store)
        try journal.writeCheckpoint(1, records: [1: "old", 2: "kept"], to: store)
        try journal.append([[3]], to: store)
        try journal.writeCheckpoint(2, records: [1: "new"], to: store)
        try journal.append([[4], [5]], to: store)
        var changes = TableChanges()
        changes.put(TableKey(type: 1, number: 9, epoch: 3)) { $0.put(0 as UInt8) }
        try store.write(changes)
        try store.seal()

        let result = try StoreView(path: path).backup(to: copyPath)
        #expect(result.tableRecordCount == 3 && result.manifest.epoch == 2)
        #expect(result.journalRecordCount == 2 && result.lastPosition == 5)
        #expect(try StoreCheck(path: copyPath).isWhole)
        let copy = try RocksStore(path: copyPath, createIfMissing: false)
        #expect(copy.description == store.description)
        #expect(
            try scanned(copy) == [
                TableKey(type: 1, number: 1, epoch: 2): "new",
                TableKey(type: 1, number: 2, epoch: 1): "kept",
            ]
        )
        #expect(try replayed(copy, from: 4) == [[4], [5]])
        try journal.append([[6]], to: copy)
        #expect(try replayed(copy, from: 4) == [[4], [5], [6]])
        var status = stat()
        #expect(stat(copyPath, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test("is not made over something else, and not of a damaged store")
    func refusal() throws {
        var journal = Journal()
        do {
            let store = try RocksStore(path: path, createIfMissing: true)
            try journal.append([[1]], to: store)
            try journal.append([[2]], to: store)
        }
        mkdir(copyPath, 0o700)
        #expect(
            storeError { _ = try StoreView(path: path).backup(to: copyPath) }?.code == .unusable
        )
        rmdir(copyPath)
        // A folder of this name that is no unfinished backup.
        mkdir(copyPath + ".partial", 0o700)
        TestFolder.write([1], to: copyPath + ".partial/thesis.txt")
        #expect(
            storeError { _ = try StoreView(path: path).backup(to: copyPath) }?.code == .unusable
        )
        #expect(TestFolder.names(copyPath + ".partial") == ["thesis.txt"])
        TestFolder.deleteTree(copyPath + ".partial")

        try Damage.journal(path, 1) { $0?[32] ^= 1 }
        #expect(storeError { _ = try StoreView(path: path).backup(to: copyPath) }?.code == .corrupt)
        #expect(TestFolder.names(folder.path) == ["store"])
    }

    @Test("is not made within the store, whatever the way there")
    func within() throws {
        try { _ = try RocksStore(path: path, createIfMissing: true) }()
        symlink("store", folder.path(of: "link"))
        let names = TestFolder.names(path)
        for target in ["store/copy", "link/copy", "store/../store/copy"] {
            let error = storeError {
                _ = try StoreView(path: path).backup(to: folder.path(of: target))
            }
            #expect(error?.code == .unusable && error?.message.contains("is inside") == true)
        }
        let error = storeError {
            _ = try StoreView(path: folder.path(of: "link")).backup(
                to: folder.path(of: "store/copy")
            )
        }
        #expect(error?.code == .unusable && TestFolder.names(path) == names)
        _ = try StoreView(path: path).backup(to: folder.path(of: "store2"))
    }

    @Test("leaves nothing behind when it is cancelled, at whichever step", arguments: 0..<3)
    func cancelled(steps: Int) throws {
        var journal = Journal()
        try {
            let store = try RocksStore(path: path, createIfMissing: true)
            try journal.append([[1]], to: store)
            try journal.writeCheckpoint(1, records: [1: "one"], to: store)
            try journal.append([[2]], to: store)
        }()
        let asked = Atomic<Int>(0)
        let isGivenUp = { @Sendable in asked.add(1, ordering: .relaxed).oldValue == steps }
        let error = storeError {
            _ = try StoreView(path: path).backup(to: copyPath, isCancelled: isGivenUp)
        }
        if steps < 2 {
            #expect(error == StoreError(.unusable, message: "the copy was cancelled"))
            #expect(access(copyPath, F_OK) != 0 && access(copyPath + ".partial", F_OK) != 0)
        } else {
            #expect(error == nil && asked.load(ordering: .relaxed) == 2)
        }
    }

    @Test("says that another one writes to the same place")
    func two() throws {
        try { _ = try RocksStore(path: path, createIfMissing: true) }()
        let partial = copyPath + ".partial"
        let other = try RocksStore(path: partial, createIfMissing: true)
        let error = storeError { _ = try StoreView(path: path).backup(to: copyPath) }
        #expect(error == StoreError(.locked, message: "another backup is writing \(partial)"))
        #expect(TestFolder.names(partial).contains("CONTENTS"))
        withExtendedLifetime(other) {}
    }

    @Test("made by root belongs to whom the store belongs to", .enabled(if: geteuid() == 0))
    func owner() throws {
        var journal = Journal()
        try {
            let store = try RocksStore(path: path, createIfMissing: true)
            try journal.append([[1]], to: store)
            try journal.writeCheckpoint(1, records: [1: "one"], to: store)
        }()
        TestFolder.giveAway(path, to: 65_534, 65_533)
        _ = try StoreView(path: path).backup(to: copyPath)
        TestFolder.expect(copyPath, ownedBy: 65_534, 65_533)
    }

    @Test("replaces an unfinished one")
    func unfinished() throws {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1]], to: store)
        try { _ = try RocksStore(path: copyPath + ".partial", createIfMissing: true) }()
        _ = try StoreView(path: path).backup(to: copyPath)
        #expect(TestFolder.names(folder.path) == ["copy", "store"])
        #expect(try StoreCheck(path: copyPath).lastPosition == 1)
    }

    /// Every backup is whole, whatever the router does meanwhile: it commits, writes checkpoints,
    /// begins segments and cuts them.
    @Test("is whole while a router commits and writes checkpoints")
    func serving() throws {
        let router = try BusyRouter(path: path)
        // Its thread must not outlive a test that fails.
        var isRunning = true
        defer { if isRunning { _ = router.stop() } }
        var last: UInt64 = 0
        for _ in 0..<6 {
            let committed = router.commit.committed
            let view = try StoreView(path: path)
            let result = try view.backup(to: copyPath)
            let check = try StoreCheck(path: copyPath)
            #expect(check.problems == [])
            #expect(result.lastPosition >= committed && result.lastPosition >= last)
            #expect(check.lastPosition == result.lastPosition)
            last = result.lastPosition
            TestFolder.deleteTree(copyPath)
            let live = try StoreCheck(path: path)
            #expect(live.problems == [])
            _ = try StoreStatistics(path: path)
        }
        let checkpoints = router.stop()
        isRunning = false
        #expect(last > 0 && checkpoints > 0)
        #expect(try StoreCheck(path: path).problems == [])
    }
}

/// A loop thread that submits without a pause and writes one checkpoint after the other.
final class BusyRouter: @unchecked Sendable {
    // Unchecked: the thread alone uses the vars until `stop` has joined it.
    let commit: GroupCommit
    private let store: RocksStore
    private let signal = Signal()
    private let isStopping = Monitor()
    private var shallStop = false
    private var thread = pthread_t()
    private var epoch: UInt32 = 0

    init(path: String) throws {
        store = try RocksStore(path: path, createIfMissing: true)
        var limits = CommitLimits()
        limits.pendingByteCount = 1 << 20
        commit = GroupCommit(engine: store, limits: limits, signal: signal)
        let reference = Unmanaged.passRetained(self).toOpaque()
        pthread_create(
            &thread,
            nil,
            { pointer in
                Unmanaged<BusyRouter>.fromOpaque(pointer!).takeRetainedValue().run()
                return nil
            },
            reference
        )
    }

    /// - Returns: how many checkpoints there were.
    func stop() -> UInt32 {
        isStopping.locked { shallStop = true }
        pthread_join(thread, nil)
        #expect(commit.close() == 0)
        store.close()
        return epoch
    }

    private func run() {
        var generator = SeededGenerator(seed: 9)
        let body = generator.bytes(300)
        while !isStopping.locked({ shallStop }) {
            for _ in 0..<50 { _ = body.withByteView { commit.submit($0) } }
            let isIdle = max(commit.sealed, commit.lost) == UInt64(epoch)
            if isIdle && MonotonicTime.now >= nextCheckpoint { writeCheckpoint() }
            signal.wait(for: "room") { commit.hasRoom }
        }
        #expect(commit.lost == 0)
    }

    /// Forgets what the one before has outdated, and writes the next one.
    private func writeCheckpoint() {
        nextCheckpoint = MonotonicTime.now + 20
        if epoch > 0 {
            var changes = TableChanges()
            for number in 0..<20 as Range<UInt32> where epoch > 1 {
                changes.delete(TableKey(type: 1, number: number, epoch: epoch - 1))
            }
            if epoch > 1 { changes.delete(StoreManifest.key(epoch: epoch - 1)) }
            commit.delete(changes)
            commit.cut(before: cutPosition)
        }
        epoch = UInt32(commit.beginCheckpoint())
        commit.rotate()
        let (position, checksum) = commit.submitted
        cutPosition = position + 1
        for number in 0..<20 as Range<UInt32> {
            var changes = TableChanges()
            changes.put(TableKey(type: 1, number: number, epoch: epoch)) { $0.put(position) }
            commit.write(changes)
        }
        var changes = TableChanges()
        changes.put(StoreManifest.key(epoch: epoch)) { writer in
            StoreManifest(epoch: epoch, position: position, checksum: checksum, version: 1).write(
                to: &writer
            )
        }
        commit.seal(changes)
    }

    private var cutPosition: UInt64 = 0
    /// Files that come and go faster than they can be opened are nobody's store.
    private var nextCheckpoint = MonotonicTime.zero
}
