internal import DataStructures
internal import StoreFormat

/// Puts the parts of a long record together.
struct RecordParts: ~Copyable {
    private var writer = StoreWriter(capacity: 64)
    private var first: TableKey?
    /// The part that comes next.
    private var next: UInt16 = 0

    /// Takes a part that another one follows, or follows another one.
    ///
    /// - Returns: false if the record is not in parts.
    /// - Throws: `corrupt` if a part is missing in front of it.
    mutating func begin(
        _ key: TableKey,
        _ body: ByteView,
        isLong: Bool
    ) throws(StoreError) -> Bool {
        if first == nil { next = 0 }
        if key.part != next {
            throw StoreError(.corrupt, "part \(next) is missing in front of table record \(key)")
        }
        if first == nil {
            if !isLong { return false }
            writer.clear()
            first = key
        }
        if next == .max { throw StoreError(.corrupt, "table record \(key) has too many parts") }
        next += 1
        writer.put(raw: body)
        return true
    }

    /// The record that is whole, because the key of another one comes next, with the key of its last
    /// part; valid until `begin`.
    mutating func finish(before key: TableKey?) -> (key: TableKey, body: ByteView)? {
        guard var first else { return nil }
        if let key, key.type == first.type, key.number == first.number, key.epoch == first.epoch {
            return nil
        }
        self.first = nil
        first.part = next - 1
        return (first, writer.bytes)
    }
}
