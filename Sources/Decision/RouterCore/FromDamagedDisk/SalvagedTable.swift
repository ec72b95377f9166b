internal import StoreFormat

/// Which records of a table a salvage has read, to see whether others are missing.
///
/// Where the newest record of a number is gone, one of an older checkpoint may take its place, if
/// that was not deleted yet. Every checkpoint writes its own manifest, and its own records of what
/// is shared, of producers, of the chains of keys and of revocations: an older one is out of date.
struct SalvagedTable {
    /// The newest checkpoint that a record is of; 0 if none was read.
    private(set) var epoch: UInt32 = 0
    /// The newest manifest that was read.
    var manifest: StoreManifest?
    /// The number of producers; nil if it is not known.
    var producerCount: Int?
    /// The oldest checkpoint that a whole record is of, by type.
    private var oldest: [StateRecord: UInt32] = [:]

    /// Whether no record was read.
    var isEmpty: Bool { epoch == 0 }

    /// The position of the last record of the journal that is included; nil if it is not known.
    var position: UInt64? { manifest?.epoch == epoch ? manifest?.position : nil }

    /// Begins a record.
    mutating func begin(_ key: TableKey) { epoch = max(epoch, key.epoch) }

    /// Ends a record that could be read.
    mutating func end(_ record: StateRecord, of epoch: UInt32) {
        oldest[record] = min(oldest[record] ?? .max, epoch)
    }

    /// Whether records of a type were read that each checkpoint writes, and none is out of date.
    func isCurrent(_ record: StateRecord) -> Bool { oldest[record] == epoch }
}
