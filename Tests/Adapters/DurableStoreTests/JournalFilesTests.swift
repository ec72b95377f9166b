import Basics
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// The journal as it lies in its files: whatever becomes of their bytes, what can be read of it is
/// its beginning, or there is a sentence.
@Suite("The files of the journal")
struct JournalFilesTests {
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }
    private var store: StoreFolder { StoreFolder(path: path) }

    /// Three segments with records 1–3, 4 and 5–7, of which the last one is large.
    private func makeJournal() throws -> Journal {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        defer { store.close() }
        try journal.append([[1], [2, 2]], to: store)
        try journal.append([[3]], to: store)
        try store.rotate(before: 4)
        try journal.append([[4]], to: store)
        try store.rotate(before: 5)
        try journal.append([[5]], to: store)
        try journal.append([[6], []], to: store)
        return journal
    }

    private func read() throws -> JournalFiles {
        try JournalFiles(store, contents: StoreFiles.contents(store))
    }

    /// All bodies that the files have, in their order.
    private func bodies(_ journal: JournalFiles) throws -> [[UInt8]] {
        var found: [[UInt8]] = []
        try journal.replay(from: 1) { group throws(StoreError) in
            var reader = StoreReader(group)
            while !reader.isAtEnd { found.append(try JournalRecord.read(&reader).body.array) }
        }
        return found
    }

    private func names() -> [String] {
        TestFolder.names("\(path)/journal").map { "\(path)/journal/\($0)" }
    }

    @Test("are read as they were written")
    func whole() throws {
        let journal = try makeJournal()
        let files = try read()
        #expect(files.problems == [] && files.tornEnd == nil && files.segments == [1, 4, 5])
        #expect(try bodies(files) == journal.bodies)
        #expect(files.end.position == 7 && files.lastKnownPosition == 7)
    }

    @Test("return the groups after a position, and none before it")
    func positions() throws {
        _ = try makeJournal()
        let files = try read()
        for (position, first) in [(1, 1), (2, 1), (3, 3), (4, 4), (6, 6), (7, 6)]
            as [(UInt64, UInt64)]
        {
            var found: UInt64?
            try files.replay(from: position) { group throws(StoreError) in
                var reader = StoreReader(group)
                let record = try JournalRecord.read(&reader)
                found = found ?? record.position
            }
            #expect(found == first, "from \(position)")
        }
        try files.replay(from: 8) { _ in Issue.record("nothing is there") }
    }

    @Test("of which the newest is cut off anywhere end with the last whole group before")
    func cutNewest() throws {
        let journal = try makeJournal()
        let newest = names()[2]
        let bytes = TestFolder.read(newest)
        var kept: Set<Int> = []
        for count in 0..<bytes.count {
            TestFolder.write(bytes.prefix(count), to: newest)
            let files = try read()
            if count < SegmentHeader.byteCount {
                #expect(files.problems.first?.message.contains(newest) == true)
                continue
            }
            let found = try bodies(files)
            kept.insert(found.count)
            #expect(files.problems.isEmpty && found == Array(journal.bodies.prefix(found.count)))
            #expect(UInt64(found.count) == files.end.position)
            let torn = files.tornEnd.map { $0.offset + $0.byteCount }
            #expect(torn == nil || torn == count)
        }
        #expect(kept == [4, 5])
    }

    @Test("of which an older one is cut off anywhere are refused, with its name")
    func cutOlder() throws {
        _ = try makeJournal()
        for older in names().dropLast() {
            let bytes = TestFolder.read(older)
            for count in 0..<bytes.count {
                TestFolder.write(bytes.prefix(count), to: older)
                let files = try read()
                #expect(files.problems.first?.message.contains(older) == true, "\(count)")
                #expect(files.tornEnd == nil)
            }
            TestFolder.write(bytes, to: older)
        }
    }

    @Test("in which any bit has changed are refused, unless it is one of the last group")
    func flippedBits() throws {
        let journal = try makeJournal()
        for (index, name) in names().enumerated() {
            let bytes = TestFolder.read(name)
            for bit in 0..<(bytes.count * 8) {
                var broken = bytes
                broken[bit / 8] ^= 1 << UInt8(bit % 8)
                TestFolder.write(broken, to: name)
                let files = try read()
                if files.problems.isEmpty {
                    let isLast = index == 2 && files.tornEnd != nil && files.end.position == 5
                    let isSame = try bodies(files) == Array(journal.bodies.prefix(5))
                    #expect(isLast && isSame, "bit \(bit) of \(name)")
                } else {
                    #expect(files.problems[0].message.contains(name))
                }
            }
            TestFolder.write(bytes, to: name)
        }
    }

    @Test("are refused if one is another's, an older copy, or of another store")
    func exchanged() throws {
        _ = try makeJournal()
        let names = names()
        let whole = names.map(TestFolder.read)
        let contents = TestFolder.read("\(path)/CONTENTS")
        let store = TestFolder.read("\(path)/STORE")
        TestFolder.deleteTree(path)
        _ = try makeJournal()
        let other = names.map(TestFolder.read)
        TestFolder.write(contents, to: "\(path)/CONTENTS")
        TestFolder.write(store, to: "\(path)/STORE")
        for index in 0..<3 {
            for bytes in [other[index], whole[(index + 1) % 3], whole[(index + 2) % 3]] {
                for (name, bytes) in zip(names, whole) { TestFolder.write(bytes, to: name) }
                TestFolder.write(bytes, to: names[index])
                let problem = try #require(try read().problems.first)
                #expect(problem.code == .corrupt && problem.message.contains(names[index]))
            }
        }
    }

    @Test("may have zeros, or noise, after what was appended last")
    func tornEnds() throws {
        let journal = try makeJournal()
        let newest = names()[2]
        let bytes = TestFolder.read(newest)
        var generator = SeededGenerator(seed: 3)
        for rest in [[0], [UInt8](repeating: 0, count: 70_000), generator.bytes(100_000)] {
            TestFolder.write(bytes + rest, to: newest)
            let files = try read()
            #expect(files.problems.isEmpty)
            #expect(try bodies(files) == journal.bodies)
            #expect(files.tornEnd?.offset == bytes.count)
            #expect(files.tornEnd?.byteCount == rest.count)
        }
    }

    @Test(
        "are refused if a group follows an incomplete one, at any distance",
        arguments: [1, 66_000]
    )
    func lostGroup(distance: Int) throws {
        _ = try makeJournal()
        let newest = names()[2]
        let bytes = TestFolder.read(newest)
        let last = 2 * JournalRecord.headerByteCount + 1 + JournalGroup.headerByteCount
        let zeros = [UInt8](repeating: 0, count: distance)
        TestFolder.write(bytes.dropLast(last) + zeros + bytes.suffix(last), to: newest)
        let files = try read()
        let offset = bytes.count - last
        #expect(
            files.problems.map(\.message) == [
                "\(newest) is damaged at byte \(offset); records that were appended later follow at "
                    + "\(offset + distance)"
            ]
        )
        #expect(files.lastKnownPosition == 7)
    }

    @Test("may have one more that a rotation has begun, and what a cut has not yet deleted")
    func leftovers() throws {
        var journal = try makeJournal()
        let whole = TestFolder.read(names()[0])
        try {
            let store = try RocksStore(path: path, createIfMissing: false)
            try store.cut(before: 4)
        }()
        let begun = "\(path)/journal/\(SegmentHeader.fileName(8))"
        TestFolder.write(whole, to: "\(path)/journal/\(SegmentHeader.fileName(1))")
        for count in 0...SegmentHeader.byteCount {
            TestFolder.write(whole.prefix(count), to: begun)
            let files = try read()
            // A header that is whole has the position for which its file is named.
            #expect(files.problems.isEmpty && files.leftovers.count == 2)
        }
        let store = try RocksStore(path: path, createIfMissing: false)
        #expect(names().count == 4)
        try journal.append([[8]], to: store)
        #expect(names().count == 2 && store.segments == [4, 5])
        try store.rotate(before: 9)
        try journal.append([[9]], to: store)
        #expect(try replayed(store, from: 4) == Array(journal.bodies.dropFirst(3)))
    }

    @Test("are refused if a file begins after a record that is missing")
    func begunBehind() throws {
        _ = try makeJournal()
        let begun = "\(path)/journal/\(SegmentHeader.fileName(8))"
        TestFolder.write([], to: begun)
        #expect(try read().problems.isEmpty)
        let newest = names()[2]
        TestFolder.write(TestFolder.read(newest).dropLast(), to: newest)
        let sentence = "\(begun) was begun after record 7, but the journal ends at 5"
        let files = try read()
        #expect(
            files.problems == [StoreError(.gap, message: sentence)] && files.lastKnownPosition == 7
        )
    }
}
