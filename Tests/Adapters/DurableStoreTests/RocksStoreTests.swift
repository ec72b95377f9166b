import Basics
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

@Suite("The store")
struct RocksStoreTests {
    let folder = TestFolder()

    private func open(_ createIfMissing: Bool = true) throws -> RocksStore {
        try RocksStore(path: folder.path(of: "store"), createIfMissing: createIfMissing)
    }

    @Test("keeps the log and the table, and what it was made with, over a restart")
    func restart() throws {
        var journal = Journal()
        let description: StoreDescription
        do {
            let store = try open()
            description = store.description
            try journal.append([[1], [2, 2]], to: store)
            try journal.append([[3]], to: store)
            try journal.writeCheckpoint(1, records: [4: "elf", 2: "orc"], to: store)
            try journal.append([[4], [], [6]], to: store, isSynced: false)
        }
        let store = try open(false)
        #expect(store.description == description)
        #expect(try replayed(store) == journal.bodies)
        #expect(try replayed(store, from: 2) == Array(journal.bodies.dropFirst()))
        #expect(try replayed(store, from: 5) == [[], [6]])
        #expect(try replayed(store, from: 7).isEmpty)
        let table = try scanned(store)
        #expect(table[TableKey(type: 1, number: 4, epoch: 1)] == "elf")
        #expect(table.count == 2)
    }

    @Test("returns the table in the order of its keys, epochs rising")
    func order() throws {
        let store = try open()
        var changes = TableChanges()
        for epoch in [3, 1, 2] as [UInt32] {
            for number in [70_000, 1, 255, 256] as [UInt32] {
                changes.put(TableKey(type: 1, number: number, epoch: epoch)) { $0.put(epoch) }
            }
        }
        try store.write(changes)
        var keys: [TableKey] = []
        try store.scan { key, _ throws(StoreError) in keys.append(key) }
        #expect(keys.count == 12 && keys == keys.sorted())
    }

    @Test("returns all of a large store after a record was refused anywhere in it")
    func refusal() throws {
        let store = try open()
        var journal = Journal()
        var generator = SeededGenerator(seed: 7)
        var changes = TableChanges()
        // Several records to a block of `ReadAhead`, several blocks, and several segments.
        for number in 1...40 as ClosedRange<UInt32> {
            let bytes = generator.bytes(80_000)
            if number % 10 == 0 { try store.rotate(before: UInt64(number)) }
            try journal.append([bytes], to: store, isSynced: false)
            changes.put(TableKey(type: 1, number: number, epoch: 1)) { writer in
                bytes.withByteView { writer.put(raw: $0) }
            }
        }
        try store.write(changes)
        let refused = StoreError(.unusable, message: "refused")
        for position in [0, 1, 9, 20, 39, 40] {
            func refuse(_ count: inout Int) throws(StoreError) {
                if count == position { throw refused }
                count += 1
            }
            var scanned = 0
            var replayed = 0
            let errors = [
                storeError { try store.scan { _, _ throws(StoreError) in try refuse(&scanned) } },
                storeError {
                    try store.replay(from: 1) { _ throws(StoreError) in try refuse(&replayed) }
                },
            ]
            #expect(scanned == position && replayed == position)
            #expect(errors == [StoreError?](repeating: position == 40 ? nil : refused, count: 2))
        }
        #expect(try replayed(store) == journal.bodies)
    }

    @Test("forgets what was written to the table and not sealed")
    func unsealed() throws {
        var journal = Journal()
        let store = try open()
        try journal.append([[1]], to: store)
        try journal.writeCheckpoint(1, records: [1: "old"], to: store)
        var changes = TableChanges()
        changes.put(TableKey(type: 1, number: 1, epoch: 2)) { $0.put(counted: "new") }
        changes.delete(TableKey(type: 1, number: 1, epoch: 1))
        try store.write(changes)
        try store.reopen()
        #expect(try scanned(store) == [TableKey(type: 1, number: 1, epoch: 1): "old"])
        #expect(try replayed(store) == [[1]])
    }

