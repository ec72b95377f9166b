package import ByteStorage
package import StoreFormat

/// The record of the table that ends a checkpoint.
///
/// Its key is of type 0 and number 0; part 0 begins with the last record of the journal that the
/// checkpoint includes, 0 and 0 if none. What follows is the router's.
///
///     0    position     64 bits
///     8    checksum     64 bits
///     16   the router's
package struct StoreManifest: Equatable, Sendable {
    package static var type: UInt8 { 0 }

    /// The checkpoint.
    package var epoch: UInt32
    package var position: UInt64
    package var checksum: UInt64

    /// No checkpoint at all: what every journal begins with.
    package static let none = StoreManifest(epoch: 0, position: 0, checksum: 0)

    package init(epoch: UInt32, position: UInt64, checksum: UInt64) {
        self.epoch = epoch
        self.position = position
        self.checksum = checksum
    }

    package static func key(epoch: UInt32) -> TableKey {
        TableKey(type: type, number: 0, epoch: epoch)
    }

    /// Whether it is the key of a manifest's first part.
    package static func isKey(_ key: TableKey) -> Bool {
        key.type == type && key.number == 0 && key.part == 0
    }

    /// Writes the beginning of the body.
    package func write(to writer: inout StoreWriter) {
        writer.put(position)
        writer.put(checksum)
    }

    /// - Parameters:
    ///   - key: of the record.
    ///   - value: the record, with its header.
    /// - Throws: `corrupt` or `newer`.
    package init(_ key: TableKey, _ value: ByteView) throws(StoreError) {
        var reader = StoreReader(try TableRecord.body(value, key: key))
        epoch = key.epoch
        position = try reader.read(UInt64.self)
        checksum = try reader.read(UInt64.self)
    }
}
