package import DataStructures

/// The record of the table that ends a checkpoint: type 0, number 0.
///
///     0    position of the last journal record that is included, 0 if none     64 bits
///     8    its checksum, 0 if none                                             64 bits
///     16   version of what the checkpoint's other records mean                 32 bits
///
/// That version is the router's: whoever only keeps the records need not know it, and a newer one
/// may have put something behind it.
package struct StoreManifest: Equatable, Sendable {
    package static var type: UInt8 { 0 }

    /// The checkpoint.
    package var epoch: UInt32
    package var position: UInt64
    package var checksum: UInt64
    package var version: UInt32

    /// No checkpoint at all: what every journal begins with.
    package static let none = StoreManifest(epoch: 0, position: 0, checksum: 0, version: 0)

    package init(epoch: UInt32, position: UInt64, checksum: UInt64, version: UInt32) {
        self.epoch = epoch
        self.position = position
        self.checksum = checksum
        self.version = version
    }

    // MARK: - Its key

    package static func key(epoch: UInt32) -> TableKey {
        TableKey(type: type, number: 0, epoch: epoch)
    }

    /// Whether it is the key of a manifest's first part.
    package static func isKey(_ key: TableKey) -> Bool {
        key.type == type && key.number == 0 && key.part == 0
    }

    // MARK: - Its body

    package func write(to writer: inout StoreWriter) {
        writer.put(position)
        writer.put(checksum)
        writer.put(version)
    }

    /// - Parameters:
    ///   - epoch: the checkpoint.
    ///   - reader: stands at the body, and then behind what is known of it.
    /// - Throws: `corrupt`.
    package init(epoch: UInt32, reading reader: inout StoreReader) throws(StoreError) {
        self.epoch = epoch
        position = try reader.read(UInt64.self)
        if position > 1 << 62 { throw reader.corrupt("a position that cannot be") }
        checksum = try reader.read(UInt64.self)
        version = try reader.read(UInt32.self)
    }

    /// - Parameters:
    ///   - key: of the record.
    ///   - value: the record, with its header.
    /// - Throws: `corrupt`, or `newer` if the record's header is.
    package init(_ key: TableKey, _ value: ByteView) throws(StoreError) {
        var reader = StoreReader(try TableRecord.body(value, key: key))
        try self.init(epoch: key.epoch, reading: &reader)
    }
}
