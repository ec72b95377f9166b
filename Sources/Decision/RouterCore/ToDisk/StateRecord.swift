internal import Basics
internal import StoreFormat

/// The types of records that a checkpoint writes to the table, in the order in which they are read.
///
///     manifest       what the checkpoint includes: `StoreManifest`
///     shared         clocks and last numbers │ running time │ counts
///     catalog        names of apps, kinds and origins by number │ the app file
///     producers      by number: app, name, last push, last use, rejected   256 a record
///     connections    open sessions
///     origin         ledger and queue, a record each                       in parts
///     widgets        where reloads wait: `WidgetRecord`                    64 a record
///     schedules      budgets and dates: `WidgetSchedule`                   64 a record
///     devices        sessions and state: `DeviceRecord`                    64 a record
///     registration   a device: id, token, widgets with configurations      a record each
///     fields         values of observed and inlined fields                 64 a record
///     requestKeys    keys of requests: `RequestKeyTable.Entry`             64 a record
///     requestQueues  their chains │ requests under way │ refused lines
///     pushes         pushes to devices by APNs: `APNsRecord`               64 a record
///     revocations    devices whose tokens are revoked: `TokenRevocations`
///     homes          only of several partitions: the app file's number │ pushes that are not
///                    settled │ those of each home that are evaluated
///
/// A record of 64 elements is a page: `SlabPages`.
enum StateRecord: UInt8, CaseIterable {
    case manifest = 0
    case shared
    case catalog
    case producers
    case connections
    case origin
    case widgets
    case schedules
    case devices
    case registration
    case fields
    case requestKeys
    case requestQueues
    case pushes
    case revocations
    case homes

    /// Whether there are many such records with different numbers; otherwise the only one has
    /// number 0.
    var isOneOfMany: Bool {
        switch self {
        case .manifest, .shared, .catalog, .connections, .requestQueues, .revocations, .homes: false
        case .producers, .origin, .widgets, .schedules, .devices, .registration, .fields,
            .requestKeys, .pushes:
            true
        }
    }

    /// The version of the format of all records.
    static var version: UInt32 { 8 }
    /// The oldest version that is read; the first checkpoint after one writes all records anew. No
    /// release has written an older one.
    static var oldestVersion: UInt32 { 7 }
    /// The number of producers in a record.
    static var producersPerRecord: Int { 256 }

    /// The number of records for producers whose numbers are below `end`.
    static func producerRecords(_ end: UInt32) -> UInt32 {
        (end + UInt32(producersPerRecord) - 1) / UInt32(producersPerRecord)
    }

    /// The numbers of the producers of a record.
    static func producers(of record: UInt32) -> NumberRange<ProducerID> {
        let start = Int(record) * producersPerRecord
        return NumberRange(from: start, to: start + producersPerRecord)
    }

    /// The longest part of a record in bytes, except of an origin's record.
    static var partLimit: Int { 1 << 20 }

    /// Whether another part may follow one of `byteCount` bytes. Parts are as long as possible,
    /// except those of an origin's record, which is made while it is written.
    static func mayHaveMoreParts(_ type: UInt8, byteCount: Int) -> Bool {
        byteCount == partLimit || type == origin.rawValue
    }
}

extension StoreManifest {
    /// Refuses a checkpoint whose records are of a version that this router does not read.
    ///
    /// - Throws: `older` or `newer`.
    func requireReadable(since oldest: UInt32 = StateRecord.oldestVersion) throws(StoreError) {
        try StoreError.require(version, of: "checkpoint \(epoch)", in: oldest...StateRecord.version)
    }
}
