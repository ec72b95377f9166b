import Basics
import StoreFormat
import TestSupport

@testable import DurableStore

/// Writes a journal as a router would, and knows what must come back.
struct Journal {
    private(set) var position: UInt64 = 0
    private(set) var parent: UInt64 = 0
    private(set) var bodies: [[UInt8]] = []

    /// The next records, one after the other, and the position of the first.
    mutating func group(_ bodies: [[UInt8]]) -> (records: [UInt8], position: UInt64) {
        var writer = StoreWriter()
        let first = position + 1
        for body in bodies {
            let start = JournalRecord.begin(&writer)
            body.withByteView { writer.put(raw: $0) }
            position += 1
            parent = JournalRecord.end(&writer, from: start, position: position, parent: parent)
        }
        self.bodies += bodies
        return (writer.bytes.array, first)
    }

    mutating func append(
        _ bodies: [[UInt8]],
        to store: some StoreEngine,
        isSynced: Bool = true
    ) throws {
        let (records, first) = group(bodies)
        try records.withByteView { records throws(StoreError) in
            try store.append(records, from: first, isSynced: isSynced)
        }
    }

    /// A checkpoint of one record and the manifest that ends it, at the present position.
    func writeCheckpoint(
        _ epoch: UInt32,
        records: [UInt32: String],
        to store: some StoreEngine
    ) throws {
        var changes = TableChanges()
        for (number, text) in records.sorted(by: { $0.key < $1.key }) {
            changes.put(TableKey(type: 1, number: number, epoch: epoch)) { $0.put(counted: text) }
        }
        changes.put(StoreManifest.key(epoch: epoch)) { writer in
            manifest(epoch).write(to: &writer)
        }
        try store.write(changes)
        try store.seal()
    }

    func manifest(_ epoch: UInt32) -> StoreManifest {
        StoreManifest(epoch: epoch, position: position, checksum: parent, version: 1)
    }
}

/// Everything behind a position, record by record.
func replayed(_ store: some StoreSource, from position: UInt64 = 1) throws -> [[UInt8]] {
    var bodies: [[UInt8]] = []
    var chain = JournalChain(next: position, parent: position == 1 ? 0 : nil)
    try store.replay(from: position) { group throws(StoreError) in
        try chain.follow(group) { bodies.append($0.body.array) }
    }
    return bodies
}

/// The texts of the table, by key.
func scanned(_ store: some StoreSource) throws -> [TableKey: String] {
    var texts: [TableKey: String] = [:]
    try store.scan { key, value throws(StoreError) in
        if key.type == StoreManifest.type { return }
        var reader = StoreReader(try TableRecord.body(value, key: key))
        texts[key] = try reader.readCounted().string
        try reader.finish()
    }
    return texts
}

/// The error that `body` throws, or nil.
func storeError(_ body: () throws -> Void) -> StoreError? {
    do {
        try body()
        return nil
    } catch {
        return error as? StoreError
    }
}
