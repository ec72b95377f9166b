internal import Basics
internal import StoreFormat

/// Joins the parts of a long record, which are read one after the other.
struct RecordParts: ~Copyable {
    private var writer = StoreWriter(capacity: 64)
    /// The key of the first part; nil if no record has been begun.
    private var first: TableKey?
    /// The number of the part that must come next.
    private var next: UInt16 = 0

    /// Adds a part of a record; returns false if the record consists of this part alone, which is
    /// not kept then. `isLong` says whether another part may follow the first one (see
    /// `StateRecord.mayHaveMoreParts`).
    ///
    /// - Throws: `corrupt` if the part before it is missing, or if there are too many.
    mutating func begin(_ key: TableKey, body: ByteView, isLong: Bool) throws(StoreError) -> Bool {
        if first == nil { next = 0 }
        if key.part != next {
            throw StoreError.corrupt("part \(next) is missing in front of table record \(key)")
        }
        if first == nil {
            if !isLong { return false }
            writer.clear()
            first = key
        }
        if next == .max {
            throw StoreError.corrupt("table record \(key) has too many parts")
        }
        next += 1
        writer.put(raw: body)
        return true
    }

    /// Forgets the record that was begun, because a part of it is missing.
    mutating func drop() { first = nil }

    /// Returns the joined record with the key of its last part, once the next key (nil at the end
    /// of the table) belongs to another record. The bytes are valid until `begin`. Returns nil if
    /// the record is not complete or none has been begun.
    mutating func finish(before key: TableKey?) -> (key: TableKey, body: ByteView)? {
        guard var first else { return nil }
        if let key, key.type == first.type, key.number == first.number, key.epoch == first.epoch {
            return nil
        }
        self.first = nil
        assert(next > 0, "a record has at least one part")
        first.part = next - 1
        return (first, writer.bytes)
    }
}
