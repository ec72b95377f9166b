internal import Basics
internal import StoreFormat

/// The table's records and manifests in the database.
extension RocksDatabase {
    /// Calls `body` for all records of the table, with their headers, in the order of their keys.
    func readTable(_ body: (TableKey, ByteView) throws(StoreError) -> Void) throws(StoreError) {
        let ahead = ReadAhead { [self] ahead throws(StoreError) in
            var iterator = iterate()
            iterator.seekToFirst()
            _ = try iterator.putRest(ahead)
        }
        try ahead.forEachRecord { key, value throws(StoreError) in try body(TableKey(key), value) }
    }

    /// Calls `body` for all records of the table that can be read, in the order of their keys, also
    /// after damaged blocks of its files.
    ///
    /// RocksDB merges the files, and reads none of them on while one is in a damaged block.
    ///
    /// - Parameters:
    ///   - whole: a database of the files that are whole; nil if there is none.
    ///   - body: receives each record.
    ///   - damage: receives which records cannot be read, in words.
    /// - Throws: errors of `body`, or of the disk.
    func readRemains(
        besides whole: RocksDatabase? = nil,
        body: (TableKey, ByteView) throws(StoreError) -> Void,
        damage: (StoreError) -> Void
    ) throws(StoreError) {
        var iterator = iterate()
        iterator.seekToFirst()
        var last: TableKey?
        while true {
            do throws(StoreError) {
                if try !iterator.isValid() { return }
            } catch {
                if error.code != .corrupt { throw error }
                let next = try firstPlace(afterDamageSince: last.map { TablePlace($0) })
                let begin = last.map { "after \(TablePlace($0))" } ?? "from the first one"
                let end = next.map { "before \($0)" } ?? "to the last one"
                damage(
                    StoreError.corrupt(
                        "of the table's records \(begin) and \(end), those in a damaged "
                            + "block are gone (\(error.message))"
                    )
                )
                try whole?.read(after: last, before: next, body: body)
                guard let next else { return }
                iterator = iterate()
                next.seek(&iterator)
                if try !iterator.isValid() { return }
            }
            let key = try TableKey(iterator.key)
            try body(key, iterator.value)
            last = key
            iterator.next()
        }
    }

    /// Calls `body` for all records after a key, or from the first one, and before a place.
    private func read(
        after last: TableKey?,
        before end: TablePlace?,
        body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        var iterator = iterate()
        if let last { iterator.seek(last) } else { iterator.seekToFirst() }
        while try iterator.isValid() {
            let key = try TableKey(iterator.key)
            if let end, TablePlace(key).rawValue >= end.rawValue { return }
            if key != last { try body(key, iterator.value) }
            iterator.next()
        }
    }

    /// Searches for the first record that can be read after damaged blocks: it can be sought, and
    /// what is before it, from the last record that was read, cannot. Returns nil if nothing can be
    /// read after the damage. Throws what the disk reports.
    private func firstPlace(afterDamageSince last: TablePlace?) throws(StoreError) -> TablePlace? {
        // No record is before place 0, which is that of the manifest.
        var (damaged, step) = (last?.rawValue ?? -1, 1)
        var whole = damaged + step
        var found = try seek(whole)
        while found == .damage {
            if whole >= TablePlace.last.rawValue { return nil }
            (damaged, step) = (whole, step * 2)
            whole = min(damaged + step, TablePlace.last.rawValue)
            found = try seek(whole)
        }
        while whole - damaged > 1 {
            let middle = damaged + (whole - damaged) / 2
            let result = try seek(middle)
            if result == .damage { damaged = middle } else { (whole, found) = (middle, result) }
        }
        guard case .record(let place) = found else { return nil }
        return place
    }

    private enum Found: Equatable {
        case record(TablePlace)
        case end
        case damage
    }

    /// Searches for the first record at a place or after it. An iterator that has met a damaged
    /// block may say so again of a whole one (RocksDB 7.8), so each search has its own.
    private func seek(_ place: Int) throws(StoreError) -> Found {
        var iterator = iterate()
        TablePlace(rawValue: place).seek(&iterator)
        do throws(StoreError) {
            return try iterator.isValid() ? .record(TablePlace(TableKey(iterator.key))) : .end
        } catch {
            if error.code != .corrupt { throw error }
            return .damage
        }
    }

    /// Calls `body` for the records of the manifests, newest first; they come first in the table.
    func readManifests(_ body: (TableKey, ByteView) throws(StoreError) -> Void) throws(StoreError) {
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

/// A type of records and a number: a place in the order of the table's keys.
private struct TablePlace: Equatable, CustomStringConvertible {
    let rawValue: Int

    static var last: TablePlace { TablePlace(rawValue: 0xff_ffff_ffff) }

    init(rawValue: Int) { self.rawValue = rawValue }

    init(_ key: TableKey) { rawValue = Int(key.type) << 32 | Int(key.number) }

    /// Moves to the newest record at the place, or else to the first one after it.
    func seek(_ iterator: inout RocksIterator) {
        let number = UInt32(truncatingIfNeeded: rawValue)
        iterator.seek(TableKey(type: UInt8(rawValue >> 32), number: number, epoch: .max))
    }

    /// The type and the number, for messages.
    var description: String { "\(rawValue >> 32)/\(UInt32(truncatingIfNeeded: rawValue))" }
}

extension RocksIterator {
    /// Moves to the record with a key, or else to the first one after it.
    fileprivate mutating func seek(_ key: TableKey) {
        var bytes = StoreWriter()
        key.write(to: &bytes)
        seek(bytes.bytes)
    }

    /// Puts the record at the iterator's position and all after it. Returns false if reading must
    /// stop.
    mutating func putRest(_ ahead: ReadAhead) throws(StoreError) -> Bool {
        while try isValid() {
            if !ahead.put(key, value: value) { return false }
            next()
        }
        return true
    }
}
