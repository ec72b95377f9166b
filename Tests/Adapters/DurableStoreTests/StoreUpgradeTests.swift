import Basics
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// A store of this version that is opened by a router of the next one, which is made up: its format
/// has the next number, and is otherwise the same.
@Suite("A store that is upgraded")
struct StoreUpgradeTests {
    private static let present = StoreDescription.currentVersion
    private static let next = present + 1
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }

    private func open(_ version: UInt32) throws -> RocksStore {
        try RocksStore(path: path, createIfMissing: false, version: version)
    }

    private func version(in name: String, of path: String? = nil) throws -> UInt32 {
        let folder = StoreFolder(path: path ?? self.path)
        return try StoreFiles.readDescription(folder, in: name, upTo: Self.next).version
    }

    /// A store with a sealed table, three records behind it, and a torn end.
    private func makeStore() throws -> Journal {
        var journal = Journal()
        try {
            let store = try RocksStore(path: path, createIfMissing: true)
            try journal.append([[1], [2]], to: store)
            try store.rotate(before: 3)
            try journal.writeCheckpoint(1, records: [1: "one"], to: store)
            try journal.append([[3], [4], [5]], to: store)
            var lost = journal
            try lost.append([[9]], to: store)
            store.close()
        }()
        let log = try Damage.newestSegment(path)
        TestFolder.write(TestFolder.read(log).dropLast(3), to: log)
        return journal
    }

    /// The next router finds everything, appends to it, and leaves a store of its format alone.
    private func expectUpgrade(_ journal: Journal) throws {
        var journal = journal
        do {
            let store = try open(Self.next)
            #expect(try replayed(store, from: 3) == [[3], [4], [5]])
            #expect(try scanned(store).values.sorted() == ["one"])
            try journal.append([[6]], to: store)
            #expect(store.description.version == Self.next)
            try store.end()
        }
        #expect(try version(in: "STORE") == Self.next && version(in: "STORE.copy") == Self.next)
        #expect(
            TestFolder.names(path)
                == ["CONTENTS", "STORE", "STORE.copy", "journal", "sealed-1", "table"]
        )
        let store = try open(Self.next)
        #expect(try replayed(store, from: 3) == [[3], [4], [5], [6]])
    }

    @Test("is of the next format from its first change on, which that says before anything else")
    func firstChange() throws {
        let journal = try makeStore()
        let before = TestFolder.read("\(path)/STORE")
        try { _ = try open(Self.next) }()
        #expect(TestFolder.read("\(path)/STORE") == before, "nothing was changed")
        try { _ = try open(Self.present) }()
        try expectUpgrade(journal)
        let after = TestFolder.contents(path)
        for error in [
            storeError { _ = try open(Self.present) },
            storeError { _ = try StoreView(path: path) },
            storeError { _ = try StoreRepair(path: path) },
        ] {
            #expect(error?.code == .newer)
            #expect(
                error?.message.hasSuffix(
                    "the store is of format 5; this version reads formats 3 to 4"
                ) == true
            )
        }
        #expect(TestFolder.contents(path) == after)
    }

    /// The files are those that the upgrade writes, one after the other.
    @Test("is upgraded once more if that was interrupted, at whichever step", arguments: 0..<5)
    func interrupted(step: Int) throws {
        let journal = try makeStore()
        var description = try StoreFiles.readDescription(
            StoreFolder(path: path),
            upTo: Self.present
        )
        description.version = Self.next
        var writer = StoreWriter()
        description.write(to: &writer)
        let bytes = writer.bytes.array
        switch step {
        case 0: TestFolder.write(bytes.dropLast(9), to: "\(path)/STORE.new")
        case 1: TestFolder.write(bytes, to: "\(path)/STORE.new")
        default: TestFolder.write(bytes, to: "\(path)/STORE")
        }
        if step == 3 { TestFolder.write(bytes.dropLast(9), to: "\(path)/STORE.copy.new") }
        if step == 4 { TestFolder.write(bytes, to: "\(path)/STORE.copy") }
        // The router of before refuses it, or can still use it.
        let files = TestFolder.contents(path).filter { !$0.key.hasPrefix("table/") }
        let error = storeError { _ = try open(Self.present) }
        #expect(error?.code == (step < 2 ? nil : .newer))
        #expect(TestFolder.contents(path).filter { !$0.key.hasPrefix("table/") } == files)
        try expectUpgrade(journal)
    }

    @Test("stays as it is while its disk is full", .enabled(if: geteuid() == 0))
    func fullDisk() throws {
        var journal = try makeStore()
        let disk = try SmallDisk(folder.path(of: "disk"), megabytes: 12)
        let copy = folder.path(of: "disk/store")
        TestFolder.copyTree(path, to: copy)
        let store = try RocksStore(path: copy, createIfMissing: false, version: Self.next)
        disk.fill()
        var lost = journal
        #expect(storeError { try lost.append([[6]], to: store) }?.code == .full)
        #expect(try version(in: "STORE", of: copy) == Self.present)
        disk.free()
        try store.reopen()
        try journal.append([[7]], to: store)
        #expect(try version(in: "STORE", of: copy) == Self.next)
        #expect(try version(in: "STORE.copy", of: copy) == Self.next)
        #expect(try replayed(store, from: 3) == [[3], [4], [5], [7]])
    }

    @Test("and is of before the first release is refused as older, by the tools, too")
    func older() throws {
        _ = try makeStore()
        for format in [1, 2] as [UInt32] {
            var description = try StoreFiles.readDescription(
                StoreFolder(path: path),
                upTo: Self.present
            )
            description.version = format
            var writer = StoreWriter()
            description.write(to: &writer)
            let present = TestFolder.read("\(path)/STORE")
            TestFolder.write(writer.bytes.array, to: "\(path)/STORE")
            let files = TestFolder.contents(path)
            for error in [
                storeError { _ = try open(Self.present) },
                storeError { _ = try StoreView(path: path) },
                storeError { _ = try StoreCheck(path: path) },
                storeError { _ = try StoreRepair(path: path) },
            ] {
                #expect(error?.code == .older)
                #expect(error?.message.contains("the store is of format \(format)") == true)
            }
            #expect(TestFolder.contents(path) == files)
            TestFolder.write(present, to: "\(path)/STORE")
        }
    }

    @Test("loses a file that routers before the first release wrote, at its first change")
    func unneeded() throws {
        let journal = try makeStore()
        TestFolder.write([1], to: "\(path)/A-NEWER-FORMAT")
        #expect(try StoreCheck(path: path).isWhole)
        try expectUpgrade(journal)
    }
}
