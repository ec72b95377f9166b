internal import DataStructures
internal import StoreFormat

/// The table's records and manifests in the database.
extension RocksDatabase {
    /// Calls `body` for all records of the table, with their headers, in the order of their keys.
    func readTable(
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        let ahead = ReadAhead { [self] ahead throws(StoreError) in
            var iterator = iterate()
            iterator.seekToFirst()
            _ = try iterator.putRest(ahead)
        }
        try ahead.forEachRecord { key, value throws(StoreError) in try body(TableKey(key), value) }
    }

    /// Calls `body` for the records of the manifests, newest first; they come first in the table.
    func readManifests(
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        var iterator = iterate()
        iterator.seekToFirst()
        while try iterator.isValid() {
            let key = try TableKey(iterator.key)
            if key.type != StoreManifest.type { return }
            if StoreManifest.isKey(key) { try body(key, iterator.value) }
            iterator.next()
        }
    }

    /// The newest manifest that can be read; nil if there is none.
    func newestManifest() throws(StoreError) -> StoreManifest? {
        var newest: StoreManifest?
        try readManifests { key, value throws(StoreError) in
            if newest == nil { newest = try? StoreManifest(key, value: value) }
        }
        return newest
    }
}

extension RocksIterator {
    /// Puts the record at the iterator's position and all after it.
    ///
    /// - Returns: false if reading must stop.
    mutating func putRest(_ ahead: ReadAhead) throws(StoreError) -> Bool {
        while try isValid() {
            if !ahead.put(key, value: value) { return false }
            next()
        }
        return true
    }
}
