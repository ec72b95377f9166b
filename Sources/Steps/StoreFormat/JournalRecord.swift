package import Basics

/// A record of the journal: all inputs of one or more ticks, which are kept or lost together.
///
///     0    checksum of all that follows           64 bits
///     8    bytes of the body                      32 bits
///     12   version of the format │ 0              16 + 16 bits
///     16   position                               64 bits
///     24   checksum of the record before          64 bits
///     32   body: entries, one after the other
///
/// Positions count up by one, from 1. Each record names the checksum of the one before, so that a
/// missing record, or one of another history, is detected; the first record names 0.
package struct JournalRecord {
    /// The length of the header, in bytes.
    package static var headerByteCount: Int { 32 }
    /// The format of records that this code writes. It also says by which rules the router decided
    /// that wrote the record: what it had sent, charged and answered must stay so. A router that
    /// decides otherwise has a higher number, and follows older records by their rules.
    package static var version: UInt16 { 4 }
    /// The oldest format of records that this code reads. No release has written an older one.
    private static var oldestVersion: UInt16 { 3 }
    /// The longest body, in bytes.
    package static var bodyLimit: Int { 1 << 30 }

    /// The record's number in the journal, counted from 1.
    package let position: UInt64
    /// The record's format.
    package let version: UInt16
    /// The record's checksum, which the next record names as its parent.
    package let checksum: UInt64
    /// The checksum of the record before.
    package let parent: UInt64
    /// A view that is valid as long as the bytes the record was read from.
    package let body: ByteView

    /// Reserves space for a header at the end of `writer`, and returns the record's offset, for
    /// `end`; the caller then writes the body.
    package static func begin(_ writer: inout StoreWriter) -> Int {
        writer.reserve(headerByteCount)
    }

    /// Fills in the header of the record that began at `start` and reaches to the end of `writer`;
    /// `version` is another than this code's for a record that is only copied. Returns the record's
    /// checksum, which the next record names as its parent.
    package static func end(
        _ writer: inout StoreWriter,
        from start: Int,
        position: UInt64,
        parent: UInt64,
        version: UInt16 = version
    ) -> UInt64 {
        let byteCount = writer.count - start - headerByteCount
        precondition(byteCount >= 0 && byteCount <= bodyLimit, "a record of \(byteCount) bytes")
        precondition(position > 0, "positions are counted from 1")
        writer.patch(UInt32(byteCount), at: start + 8)
        writer.patch(version, at: start + 12)
        writer.patch(0 as UInt16, at: start + 14)
        writer.patch(position, at: start + 16)
        writer.patch(parent, at: start + 24)
        let sum = StoreFormat.checksum(writer.bytes.slice(start + 8, to: writer.count))
        writer.patch(sum, at: start)
        return sum
    }

    /// Reads the record at the reader's offset, and moves the reader past it.
    ///
    /// - Throws: `corrupt`, `older` or `newer`, with the position if that could be read.
    package static func read(_ reader: inout StoreReader) throws(StoreError) -> JournalRecord {
        let sum = try reader.read(UInt64.self)
        let covered = reader.offset
        let byteCount = Int(try reader.read(UInt32.self))
        let version = try reader.read(UInt16.self)
        _ = try reader.read(UInt16.self)
        let position = try reader.read(UInt64.self)
        let parent = try reader.read(UInt64.self)
        if byteCount > bodyLimit || byteCount > reader.remainingCount {
            throw StoreError(.corrupt, message: "journal record \(position) is cut off")
        }
        let body = try reader.read(raw: byteCount)
        if StoreFormat.checksum(reader.view(covered, to: reader.offset)) != sum {
            throw StoreError(.corrupt, message: "journal record \(position) has a wrong checksum")
        }
        try StoreError.require(
            version,
            of: "journal record \(position)",
            in: oldestVersion...Self.version
        )
        return JournalRecord(
            position: position,
            version: version,
            checksum: sum,
            parent: parent,
            body: body
        )
    }
}
