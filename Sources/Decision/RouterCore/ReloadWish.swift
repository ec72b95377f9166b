internal import ReloadModel

/// A request to reload a widget: its cause, and when it expires.
struct ReloadWish: BitwiseCopyable {
    var cause: ReloadCause
    var isUrgent = false
    /// When it expires, in ms of wall time; `Int64.max` for never.
    var voidAt = Int64.max
    /// Which fan-out it belongs to: those of one push take their turns in random order.
    var burst: UInt64 = 0

    var rights: ReloadRights {
        switch cause {
        case .request: .isNoDate
        case .location: [.isNoDate, .isNoRequest, .isFree]
        case .visible: [.isNoDate, .isNoRequest, .mayUseReserve]
        case .download: [.isNoDate, .isNoRequest, .skipsSpacing]
        case .push where isUrgent: [.isNoDate, .isNoRequest, .mayUseReserve]
        case .push, .budget: [.isNoDate, .isNoRequest]
        case .after, .atEnd: [.isNoRequest, .hasDate]
        }
    }

    /// The rights that a pending reload gains when this request joins it.
    var joiningRights: ReloadRights {
        // A widget that comes into sight does not ask for a reload by itself: a pending reload that has only
        // a date is still ended by a newer timeline.
        if case .visible = cause { return rights.subtracting(.isNoDate) }
        return rights
    }
}

/// Rights that a reload has because of its causes.
///
/// A cause that joins a pending reload adds rights and takes none away, so the reload never waits longer.
struct ReloadRights: OptionSet, BitwiseCopyable {
    let rawValue: UInt8

    /// It is not counted: the device has moved.
    static let isFree = ReloadRights(rawValue: 1)
    /// It may use the last share of the budget: urgent, or come into sight.
    static let mayUseReserve = ReloadRights(rawValue: 2)
    /// It need not keep to the spacing: the data of the reload before it has come.
    static let skipsSpacing = ReloadRights(rawValue: 4)
    /// The app's requests are not all that it is for, so that a loop of them does not hold it back.
    static let isNoRequest = ReloadRights(rawValue: 8)
    /// A date is not all that it is for, so that a newer timeline does not end it.
    static let isNoDate = ReloadRights(rawValue: 16)
    /// It is for a date too, so that it is never void; until a newer timeline ends the date.
    static let hasDate = ReloadRights(rawValue: 32)
}
