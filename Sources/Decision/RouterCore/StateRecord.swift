internal import DataStructures
internal import ReloadModel

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

    /// Whether there are many such records with different numbers; otherwise the only one has
    /// number 0.
    var isOneOfMany: Bool {
        switch self {
        case .manifest, .shared, .catalog, .connections, .requestQueues, .revocations:
            false
        case .producers, .origin, .widgets, .schedules, .devices, .registration, .fields,
            .requestKeys, .pushes:
            true
        }
    }

    /// The version of the format of all records.
    ///
    /// Version 1 had no running time, no times at which producers were used, and no producer
    /// numbers that were free; versions 1 and 2 had no rejected pushes; versions 1 to 3
    /// had no keys of requests and no pushes to devices; versions 1 to 4 had no number of the last
    /// end of a token, and did not say why and since when a token of an app or control is dead;
    /// versions 1 to 5 did not say when something was last heard of a device; versions 1 to 6 did
    /// not say at which of Apple's services a device's tokens were tried, and had no keys of
    /// observed values, no families of widgets and no revocations of tokens.
    static var version: UInt32 { 7 }
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
