import Basics
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// What `CONTENTS` says of the journal's end while a router runs, and what that shows when the
/// router was killed.
@Suite("The noted end of a journal")
struct NotedEndTests {
    private typealias Boot = StoreDescription.Identifier

    private static let boot = Boot("00112233-4455-6677-8899-aabbccddeeff")
    private static let nextBoot = Boot("00112233-4455-6677-8899-aabbccddee00")
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }

    /// A store of six groups, of which the first four are noted; its process was killed.
    ///
    /// - Returns: where each group begins, and where the last one ends.
    private func makeStore(noted: Int = 4) throws -> [Int] {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true, boot: Self.boot)
        defer { store.close() }
        let log = try Damage.newestSegment(path)
        var places = [SegmentHeader.byteCount]
        for number in 1...6 {
            try journal.append([[UInt8(number)], [0, 0]], to: store, isSynced: number % 2 == 0)
            places.append(TestFolder.size(log))
            if number == noted {
                #expect(try store.noteEnd())
                store.finishNote()
            }
        }
        return places
    }

    /// What the tools say in a boot of the machine; a start, which takes longer, must agree.
    private func refusal(in boot: Boot?, alsoOfStart: Bool = true) throws -> StoreError? {
        let problem = try StoreView(path: path, boot: boot).problems.first
        if !alsoOfStart { return problem }
        let found = storeError {
            _ = try RocksStore(path: path, createIfMissing: false, boot: boot)
        }
        #expect(found == problem)
        return found
    }

    @Test("is refused as damage if the journal ends before it, in whichever boot")
    func shortened() throws {
        let places = try makeStore()
        let log = try Damage.newestSegment(path)
        let bytes = TestFolder.read(log)
        for count in SegmentHeader.byteCount..<bytes.count {
            TestFolder.write(bytes.prefix(count), to: log)
            for boot in [Self.boot, Self.nextBoot, nil] {
                let error = try refusal(in: boot, alsoOfStart: count % 50 == 0)
                if count < places[4] {
                    #expect(error?.code == .gap && error?.message.contains("record 8, ") == true)
                } else {
                    #expect(error == nil, "\(count) bytes")
                }
            }
        }
        TestFolder.write(bytes.prefix(SegmentHeader.byteCount), to: log)
        let error = storeError { _ = try StoreRepair(path: path) }
        #expect(error?.message.contains("wrote up to record 8, but the journal ends at 0") == true)
        TestFolder.write(bytes.prefix(places[2]), to: log)
        let repair = try StoreRepair(path: path)
        #expect(repair.lostPositions == 5...8 && repair.kept.lastPosition == 4)
        #expect(repair.notedPosition == 8)
    }

    @Test("lets any bit of the last group be found in the boot in which it was written")
    func flippedBits() throws {
        let places = try makeStore(noted: 6)
        let log = try Damage.newestSegment(path)
        let bytes = TestFolder.read(log)
        let contents = try StoreFiles.contents(StoreFolder(path: path))
        // As if the last group had come after the note.
        var older = contents
        older.end = .init(position: 8, checksum: JournalGroupChecksum.of(bytes, at: places[3]))
        try StoreFolder(path: path).write(older)
        #expect(try refusal(in: Self.boot) == nil)
        for bit in places[5] * 8..<bytes.count * 8 {
            var broken = bytes
            broken[bit / 8] ^= 1 << UInt8(bit % 8)
            TestFolder.write(broken, to: log)
            let error = try refusal(in: Self.boot, alsoOfStart: bit % 100 == 0)
            #expect(
                error?.code == .corrupt && error?.message.contains("has not started again") == true,
                "bit \(bit - places[5] * 8) of the group"
            )
            // A loss of power may leave the same.
            #expect(try refusal(in: Self.nextBoot, alsoOfStart: bit % 100 == 0) == nil)
        }
    }

    @Test("may be followed by a group that was begun, in the same boot and in another")
    func interrupted() throws {
        let places = try makeStore(noted: 5)
        let log = try Damage.newestSegment(path)
        let bytes = TestFolder.read(log)
        for count in places[5] + 1..<bytes.count {
            TestFolder.write(bytes.prefix(count), to: log)
            for boot in [Self.boot, Self.nextBoot] {
                let view = try StoreView(path: path, boot: boot)
                #expect(view.problems == [] && view.tornEnd?.offset == places[5])
            }
        }
    }

    @Test("is that of the last append that was durable, and is written only if it moved")
    func noted() throws {
        _ = try makeStore()
        func end() throws -> UInt64 {
            try StoreFiles.contents(StoreFolder(path: path)).end.position
        }
        #expect(try end() == 8)
        let store = try RocksStore(path: path, createIfMissing: false, boot: Self.boot)
        #expect(try store.noteEnd())
        store.finishNote()
        #expect(try end() == 12)
        let version = FileVersion(path: "\(path)/CONTENTS")
        #expect(try store.noteEnd())
        store.finishNote()
        #expect(FileVersion(path: "\(path)/CONTENTS") == version)
    }
}

/// The checksum of a group in the bytes of a segment.
private enum JournalGroupChecksum {
    static func of(_ bytes: [UInt8], at offset: Int) -> UInt64 {
        bytes.withByteView { $0.word(at: offset) }
    }
}
