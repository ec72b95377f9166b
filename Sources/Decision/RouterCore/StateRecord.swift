/// The kinds of records that a checkpoint writes to the table, in the order in which they are read.
///
///     manifest       what the checkpoint includes: `StoreManifest`
///     shared         clocks, and the numbers that count on │ running time │ counts
///     catalog        names of apps, kinds and origins by number │ the app file
///     producers      by number: app, name, last push, last use             256 a record
///     connections    who speaks for whom
///     origin         ledger and queue, a record each                       in parts
///     widgets        where reloads wait: `WidgetRecord`                    64 a record
///     schedules      budgets and dates: `WidgetSchedule`                   64 a record
///     devices        sessions and state: `DeviceRecord`                    64 a record
///     registration   a device: id, token, widgets with configurations      a record each
///     fields         what widgets show and carry                           64 a record
///
/// Those 64 are a page: `SlabPages`.
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

    /// Whether there are many, told apart by their number; else that is 0.
    var isOneOfMany: Bool {
        switch self {
        case .manifest, .shared, .catalog, .connections: false
        case .producers, .origin, .widgets, .schedules, .devices, .registration, .fields: true
        }
    }

    /// Of the meaning of all of them.
    ///
    /// 1 had neither the running time nor when producers were used, and no numbers that were free.
    static var version: UInt32 { 2 }
    static var producersPerRecord: Int { 256 }

    /// How many records those producers need whose numbers are below `end`.
    static func producerRecords(_ end: UInt32) -> UInt32 {
        (end + UInt32(producersPerRecord) - 1) / UInt32(producersPerRecord)
    }

    /// The numbers of the producers of a record.
    static func producers(of record: UInt32) -> Range<UInt32> {
        let count = UInt32(producersPerRecord)
        return record * count..<(record + 1) * count
    }

    /// The longest part of a record, in bytes, but for an origin's.
    static var partLimit: Int { 1 << 20 }

    /// Whether another part may follow one of so many bytes: parts are as long as they can be, but
    /// those of an origin's record, which is made while it is written, as long as they happen to be.
    static func mayGoOn(_ type: UInt8, byteCount: Int) -> Bool {
        byteCount == partLimit || type == origin.rawValue
    }
}
