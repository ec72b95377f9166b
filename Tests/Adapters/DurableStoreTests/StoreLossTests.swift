import Basics
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// Files that are gone, or shorter than they were.
@Suite("A store that has lost files")
struct StoreLossTests {
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }

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

    /// The files of the journal, oldest first.
    private var logs: [String] {
        TestFolder.names("\(path)/journal").map { "\(path)/journal/\($0)" }
    }

    /// The store is refused by all who use it, twice, and its files stay as they are.
    private func refusals() throws -> [StoreError] {
        let before = TestFolder.contents(path)
        let copy = folder.path(of: "copy")
        let tries: [() throws -> Void] = [
            { _ = try open() },
            { _ = try open(false) },
            { _ = try StoreView(path: path).backup(to: copy) },
            { _ = try StoreStatistics(path: path) },
            { if let problem = try StoreCheck(path: path).problems.first { throw problem } },
        ]
        let errors = (tries + tries).compactMap(storeError)
        #expect(errors.count == 2 * tries.count && TestFolder.contents(path) == before)
        #expect(TestFolder.names(folder.path) == ["store"])
        return errors
    }

    // MARK: CONTENTS

    @Test("is left as it is if CONTENTS is gone", arguments: [true, false])
    func contents(hasJournal: Bool) throws {
        if hasJournal { try makeStore(isEnded: true) } else { try { _ = try open() }() }
        unlink("\(path)/CONTENTS")
        chmod(path, 0o750)
        for error in try refusals() {
            #expect(error.code == .corrupt)
            let parts = hasJournal ? "journal, sealed-1, table" : "table"
            #expect(error.message.hasPrefix("\(path) holds parts of a store (\(parts))"))
            #expect(
                error.message.contains(
                    "but not CONTENTS, which names the files in use; nothing was changed; "
                        + "restore a backup"
                )
            )
        }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o750)
        #expect(try StoreRepair(path: path).kept.lastPosition == (hasJournal ? 6 : 0))
    }

    @Test("is left as it is if STORE is gone")
    func description() throws {
        try makeStore(isEnded: true)
        unlink("\(path)/STORE")
        for error in try refusals() {
            #expect(error == StoreError(.corrupt, message: "\(path)/STORE is missing"))
        }
    }

    @Test("is refused if it holds what CONTENTS does not know", arguments: 0..<5)
    func unknown(kind: Int) throws {
        try makeStore(isEnded: false)
        let name = ["000012.sst", "journal/x", "sealed-1/000099.sst", "sealed-3", "thesis.txt"][
            kind
        ]
        if name == "sealed-3" {
            mkdir("\(path)/\(name)", 0o700)
        } else {
            TestFolder.write([1], to: "\(path)/\(name)")
        }
        let errors = try refusals()
        #expect(errors.allSatisfy { $0.message.contains(name) })
    }

    @Test(
        "is refused by all alike if it has a file in place of a folder, or the reverse",
        arguments: ["table", "sealed-1", "journal", "CONTENTS.new", "STORE.new", "space.new"]
    )
    func wrongKind(name: String) throws {
        try makeStore(isEnded: false)
        if name.hasSuffix(".new") {
            mkdir("\(path)/\(name)", 0o700)
        } else {
            TestFolder.deleteTree("\(path)/\(name)")
            TestFolder.write([1], to: "\(path)/\(name)")
        }
        let errors = try refusals()
        #expect(errors.allSatisfy { $0.code == .unusable })
        #expect(errors.allSatisfy { $0.message.hasPrefix("\(path)/\(name) is ") })
    }

    @Test("is refused with a CONTENTS from before its newest segment or table", arguments: 0..<3)
    func olderContents(step: Int) throws {
        var journal = Journal()
        try {
            let store = try open()
            try journal.append([[1], [2]], to: store)
        }()
        let older = TestFolder.read("\(path)/CONTENTS")
        try {
            let store = try open()
            if step == 0 {
                try store.rotate(before: 3)
                try journal.append([[3]], to: store)
            } else {
                for epoch in 1...UInt32(step) {
                    try journal.writeCheckpoint(epoch, records: [1: "one"], to: store)
                }
            }
        }()
        TestFolder.write(older, to: "\(path)/CONTENTS")
        if step == 1 {
            // As a seal that was interrupted leaves it: all is there that the journal tells of.
            let store = try open()
            #expect(try scanned(store).isEmpty && replayed(store) == [[1], [2]])
            return
        }
        let errors = try refusals()
        #expect(errors.allSatisfy { $0.code == .corrupt })
    }

    // MARK: The journal

    @Test("is refused if it has no journal at all", arguments: [true, false])
    func allLogs(isEnded: Bool) throws {
        try makeStore(isEnded: isEnded)
        for log in logs { unlink(log) }
        let errors = try refusals()
        #expect(errors.allSatisfy { $0.code == .gap && $0.message.hasSuffix("1.log is missing") })
        let repair = try StoreRepair(path: path)
        #expect(repair.kept.manifest.epoch == 1 && repair.kept.lastPosition == 2)
        #expect(repair.losses.first?.code == .gap && !repair.isWhole)
        #expect(repair.lostPositions == (isEnded ? 3...6 : nil))
        _ = try repair.apply { _ in }
        #expect(try StoreCheck(path: path).isWhole)
    }

    @Test("is refused if a file of the journal is missing", arguments: 0..<2)
    func missingLog(index: Int) throws {
        try makeStore(isEnded: false)
        let log = logs[index]
        unlink(log)
        let errors = try refusals()
        #expect(errors.allSatisfy { $0 == StoreError(.gap, message: "\(log) is missing") })
    }

    @Test("is refused if its table includes records that its journal lacks")
    func shorterThanTable() throws {
        var journal = Journal()
        try {
            let store = try open()
            try journal.append([[1]], to: store)
            try journal.append([[2]], to: store)
            try journal.writeCheckpoint(1, records: [1: "one"], to: store)
        }()
        TestFolder.write(TestFolder.read(logs[0]).dropLast(), to: logs[0])
        let sentence =
            "the last router wrote up to record 2, but the journal ends at 1"
        let errors = try refusals()
        #expect(errors.allSatisfy { $0 == StoreError(.gap, message: sentence) })
    }

    @Test("is refused if its log is shorter than when the router ended", arguments: 0..<30)
    func shortLog(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try makeStore(isEnded: true)
        let log = try Damage.newestSegment(path)
        let begin = SegmentHeader.byteCount
        let count = begin + generator.below(TestFolder.size(log) - begin)
        TestFolder.write(TestFolder.read(log).prefix(count), to: log)
        let errors = try refusals()
        let last = try { try StoreRepair(path: path).kept.lastPosition }()
        let sentence =
            "the last router wrote up to record 6, but the journal ends at \(last)"
        #expect(last < 6 && errors.allSatisfy { $0 == StoreError(.gap, message: sentence) })
        var problems: [StoreError] = []
        try StoreView(path: path).dump {
            if case .problem(let error) = $0 { problems.append(error) }
        }
        #expect(problems == [StoreError(.gap, message: sentence)])

        let repair = try StoreRepair(path: path)
        #expect(repair.losses == [StoreError(.gap, message: sentence)])
        #expect(repair.lostPositions == last + 1...6)
    }

    @Test("continues after the recorded end, before which nothing may be missing")
    func noteIsKeptBehind() throws {
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
        // It has not ended by itself: what its log has lost behind the note is gone without a
        // trace.
        let log = try Damage.newestSegment(path)
        TestFolder.write(TestFolder.read(log).dropLast(), to: log)
        let check = try StoreCheck(path: path)
        #expect(check.isWhole && check.lastPosition == 6)
    }

    @Test("keeps the note if it is opened and nothing is appended")
    func noteIsKept() throws {
        try makeStore(isEnded: true)
        try { _ = try open() }()
        try { try open().end() }()
        let log = try Damage.newestSegment(path)
        TestFolder.write(TestFolder.read(log).prefix(SegmentHeader.byteCount), to: log)
        #expect(storeError { _ = try open() }?.code == .gap)
    }

    @Test("may end without a record after its checkpoint, or without any")
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

    @Test("is refused if another record stands at its noted end")
    func wrongNote() throws {
        try makeStore(isEnded: true)
        let folder = StoreFolder(path: path)
        var contents = try StoreFiles.contents(folder)
        contents.end = .init(position: 6, checksum: 1)
        try folder.write(contents)
        let sentence = "journal record 6 is not the one that the last router wrote"
        #expect(storeError { _ = try open() } == StoreError(.corrupt, message: sentence))
        #expect(try StoreCheck(path: path).problems == [StoreError(.corrupt, message: sentence)])
    }

    @Test("reports what was cut off a torn end")
    func tornEnd() throws {
        try makeStore(isEnded: false)
        let log = try Damage.newestSegment(path)
        let bytes = TestFolder.read(log)
        TestFolder.write(bytes.dropLast(5), to: log)
        let torn = try #require(try StoreCheck(path: path).tornEnd)
        #expect(log == "\(path)/\(torn.name)" && torn.offset + torn.byteCount == bytes.count - 5)
        #expect(torn.byteCount > 0 && torn.offset > bytes.count / 2)
        #expect("\(torn)" == "\(torn.name) from byte \(torn.offset), \(torn.byteCount) bytes")
        // A start that has not come to its first change leaves it.
        let store = try open()
        #expect(store.tornEnd == torn && TestFolder.read(log) == bytes.dropLast(5))
        #expect(try replayed(store, from: 3) == [[3], [4], [5]])
        try store.end()
        #expect(TestFolder.size(log) == torn.offset)
        let check = try StoreCheck(path: path)
        #expect(check.tornEnd == nil && check.lastPosition == 5)
    }

    // MARK: A full disk

    @Test("gets no file more by openings that a full disk refuses", .enabled(if: geteuid() == 0))
    func fullDisk() throws {
        let disk = try SmallDisk(folder.path(of: "disk"), megabytes: 12)
        let path = folder.path(of: "disk/store")
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
        let names = TestFolder.files(path).filter { !$0.hasPrefix("table/") }
        #expect(TestFolder.files(path).count < 12)
        disk.fill()
        for _ in 0..<20 { #expect(storeError { try store.reopen() }?.code == .full) }
        #expect(TestFolder.files(path).filter { !$0.hasPrefix("table/") } == names)
        disk.free()
        try store.reopen()
        try journal.append([body], to: store)
        #expect(try replayed(store) == journal.bodies)
    }
}
