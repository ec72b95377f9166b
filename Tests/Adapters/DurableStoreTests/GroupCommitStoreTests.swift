import Basics
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// `GroupCommit` over the real store, on disks that fill up and in processes that are killed.
@Suite("GroupCommit over the store")
struct GroupCommitStoreTests {
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }

    @Test("keeps what was committed over a restart, and continues", arguments: Durability.allCases)
    func restart(durability: Durability) throws {
        var generator = SeededGenerator(seed: 1)
        var bodies: [[UInt8]] = []
        var last: (position: UInt64, checksum: UInt64) = (0, 0)
        for _ in 0..<3 {
            let store = try RocksStore(path: path, createIfMissing: true)
            let commit = GroupCommit(
                engine: store,
                durability: durability,
                from: last.position,
                parent: last.checksum
            ) {}
            for _ in 0..<500 {
                bodies.append(generator.bytes(generator.below(400)))
                _ = bodies.last!.withByteView { commit.submit($0) }
                if bodies.count % 200 == 0 { commit.rotate() }
            }
            last = commit.submitted
            #expect(commit.close() == 0)
            #expect(try replayed(store) == bodies)
            store.close()
        }
        let check = try StoreCheck(path: path)
        #expect(check.isWhole && check.lastPosition == 1_500)
    }

    /// The child writes down what it was told to be committed, and dies at some moment.
    @Test("has everything that was committed when its process is killed")
    func killed() async throws {
        for round in 0..<5 as Range<UInt64> {
            let path = folder.path(of: "store-\(round)")
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, round = round as UInt64] in
                let store = try RocksStore(path: path, createIfMissing: true)
                let commit = GroupCommit(engine: store, durability: .os, from: 0, parent: 0) {}
                let file = open(path + ".committed", O_CREAT | O_WRONLY, 0o600)
                var generator = SeededGenerator(seed: round)
                var position: UInt64 = 0
                while true {
                    position = body(position + 1).withByteView { commit.submit($0) }
                    var committed = commit.committed
                    pwrite(file, &committed, 8, 0)
                    if committed > 50 && generator.below(100) == 0 { kill(getpid(), SIGKILL) }
                }
            }
            let committed = TestFolder.read(path + ".committed").withByteView { $0.word(at: 0) }
            let store = try RocksStore(path: path, createIfMissing: false)
            let found = try replayed(store)
            #expect(committed > 50 && found.count >= Int(committed))
            #expect(found == (0..<found.count).map { body(UInt64($0) + 1) })
        }
    }

    @Test(
        "waits while the disk is full, and commits everything when there is space again",
        .enabled(if: geteuid() == 0)
    )
    func fullDisk() throws {
        let harness = try SmallDiskHarness(folder, megabytes: 12, retryInterval: 20)
        let (disk, store, commit) = (harness.disk, harness.store, harness.commit)
        let signal = harness.signal
        let body = Self.noise(100_000)
        var bodies: [[UInt8]] = []
        func submit() {
            bodies.append(body)
            _ = body.withByteView { commit.submit($0) }
        }
        for _ in 0..<20 { submit() }
        signal.wait(for: "the first ones") { commit.committed == 20 }
        disk.fill()
        // A checkpoint under way is lost with it.
        #expect(commit.beginCheckpoint() == 1)
        var changes = TableChanges()
        changes.put(TableKey(type: 1, number: 1, epoch: 1)) { $0.put(0 as UInt8) }
        commit.write(changes)
        for _ in 0..<20 { submit() }
        signal.wait(for: "the failure") {
            if case .failing(let error, _) = commit.status { error.code == .full } else { false }
        }
        #expect(commit.committed < 40)
        for _ in 0..<5 { submit() }
        disk.free()
        signal.wait(for: "the end") { commit.committed == 45 && commit.status == .working }
        #expect(commit.lost == 1)

        #expect(commit.beginCheckpoint() == 2)
        commit.seal(manifest(commit, epoch: 2))
        signal.wait(for: "the seal") { commit.sealed == 2 }
        #expect(commit.close() == 0)
        try store.reopen()
        #expect(try replayed(store) == bodies)
        store.close()
        let check = try StoreCheck(path: harness.path)
        #expect(check.problems == [] && check.manifest?.position == 45)
    }

    @Test(
        "loses a checkpoint that does not fit on the disk, and nothing else",
        .enabled(if: geteuid() == 0)
    )
    func fullDiskInCheckpoint() throws {
        let harness = try SmallDiskHarness(folder, megabytes: 12, retryInterval: 20)
        let (disk, store, commit) = (harness.disk, harness.store, harness.commit)
        let signal = harness.signal
        _ = commit.beginCheckpoint()
        commit.seal(manifest(commit, epoch: 1))
        signal.wait(for: "the first one") { commit.sealed == 1 }
        disk.fill(leaving: 2 << 20)
        _ = commit.beginCheckpoint()
        for number in 0..<64 as Range<UInt32> {
            let page = Self.noise(100_000)
            var changes = TableChanges()
            changes.put(TableKey(type: 1, number: number, epoch: 2)) { writer in
                page.withByteView { writer.put(raw: $0) }
            }
            commit.write(changes)
        }
        commit.seal(manifest(commit, epoch: 2))
        signal.wait(for: "the loss") { commit.lost == 2 }
        _ = [1].withByteView { commit.submit($0) }
        signal.wait(for: "the journal") { commit.committed == 1 && commit.status == .working }
        disk.free()
        #expect(commit.close() == 0)
        store.close()
        let check = try StoreCheck(path: harness.path)
        #expect(check.problems == [] && check.manifest?.epoch == 1 && check.lastPosition == 1)
    }

    /// The disk fills up at any moment: in an append, a checkpoint, the beginning of a segment.
    @Test(
        "keeps everything however often the disk fills up",
        .enabled(if: geteuid() == 0),
        arguments: 0..<5 as Range<UInt64>
    )
    func fullAgainAndAgain(seed: UInt64) throws {
        let harness = try SmallDiskHarness(folder, megabytes: 16, retryInterval: 5)
        let (disk, store, commit) = (harness.disk, harness.store, harness.commit)
        let signal = harness.signal
        var generator = SeededGenerator(seed: seed)
        var bodies: [[UInt8]] = []
        var checkpoint: UInt64 = 0
        for _ in 0..<12 {
            if generator.below(3) > 0 {
                disk.fill(leaving: generator.below(4) * generator.below(300_000))
            }
            for _ in 0..<generator.below(30) {
                bodies.append(Self.noise(generator.below(20_000)))
                _ = bodies.last!.withByteView { commit.submit($0) }
            }
            if checkpoint == max(commit.sealed, commit.lost) {
                checkpoint = commit.beginCheckpoint()
                commit.rotate()
                let page = Self.noise(generator.below(800_000))
                var changes = TableChanges()
                changes.put(TableKey(type: 1, number: 1, epoch: UInt32(checkpoint))) { writer in
                    page.withByteView { writer.put(raw: $0) }
                }
                commit.write(changes)
                commit.seal(manifest(commit, epoch: UInt32(checkpoint)))
            }
            signal.wait(for: "a full disk, or the end") {
                if case .failing = commit.status { return true }
                return commit.committed == UInt64(bodies.count)
                    && checkpoint == max(commit.sealed, commit.lost)
            }
            disk.free()
            signal.wait(for: "everything") {
                commit.committed == UInt64(bodies.count) && commit.status == .working
                    && checkpoint == max(commit.sealed, commit.lost)
            }
        }
        #expect(commit.close() == 0)
        try store.reopen()
        #expect(try replayed(store) == bodies)
        store.close()
        let check = try StoreCheck(path: harness.path)
        #expect(
            check.problems == [] && check.manifest.map { UInt64($0.epoch) } ?? 0 >= commit.sealed
        )
    }

    /// Bytes that cannot be compressed, the same every time.
    private static let allNoise: [UInt8] = {
        var generator = SeededGenerator(seed: 6)
        return generator.bytes(800_000)
    }()

    private static func noise(_ count: Int) -> [UInt8] { Array(allNoise.prefix(count)) }

    private func manifest(_ commit: GroupCommit, epoch: UInt32) -> TableChanges {
        let (position, checksum) = commit.submitted
        var changes = TableChanges()
        changes.put(StoreManifest.key(epoch: epoch)) { writer in
            StoreManifest(epoch: epoch, position: position, checksum: checksum, version: 1).write(
                to: &writer
            )
        }
        return changes
    }
}

/// What the record at a position holds.
private func body(_ position: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: position)
    return generator.bytes(500)
}
