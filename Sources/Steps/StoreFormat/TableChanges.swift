package import Basics

/// A batch of changes to the table, puts and deletions, which `StoreEngine.write` applies in their
/// order.
///
///     1 │ key │ bytes of the value: 32 bits │ value        put
///     0 │ key                                              delete
package struct TableChanges: ~Copyable {
    private var writer = StoreWriter()
    /// The number of changes.
    package private(set) var count = 0

    /// Makes an empty batch.
    package init() {}

    /// The length of the encoded changes, in bytes.
    package var byteCount: Int { writer.count }
    /// Whether the batch has no changes.
    package var isEmpty: Bool { count == 0 }

    /// Removes all changes, and keeps the memory.
    package mutating func clear() {
        writer.clear()
        count = 0
    }

    /// Puts a record whose content `body` writes; the header is added.
    package mutating func put(_ key: TableKey, body: (inout StoreWriter) -> Void) {
        writer.put(1 as UInt8)
        key.write(to: &writer)
        let length = writer.count
        writer.put(0 as UInt32)
        let start = TableRecord.begin(&writer)
        body(&writer)
        TableRecord.end(&writer, from: start, key: key)
        writer.patch(UInt32(writer.count - start), at: length)
        count += 1
    }

    /// Deletes the record of a key; this is no error if there is none.
    package mutating func delete(_ key: TableKey) {
        writer.put(0 as UInt8)
        key.write(to: &writer)
        count += 1
    }

    /// Calls `body` with each change in its order: the key's bytes and the value's, or nil for a
    /// deletion. The views are valid until the batch changes.
    ///
    /// - Throws: what `body` throws.
    package func forEachRecord(
        _ body: (ByteView, ByteView?) throws(StoreError) -> Void
    ) throws(StoreError) {
        var reader = StoreReader(writer.bytes)
        while !reader.isAtEnd {
            let isPut = try reader.readBool()
            let key = try reader.read(raw: TableKey.byteCount)
            if !isPut {
                try body(key, nil)
                continue
            }
            let byteCount = Int(try reader.read(UInt32.self))
            try body(key, reader.read(raw: byteCount))
        }
    }
}
