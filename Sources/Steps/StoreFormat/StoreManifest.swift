package import Basics

/// The record of the table that completes a checkpoint: type 0, number 0.
///
///     0    position of the last journal record that is included, 0 if none     64 bits
///     8    its checksum, 0 if none                                             64 bits
///     16   version of what the checkpoint's other records mean                 32 bits
///     20   partition │ how many there are: only if there are several, or if
///          a newer version has appended further fields                         8 + 8 bits
///
/// That version is the router's: code that only keeps the records need not know it, and a newer
/// version may append further fields.
package struct StoreManifest: Equatable, Sendable {
    /// The type of its key; the router's own types are higher.
    package static var type: UInt8 { 0 }

    /// The number of the checkpoint.
    package var epoch: UInt32
    /// The position of the last journal record that the checkpoint includes; 0 if none.
    package var position: UInt64
    /// The checksum of the last journal record that the checkpoint includes; 0 if none.
    package var checksum: UInt64
    /// The version of the meaning of the checkpoint's other records.
    package var version: UInt32
    /// The partition whose state the checkpoint is.
    package var partition: Partition

    /// No checkpoint: the state before a store's first one.
    package static let none = StoreManifest(epoch: 0, position: 0, checksum: 0, version: 0)

    /// Makes the manifest of a checkpoint from its fields.
    package init(
        epoch: UInt32,
        position: UInt64,
        checksum: UInt64,
        version: UInt32,
        partition: Partition = .only
    ) {
        self.epoch = epoch
        self.position = position
        self.checksum = checksum
        self.version = version
        self.partition = partition
    }

    // MARK: - Its key

    /// The key of the manifest of the checkpoint with this number.
    package static func key(epoch: UInt32) -> TableKey {
        TableKey(type: type, number: 0, epoch: epoch)
    }

    /// Whether it is the key of the first part of a manifest.
    package static func isKey(_ key: TableKey) -> Bool {
        key.type == type && key.number == 0 && key.part == 0
    }

    // MARK: - Its body

    /// Appends the body.
    package func write(to writer: inout StoreWriter) {
        writer.put(position)
        writer.put(checksum)
        writer.put(version)
        if partition.isOnly { return }
        writer.put(partition.id.rawValue)
        writer.put(UInt8(partition.count))
    }

    /// Reads the body of the manifest of a checkpoint; the reader is afterwards at the first field
    /// that this version does not know.
    ///
    /// - Throws: `corrupt`.
    package init(epoch: UInt32, reading reader: inout StoreReader) throws(StoreError) {
        self.epoch = epoch
        position = try reader.read(UInt64.self)
        if position > 1 << 62 { throw reader.corrupt("an impossible position") }
        checksum = try reader.read(UInt64.self)
        version = try reader.read(UInt32.self)
        partition = .only
        if reader.isAtEnd { return }
        let id = PartitionID(rawValue: try reader.read(UInt8.self))
        let count = Int(try reader.read(UInt8.self))
        if !PartitionMap.counts.contains(count) || id.index >= count {
            throw reader.corrupt("there is no partition \(id) of \(count)")
        }
        partition = Partition(id, of: count)
    }

    /// Refuses the checkpoint of another partition.
    ///
    /// - Throws: `partitions`.
    package func require(_ wanted: Partition) throws(StoreError) {
        if partition == wanted { return }
        throw StoreError(
            .partitions,
            message: "checkpoint \(epoch) is that of \(partition), and the router is \(wanted)"
        )
    }

    /// Reads a manifest from its record in the table, given with its header.
    ///
    /// - Throws: `corrupt`, or `newer` if the record's header is of a newer format.
    package init(_ key: TableKey, value: ByteView) throws(StoreError) {
        var reader = StoreReader(try TableRecord.body(value, key: key))
        try self.init(epoch: key.epoch, reading: &reader)
    }
}
