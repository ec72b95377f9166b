package import Basics

/// The value of a record of the table.
///
///     0    checksum of all that follows, seeded with that of the key     64 bits
///     8    version of the format                                         16 bits
///     10   body
package struct TableRecord {
    /// The length of the header, in bytes.
    package static var headerByteCount: Int { 10 }
    /// The format of values that this code writes, and the only one that it reads.
    package static var version: UInt16 { 1 }

    /// Reserves space for the header at the end of `writer`, and returns the value's offset, for
    /// `end`; the caller then writes the body.
    package static func begin(_ writer: inout StoreWriter) -> Int {
        writer.reserve(headerByteCount)
    }

    /// Fills in the header of the value that began at `start` and reaches to the end of `writer`.
    package static func end(_ writer: inout StoreWriter, from start: Int, key: TableKey) {
        writer.patch(version, at: start + 8)
        let sum = checksum(writer.bytes.slice(start + 8, to: writer.count), seed: seed(key))
        writer.patch(sum, at: start)
    }

    /// Checks a value and returns its body.
    ///
    /// - Throws: `corrupt`, `older` or `newer`, with the key.
    package static func body(_ value: ByteView, key: TableKey) throws(StoreError) -> ByteView {
        var reader = StoreReader(value)
        if value.count < headerByteCount {
            throw StoreError(.corrupt, message: "table record \(key) is cut off")
        }
        let sum = try reader.read(UInt64.self)
        if checksum(value.slice(8, to: value.count), seed: seed(key)) != sum {
            throw StoreError(.corrupt, message: "table record \(key) has a wrong checksum")
        }
        let version = try reader.read(UInt16.self)
        try StoreError.require(version, of: "table record \(key)", in: Self.version...Self.version)
        return value.slice(headerByteCount, to: value.count)
    }

    /// The checksum of the key's bytes, so that the value of another key is detected.
    private static func seed(_ key: TableKey) -> UInt64 {
        key.withBytes { checksum($0) }
    }
}