    @Test("makes a manifest durable only together with everything that was written before it")
    func sealOrder() throws {
        // Three times what is gathered before a file is written, so several are written on the way.
        let store = try open()
        let count = UInt32(3 * RocksLimits.tableBuffer / 65_536)
        var generator = SeededGenerator(seed: 5)
        let page = generator.bytes(65_536)
        for number in 0..<count {
            var changes = TableChanges()
            changes.put(TableKey(type: 1, number: number, epoch: 1)) { writer in
                page.withByteView { writer.put(raw: $0) }
            }
            try store.write(changes)
            // Whatever is on disk already is what was written first, without a hole.
            if number % 256 == 255 { try expectPrefix(upTo: number) }
        }
        var changes = TableChanges()
        changes.put(StoreManifest.key(epoch: 1)) { StoreManifest.none.write(to: &$0) }
        try store.write(changes)
        try store.beginSeal()
        while store.isTableBusy { sched_yield() }
        try store.seal()
        try store.reopen()
        var numbers = 0
        try store.scan { key, _ throws(StoreError) in numbers += 1 }
        #expect(numbers == Int(count) + 1)
    }

    private func expectPrefix(upTo last: UInt32) throws {
        let view = try StoreView(path: folder.path(of: "store"))
        var next: UInt32 = 0
        try view.scan { key, _ throws(StoreError) in
            #expect(key.number == next && key.type == 1)
            next += 1
        }
        #expect(next <= last + 1)
    }

    @Test("cuts whole segments of the log, and gives their space back")
    func cut() throws {
        var journal = Journal()
        let store = try open()
        var generator = SeededGenerator(seed: 6)
        let body = generator.bytes(4_000)
        for index in 1...10_000 {
            try journal.append([body], to: store, isSynced: false)
            if index == 9_990 { try store.rotate(before: 9_991) }
        }
        #expect(store.diskByteCount > 40_000_000)
        try store.cut(before: 9_990)
        #expect(try replayed(store).count == 10_000)
        try store.cut(before: 9_991)
        #expect(store.diskByteCount < 2_000_000)
        #expect(storeError { _ = try replayed(store) }?.code == .gap)
        #expect(try replayed(store, from: 9_991).count == 10)
        try store.reopen()
        #expect(try replayed(store, from: 9_991).count == 10)
        try journal.append([[1]], to: store)
        #expect(try replayed(store, from: 9_991).count == 11)
    }

    @Test("begins a segment once, and none ahead of the journal's end")
    func rotate() throws {
        var journal = Journal()
        let store = try open()
        try journal.append([[1], [2], [3]], to: store)
        try store.rotate(before: 4)
        try store.rotate(before: 4)
        #expect(storeError { try store.rotate(before: 9) }?.code == .gap)
        try journal.append([[4]], to: store)
        #expect(try replayed(store).count == 4)
        #expect(store.segments == [1, 4])
        try journal.append([[5], [6]], to: store)
        try store.rotate(before: 7)
        try journal.append([[7]], to: store)
        let hole = storeError {
            try [0].withByteView { view throws(StoreError) in
                try store.append(view, from: 5, isSynced: false)
            }
        }
        let ahead = storeError {
            try [0].withByteView { view throws(StoreError) in
                try store.append(view, from: 9, isSynced: false)
            }
        }
        #expect(hole?.code == .gap && ahead?.code == .gap)
    }

    @Test("accepts an append again, with more records after it")
    func again() throws {
        var journal = Journal()
        let store = try open()
        try journal.append([[1]], to: store)
        var once = journal
        try once.append([[2]], to: store)
        try journal.append([[2], [3]], to: store)
        #expect(try replayed(store) == [[1], [2], [3]])
    }

    @Test("appends hundreds of kilobytes in one piece")
    func large() throws {
        var journal = Journal()
        let store = try open()
        var generator = SeededGenerator(seed: 7)
        for count in [300_000, 1, 0, 32_761, 32_762, 1_000_000] {
            try journal.append([generator.bytes(count)], to: store)
        }
        try store.reopen()
        #expect(try replayed(store) == journal.bodies)
    }

    @Test("refuses to do anything while it is closed")
    func closed() throws {
        let store = try open()
        store.close()
        store.close()
        #expect(storeError { try store.seal() }?.code == .io)
        try store.reopen()
        try store.seal()
    }
}
