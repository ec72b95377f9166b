internal import DataStructures
internal import StoreFormat

/// The log and the table as they lie in the column families.
extension RocksDatabase {
    /// Hands out what was appended together, from where `position` lies within or behind it.
    ///
    /// A segment's key is the first position of what was appended together, big-endian.
    func readLog(
        from position: UInt64,
        _ body: (UInt64, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        let segments = self.segments
        let first = segments.lastIndex { $0 <= position } ?? 0
        let ahead = ReadAhead { [self] ahead throws(StoreError) in
            for segment in segments.dropFirst(first) {
                var iterator = iterate(FamilyName.segment(from: segment))
                try withKey(position) { key throws(StoreError) in iterator.seek(atMost: key) }
                if try !iterator.isValid() { iterator.seekToFirst() }
                if try !iterator.putRest(ahead) { return }
            }
        }
        try ahead.handOut { key, value throws(StoreError) in
            try body(Self.position(key), value)
        }
    }

    static func position(_ key: ByteView) throws(StoreError) -> UInt64 {
        if key.count != 8 {
            throw StoreError(.corrupt, "a key of the journal has \(key.count) bytes")
        }
        return key.bigEndian(UInt64.self, at: 0)
    }

    /// Hands out all records of the table, in the order of their keys, with their headers.
    func readTable(
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        let ahead = ReadAhead { [self] ahead throws(StoreError) in
            var iterator = iterate(FamilyName.table)
            iterator.seekToFirst()
            _ = try iterator.putRest(ahead)
        }
        try ahead.handOut { key, value throws(StoreError) in try body(TableKey(key), value) }
    }

    /// Hands out the records of one type that come first in the table: those of the lowest type.
    func readTable(
        type: UInt8,
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        var iterator = iterate(FamilyName.table)
        iterator.seekToFirst()
        while try iterator.isValid() {
            let key = try TableKey(iterator.key)
            if key.type != type { return }
            try body(key, iterator.value)
            iterator.next()
        }
    }

    /// What is known of the store, or nil if that was never written.
    func readFacts(upTo version: UInt32) throws(StoreError) -> StoreFacts? {
        try readFact(StoreFacts.key) { value throws(StoreError) in
            try StoreFacts(value, upTo: version)
        }
    }

    /// Reads one of the few records that stand beside journal and table.
    func readFact<Fact>(
        _ key: String,
        _ body: (ByteView) throws(StoreError) -> Fact
    ) throws(StoreError) -> Fact? {
        var iterator = iterate(FamilyName.facts)
        iterator.seekToFirst()
        while try iterator.isValid() {
            if iterator.key.string == key { return try body(iterator.value) }
            iterator.next()
        }
        return nil
    }
}

extension RocksIterator {
    /// Puts what is here, and all behind it.
    ///
    /// - Returns: whether to go on.
    fileprivate mutating func putRest(_ ahead: ReadAhead) throws(StoreError) -> Bool {
        while try isValid() {
            if !ahead.put(key, value) { return false }
            next()
        }
        return true
    }
}

/// Runs `body` with the key of a position.
func withKey<Result>(
    _ position: UInt64,
    _ body: (ByteView) throws(StoreError) -> Result
) throws(StoreError) -> Result {
    var writer = StoreWriter(capacity: 8)
    writer.put(position.byteSwapped)
    return try body(writer.bytes)
}
