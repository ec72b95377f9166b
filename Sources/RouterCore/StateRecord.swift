/// The kinds of records that a checkpoint writes to the table, in the order in which they are read.
///
///     manifest       position and checksum of the last journal record │ version
///     shared         clocks, and the numbers that count on │ counts
///     catalog        names of apps, kinds and origins by number │ the app file
///     producers      by number: app, name, last push                       256 a record
///     connections    who speaks for whom
///     origin         ledger and queue, a record each                       in parts
///     widgets        where reloads wait: `WidgetRecord`                    64 a record
///     schedules      budgets and dates: `WidgetSchedule`                   64 a record
///     devices        sessions and state: `DeviceRecord`                    64 a record
///     device         id, token, widgets with names and configurations      a record each
///     fields         what widgets show and carry                           64 a record
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
    case device
    case fields

    /// Whether there are many, told apart by their number; else that is 0.
    var isOneOfMany: Bool {
        switch self {
        case .manifest, .shared, .catalog, .connections: false
        case .producers, .origin, .widgets, .schedules, .devices, .device, .fields: true
        }
    }

    /// Of the meaning of all of them.
    static var version: UInt32 { 1 }
    static var producersPerRecord: Int { 256 }
    /// Of the number of a widget or device: the rest is its place in the record of 64.
    static var pageShift: UInt32 { 6 }
    /// The longest part of a record, in bytes, but for an origin's.
    static var partLimit: Int { 1 << 20 }

    /// Whether another part may follow one of so many bytes: parts are as long as they can be, but
    /// those of an origin's record, which is made while it is written, as long as they happen to be.
    static func mayGoOn(_ type: UInt8, byteCount: Int) -> Bool {
        byteCount == partLimit || type == origin.rawValue
    }
}
