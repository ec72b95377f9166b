import Basics
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// After a failure the log holds what was appended, and nothing of what was not.
@Suite("A store that is opened again")
struct StoreReopeningTests {
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }

    /// The file of the log that is written to.
    private var log: String {
        get throws { "journal/" + (try #require(TestFolder.names("\(path)/journal").last)) }
    }

    private func size(_ name: String) -> Int { TestFolder.size("\(path)/\(name)") }

    /// Puts records as an append does whose sync then fails.
    private func appendInVain(
        _ bodies: [[UInt8]],
        _ journal: inout Journal,
        to store: RocksStore
    ) throws -> (records: [UInt8], position: UInt64) {
        let group = journal.group(bodies)
        try group.records.withByteView { records throws(StoreError) in
            try store.put(records, from: group.position)
        }
        return group
    }

    @Test("has nothing of an append whose sync has failed, and takes it once more")
    func failedSync() throws {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1], [2]], to: store)
        for bodies in [[[3]], [[UInt8](repeating: 4, count: 100_000)]] {
            let before = try replayed(store)
            let log = try log
            let end = size(log)
            let (records, position) = try appendInVain(bodies, &journal, to: store)
            #expect(size(log) > end)
            try store.reopen()
            #expect(try replayed(store) == before)
            try records.withByteView { records throws(StoreError) in
                try store.append(records, from: position, isSynced: true)
            }
            try store.reopen()
            #expect(try replayed(store) == before + bodies)
        }
    }

    @Test("notices that its journal was changed from outside, before anything more is appended")
    func changedFile() throws {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1]], to: store)
        let log = "\(path)/\(try log)"
        let whole = TestFolder.read(log)
        for bytes in [Array(whole.dropLast()), whole + [0]] {
            TestFolder.write(bytes, to: log)
            var next = journal
            #expect(storeError { try next.append([[2]], to: store) }?.code == .replaced)
        }
        TestFolder.write(whole, to: log)
        try journal.append([[2]], to: store)
        try store.reopen()
        unlink(log)
        var next = journal
        let error = storeError { try next.append([[3]], to: store) }
        #expect(error?.code == .replaced && error?.message.contains("is deleted") == true)
        #expect(storeError { try store.reopen() }?.code == .gap)
    }

    @Test("says that the end of its journal is gone, until it is back")
    func lostEnd() throws {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1]], to: store)
        let log = "\(path)/\(try log)"
        let begin = TestFolder.read(log)
        try journal.append([[2]], to: store)
        store.close()
        let whole = TestFolder.read(log)
        TestFolder.write(begin, to: log)
        for _ in 0..<2 {
            let error = storeError { try store.reopen() }
            #expect(error?.code == .gap)
            let sentence = "ends with record 1, but record 2 was appended"
            #expect(error?.message.contains(sentence) == true)
            #expect(storeError { try journal.append([[3]], to: store) }?.code == .io)
        }
        TestFolder.write(whole, to: log)
        try store.reopen()
        #expect(try replayed(store) == [[1], [2]])
    }

    @Test("says that its journal ends with something else")
    func otherEnd() throws {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1]], to: store)
        store.close()
        var otherJournal = Journal()
        let other = try RocksStore(path: folder.path(of: "other"), createIfMissing: true)
        try otherJournal.append([[2]], to: other)
        let otherLog = TestFolder.read("\(folder.path(of: "other"))/\(try log)")
        TestFolder.write(otherLog, to: "\(path)/\(try log)")
        #expect(storeError { try store.reopen() }?.code == .corrupt)
    }

    @Test("continues after a journal of which nothing is left")
    func emptyJournal() throws {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try store.reopen()
        try journal.append([[1]], to: store)
        try store.rotate(before: 2)
        try journal.writeCheckpoint(1, records: [:], to: store)
        try store.cut(before: 2)
        try store.reopen()
        try journal.append([[2]], to: store)
        try store.reopen()
        #expect(try replayed(store, from: 2) == [[2]])
    }

    @Test("reads the files of its table again only if they were changed")
    func knownTable() throws {
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1]], to: store)
        try journal.writeCheckpoint(1, records: [1: "one"], to: store)
        try store.reopen()
        let table = try #require(
            TestFolder.files(path).first { $0.hasPrefix("sealed-1/") && $0.hasSuffix(".sst") }
        )
        var status = stat()
        #expect(stat("\(path)/\(table)", &status) == 0)
        var bytes = TestFolder.read("\(path)/\(table)")
        bytes[0] ^= 1
        TestFolder.write(bytes, to: "\(path)/\(table)")
        let dates = [status.st_atim, status.st_mtim]
        #expect(utimensat(AT_FDCWD, "\(path)/\(table)", dates, 0) == 0)
        try store.reopen()
        #expect(utimensat(AT_FDCWD, "\(path)/\(table)", nil, 0) == 0)
        for _ in 0..<2 {
            try store.reopen()
            let error = store.tableFailure
            #expect(error?.code == .corrupt && error?.message.contains(table) == true)
        }
        bytes[0] ^= 1
        TestFolder.write(bytes, to: "\(path)/\(table)")
        try store.reopen()
        #expect(try store.tableFailure == nil && replayed(store) == [[1]])
    }

    /// Names and sizes of all files.
    private func sizes(_ path: String) -> [String: Int] {
        TestFolder.contents(path).mapValues(\.count)
    }

    @Test("fails while another folder lies in its place, and changes nothing there")
    func replacedFolder() throws {
        let (aside, copy) = (folder.path(of: "aside"), folder.path(of: "copy"))
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1]], to: store)
        TestFolder.copyTree(path, to: copy)
        // What nobody has written is what RocksDB deletes when it closes a database.
        TestFolder.write([1], to: "\(copy)/table/000099.sst")
        let before = sizes(copy)
        #expect(rename(path, aside) == 0 && rename(copy, path) == 0)
        let group = journal.group([[2]])
        func append() throws(StoreError) {
            try group.records.withByteView { records throws(StoreError) in
                try store.append(records, from: group.position, isSynced: true)
            }
        }
        #expect(storeError { try append() }?.code == .replaced)
        for _ in 0..<3 { #expect(storeError { try store.reopen() }?.code == .replaced) }
        #expect(storeError { try store.rotate(before: 3) }?.code == .replaced)
        #expect(storeError { try store.cut(before: 2) }?.code == .replaced)
        #expect(storeError { try store.beginSeal() }?.code == .replaced)
        #expect(sizes(path) == before)

        #expect(rename(path, copy) == 0)
        let gone = storeError { try store.reopen() }
        #expect(gone?.code == .replaced && gone?.message.contains("no longer exists") == true)
        #expect(rename(aside, path) == 0)
        try store.reopen()
        #expect(try replayed(store) == [[1]])
        try append()
        try store.reopen()
        #expect(try replayed(store) == [[1], [2]])
    }

    @Test("closes while another folder lies in its place, and changes nothing there")
    func closedInVain() throws {
        let (aside, copy) = (folder.path(of: "aside"), folder.path(of: "copy"))
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1]], to: store)
        TestFolder.copyTree(path, to: copy)
        TestFolder.write([1], to: "\(copy)/table/000099.sst")
        let before = sizes(copy)
        #expect(rename(path, aside) == 0 && rename(copy, path) == 0)
        store.close()
        #expect(sizes(path) == before)
    }

    @Test("fails while the files of a copy lie in its folder")
    func replacedFiles() throws {
        let (aside, copy) = (folder.path(of: "aside"), folder.path(of: "copy"))
        var journal = Journal()
        let store = try RocksStore(path: path, createIfMissing: true)
        try journal.append([[1]], to: store)
        TestFolder.copyTree(path, to: copy)
        mkdir(aside, 0o700)
        let names = TestFolder.names(path)
        for name in names { #expect(rename("\(path)/\(name)", "\(aside)/\(name)") == 0) }
        for name in TestFolder.names(copy) {
            #expect(rename("\(copy)/\(name)", "\(path)/\(name)") == 0)
        }
        #expect(storeError { try journal.append([[2]], to: store) }?.code == .replaced)
        #expect(storeError { try store.reopen() }?.code == .replaced)
        for name in TestFolder.names(path) where TestFolder.isFolder("\(path)/\(name)") {
            TestFolder.deleteTree("\(path)/\(name)")
        }
        for name in names { #expect(rename("\(aside)/\(name)", "\(path)/\(name)") == 0) }
        try store.reopen()
        #expect(try replayed(store) == [[1]])
    }
}
