import DataStructures
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// Files that are gone, or shorter than they were.
@Suite("A store that has lost files")
struct StoreLossTests {
    let folder = TestFolder()
    private var path: String { folder.place("store") }

    private func open(_ createIfMissing: Bool = true) throws -> RocksStore {
        try RocksStore(path: path, createIfMissing: createIfMissing)
    }

    /// A checkpoint behind record 2 of 6.
    private func makeStore(isEnded: Bool) throws {
        var journal = Journal()
        let store = try open()
        try journal.append([[1], [2]], to: store)
        try store.rotate(before: 3)
        try journal.writeCheckpoint(1, records: [1: "one"], to: store)
        for number in 3...6 as ClosedRange<UInt8> { try journal.append([[number]], to: store) }
        if isEnded { try store.end() }
    }

    private var logs: [String] {
        TestFolder.names(path).filter { $0.hasSuffix(".log") }.map { "\(path)/\($0)" }
    }

    /// Of all files, or of those that hold some of the journal.
    private func contents(of ending: String = "") -> [String: [UInt8]] {
        let names = TestFolder.names(path).filter { name in
            name.hasSuffix(ending) && (ending.isEmpty || TestFolder.size("\(path)/\(name)") > 0)
        }
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, TestFolder.read("\(path)/\($0)")) }
        )
    }

    /// The store is refused by all who use it, twice, and its files, or those with this ending,
    /// stay as they are.
    private func refusals(keeping ending: String = "") throws -> [StoreError] {
        let before = contents(of: ending)
        let copy = folder.place("copy")
        let tries: [() throws -> Void] = [
            { _ = try open() },
            { _ = try open(false) },
            { _ = try StoreView(path: path).backup(to: copy) },
            { _ = try StoreStatistics(path: path) },
            { if let problem = try StoreCheck(path: path).problems.first { throw problem } },
        ]
        let errors = (tries + tries).compactMap(storeError)
        #expect(errors.count == 2 * tries.count && contents(of: ending) == before)
        #expect(TestFolder.names(folder.path) == ["store"])
        return errors
    }

    // MARK: CURRENT

    @Test("is left as it is if CURRENT is gone", arguments: [true, false])
    func current(hasJournal: Bool) throws {
        if hasJournal { try makeStore(isEnded: true) } else { try { _ = try open() }() }
        unlink("\(path)/CURRENT")
        chmod(path, 0o750)
        let errors = try refusals() + [try #require(storeError { _ = try StoreRepair(path: path) })]
        for error in errors {
            #expect(error.code == .corrupt)
            #expect(error.message.hasPrefix("\(path) holds files of a store (MANIFEST-"))
            #expect(error.message.contains(" table") && error.message.contains(" log"))
            #expect(
                error.message.hasSuffix(
                    "but not CURRENT, which names the list in use; nothing was changed; "
                        + "put a backup in its place"
                )
            )
        }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o750)
    }

    @Test(
        "is refused without CURRENT whichever of its files is left",
        arguments: ["000123.sst", "000123.log", "MANIFEST-000005"]
    )
    func remains(name: String) throws {
        mkdir(path, 0o700)
        TestFolder.write([1], to: "\(path)/\(name)")
        #expect(storeError { _ = try open() }?.code == .corrupt)
        #expect(TestFolder.names(path) == [name])
    }

    /// The files are those that RocksDB 7.8 has made (`strace`) when it is killed while it makes a
    /// database, one step after the other.
    @Test("is made once more if its making was interrupted", arguments: 0..<7)
    func interruptedMaking(step: Int) throws {
        let list = [UInt8]([2, 0, 3, 2, 4, 0])  // log 0, next file 2, last sequence 0
        let record = [UInt8(list.count), 0, 1] + list
        let sum = ([1] + list).withByteView { CRC32C().masked($0) }
        let file = (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) } + record
        let current = Array("MANIFEST-000001\n".utf8)
        let steps: [(String, [UInt8])] = [
            ("LOCK", []), ("IDENTITY", Array("x".utf8)),
            ("MANIFEST-000001", Array(file.dropLast())),
            ("000001.dbtmp", current), ("CURRENT", current), ("000004.log", []),
            ("MANIFEST-000005", [1, 2]),
        ]
        mkdir(path, 0o700)
        for (name, bytes) in steps.prefix(step + 1) {
            if name == "CURRENT" {
                unlink("\(path)/000001.dbtmp")
                TestFolder.write(file, to: "\(path)/MANIFEST-000001")
            }
            TestFolder.write(bytes, to: "\(path)/\(name)")
        }
        let facts = try { try open().facts }()
        let store = try open(false)
        #expect(store.facts == facts)
        var journal = Journal()
        try journal.append([[1]], to: store)
    }

    // MARK: The log

    @Test("is refused if it has no log at all", arguments: [true, false])
    func allLogs(isEnded: Bool) throws {
        try makeStore(isEnded: isEnded)
        for log in logs { unlink(log) }
        let errors = try refusals()
        #expect(errors.allSatisfy { $0.code == .gap && $0.message.contains("holds no log (.log)") })
        let repair = try StoreRepair(path: path)
        #expect(repair.kept.manifest.epoch == 1 && repair.kept.lastPosition == 2)
        #expect(repair.losses.first?.code == .gap && !repair.isWhole)
        #expect(repair.lostPositions == (isEnded ? 3...6 : nil))
        _ = try repair.apply { _ in }
        #expect(try StoreCheck(path: path).isWhole)
    }

    @Test("is refused if its log is shorter than when the router ended", arguments: 0..<30)
    func shortLog(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try makeStore(isEnded: true)
        let log = try #require(logs.last { TestFolder.size($0) > 0 })
        TestFolder.write(
            TestFolder.read(log).prefix(generator.below(TestFolder.size(log))),
            to: log
        )
        // RocksDB has to be opened to know it; what is left of the journal stays.
        let errors = try refusals(keeping: ".log")
        let last = try { try StoreRepair(path: path).kept.lastPosition }()
        let sentence =
            "the router that ended here had written up to record 6, the journal ends at \(last)"
        #expect(last < 6 && errors.allSatisfy { $0 == StoreError(.gap, sentence) })
        var problems: [StoreError] = []
        try StoreView(path: path).dump {
            if case .problem(let error) = $0 { problems.append(error) }
        }
        #expect(problems == [StoreError(.gap, sentence)])

        let repair = try StoreRepair(path: path)
        #expect(repair.losses == [StoreError(.gap, sentence)])
        #expect(repair.lostPositions == last + 1...6)
    }

    @Test("goes on behind the noted end, which then no longer holds")
    func noteIsForgotten() throws {
        try makeStore(isEnded: true)
        do {
            let store = try open(false)
            #expect(try replayed(store, from: 3) == [[3], [4], [5], [6]])
            var chain = JournalChain(next: 3, parent: nil)
            try store.replay(from: 3) { group throws(StoreError) in try chain.follow(group) }
            var writer = StoreWriter()
            let start = JournalRecord.begin(&writer)
            _ = JournalRecord.end(&writer, from: start, position: 7, parent: chain.parent!)
            try store.append(writer.bytes, from: 7, isSynced: true)
            #expect(try StoreCheck(path: path).isWhole)
        }
        #expect(try StoreCheck(path: path).lastPosition == 7)
        // It has not ended by itself: what its log has lost is gone without a trace.
        for log in logs { TestFolder.write([], to: log) }
        let check = try StoreCheck(path: path)
        #expect(check.isWhole && check.lastPosition == 2)
    }

    @Test("keeps the note if it is opened and nothing is appended")
    func noteIsKept() throws {
        try makeStore(isEnded: true)
        try { _ = try open() }()
        try { try open().end() }()
        for log in logs { TestFolder.write([], to: log) }
        #expect(storeError { _ = try open() }?.code == .gap)
    }

    @Test("may end without a record behind its checkpoint, or without any")
    func emptyJournal() throws {
        try { try open().end() }()
        var journal = Journal()
        do {
            let store = try open(false)
            try journal.append([[1], [2]], to: store)
            try store.rotate(before: 3)
            try journal.writeCheckpoint(1, records: [1: "one"], to: store)
            try store.cut(before: 3)
            try store.end()
        }
        #expect(try StoreCheck(path: path).problems == [])
        let store = try open(false)
        try journal.append([[3]], to: store)
        try store.reopen()
        #expect(try replayed(store, from: 3) == [[3]])
    }

    @Test("is refused if another record stands at its noted end, or the note is broken")
    func wrongNote() throws {
        try makeStore(isEnded: true)
        for (checksum, flipped, sentence) in [
            (1, 0, "journal record 6 is not the one that the router ended with"),
            (1, 1, "the note of the journal's end does not have its checksum"),
        ] as [(UInt64, UInt8, String)] {
            var writer = StoreWriter()
            JournalEnd(position: 6, checksum: checksum).write(to: &writer)
            var bytes = writer.bytes.array
            bytes[0] ^= flipped
            try Damage.with(path) { database in
                JournalEnd.key.withByteView { key in
                    bytes.withByteView { database.put(FamilyName.facts, key, $0) }
                }
                try database.commit(.unlogged)
                try database.flush(FamilyName.facts, isWaiting: true)
            }
            #expect(storeError { _ = try open() } == StoreError(.corrupt, sentence))
            #expect(try StoreCheck(path: path).problems == [StoreError(.corrupt, sentence)])
        }
    }

    @Test("tells what was cut off a torn end")
    func tornEnd() throws {
        try makeStore(isEnded: false)
        let log = try #require(logs.last { TestFolder.size($0) > 0 })
        let bytes = TestFolder.read(log)
        TestFolder.write(bytes.dropLast(5), to: log)
        let torn = try #require(try StoreCheck(path: path).tornEnd)
        #expect(log == "\(path)/\(torn.name)" && torn.offset + torn.byteCount == bytes.count - 5)
        #expect(torn.byteCount > 0 && torn.offset > bytes.count / 2)
        let store = try open()
        #expect(store.tornEnd == torn && TestFolder.size(log) == torn.offset)
        #expect(
            "\(torn)" == "\(torn.name) from byte \(torn.offset), \(torn.byteCount) bytes"
        )
        store.close()
        #expect(try StoreCheck(path: path).tornEnd == nil)
    }

    /// RocksDB 7.8 would read such a record for ever (its type is that of a file used again).
    @Test("is not read by tools, and cut by a start, if its end is of a type that nobody writes")
    func unreadableEnd() throws {
        try makeStore(isEnded: false)
        let log = try #require(logs.last { TestFolder.size($0) > 0 })
        let bytes = TestFolder.read(log)
        TestFolder.write(bytes + [1, 2, 3, 4, 1, 0, 5, 9, 9, 9, 9, 9], to: log)
        let check = try StoreCheck(path: path)
        #expect(check.problems.map(\.code) == [.corrupt])
        #expect(check.problems[0].message.contains("is not whole from byte \(bytes.count) on"))
        let kept = try { try StoreRepair(path: path).kept.lastPosition }()
        #expect(kept == 6)
        let store = try open()
        #expect(store.tornEnd?.offset == bytes.count && TestFolder.read(log) == bytes)
        #expect(try replayed(store, from: 3).count == 4)
    }

    // MARK: A full disk

    @Test("gets no file more by openings that a full disk refuses", .enabled(if: geteuid() == 0))
    func fullDisk() throws {
        let disk = try SmallDisk(folder.place("disk"), megabytes: 12)
        let path = folder.place("disk/store")
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1]], to: store)
        // Too little for the next append, though enough to open the database.
        disk.fill(leaving: 3 << 20)
        var generator = SeededGenerator(seed: 1)
        var next = journal
        let body = generator.bytes(4 << 20)
        #expect(storeError { try next.append([body], to: store) }?.code == .full)
        for _ in 0..<20 { #expect(storeError { try store.reopen() }?.code == .full) }
        let names = TestFolder.names(path)
        #expect(names.count { $0.hasSuffix(".log") } <= 2 && names.count < 12, "\(names)")
        disk.fill()
        for _ in 0..<20 { #expect(storeError { try store.reopen() }?.code == .full) }
        #expect(TestFolder.names(path) == names)
        disk.free()
        try store.reopen()
        try journal.append([body], to: store)
        #expect(try replayed(store) == journal.bodies)
        store.close()
        // Nor by a router that is started again and again.
        disk.fill()
        try StoreFolder(path: path).removeFailedOpenings()
        let before = TestFolder.names(path)
        for _ in 0..<20 { #expect(storeError { try store.reopen() }?.code == .full) }
        #expect(TestFolder.names(path) == before)
    }

    @Test("loses what failed openings have left, and never its last log")
    func failedOpenings() throws {
        try makeStore(isEnded: false)
        let names = TestFolder.names(path)
        for name in ["000900.log", "000902.log", "MANIFEST-000901"] {
            TestFolder.write(name.hasPrefix("MANIFEST") ? [1] : [], to: "\(path)/\(name)")
        }
        try StoreFolder(path: path).removeFailedOpenings()
        let empty = Set(
            names.filter { $0.hasSuffix(".log") && TestFolder.size("\(path)/\($0)") == 0 }
        )
        #expect(TestFolder.names(path) == names.filter { !empty.contains($0) })
        for log in logs { TestFolder.write([], to: log) }
        let last = logs.last
        try StoreFolder(path: path).removeFailedOpenings()
        #expect(logs == [last])
    }
}
