package import Basics

/// The key of a record of the table.
///
///     type: 8 bits │ number: 32 │ ~epoch: 32 │ part: 16   big-endian, so that keys sort like this
///
/// A record is never overwritten: a checkpoint writes the new one next to the old one, under its
/// own epoch, and the old one is deleted once the checkpoint is sealed. So an interrupted
/// checkpoint leaves the one before intact. Of the records of one number the newest comes first;
/// see `TableScan`.
package struct TableKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The length of a key, in bytes.
    package static var byteCount: Int { 11 }

    /// The type of record, which the router defines, except that of `StoreManifest`.
    package var type: UInt8
    /// The record's number among those of its type.
    package var number: UInt32
    /// The number of the checkpoint that wrote the record, counted from 1.
    package var epoch: UInt32
    /// The part of a value too long for one record, counted from 0.
    package var part: UInt16

    /// Makes a key from its fields; `part` is 0 unless the value is in several records.
    package init(type: UInt8, number: UInt32, part: UInt16 = 0, epoch: UInt32) {
        self.type = type
        self.number = number
        self.epoch = epoch
        self.part = part
    }

    /// Reads a key; throws `corrupt` unless there are exactly `byteCount` bytes.
    package init(_ bytes: ByteView) throws(StoreError) {
        if bytes.count != Self.byteCount {
            throw StoreError(.corrupt, message: "a key of the table has \(bytes.count) bytes")
        }
        type = bytes[0]
        number = bytes.bigEndian(UInt32.self, at: 1)
        epoch = ~bytes.bigEndian(UInt32.self, at: 5)
        part = bytes.bigEndian(UInt16.self, at: 9)
    }

    /// Appends the key's bytes.
    package func write(to writer: inout StoreWriter) {
        withBytes { writer.put(raw: $0) }
    }

    /// Calls `body` with the key's bytes, valid only during the call.
    func withBytes<Result>(_ body: (ByteView) -> Result) -> Result {
        let age = ~epoch
        // Both words in the order of the layout; only the first three bytes of the second one are
        // used.
        let words = (
            (UInt64(type) << 56 | UInt64(number) << 24 | UInt64(age >> 8)).bigEndian,
            (UInt64(age & 0xff) << 56 | UInt64(part) << 40).bigEndian
        )
        return unsafe withUnsafeBytes(of: words) { bytes in
            unsafe body(ByteView(base: bytes.baseAddress!, count: Self.byteCount))
        }
    }

    /// Orders keys as their bytes are ordered: of one number, the newest checkpoint comes first.
    package static func < (left: TableKey, right: TableKey) -> Bool {
        (left.type, left.number, right.epoch, left.part)
            < (right.type, right.number, left.epoch, right.part)
    }

    /// The type, number, part and checkpoint of the key, for messages.
    package var description: String { "\(type)/\(number)/\(part) of checkpoint \(epoch)" }
}
