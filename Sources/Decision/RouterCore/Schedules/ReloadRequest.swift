internal import Basics

/// A request to reload a widget: its cause, and when it expires.
struct ReloadRequest: BitwiseCopyable {
    var cause: ReloadCause
    var isUrgent = false
    /// When it expires; `.max` for never.
    var expiresAt = WallTime.max
    /// The fan-out number of the push that made it, 0 for other causes; an origin grants permits to
    /// the reloads of one fan-out in random order.
    var fanOut: UInt64 = 0
    /// Whether the device has asked for it after each of its last RELOADs.
    var isEcho = false

    /// The privileges of a reload that only this request has caused.
    var privileges: ReloadPrivileges {
        isEcho ? usualPrivileges.subtracting(.isFollowUp) : usualPrivileges
    }

    private var usualPrivileges: ReloadPrivileges {
        switch cause {
        case .request: .isRequested
        case .location: [.isRequested, .isFollowUp, .isFree]
        case .visible: [.isRequested, .isFollowUp, .mayUseReserve]
        case .download: [.isRequested, .isFollowUp, .skipsSpacing]
        case .push where isUrgent: [.isRequested, .isFollowUp, .mayUseReserve]
        case .push, .budget: [.isRequested, .isFollowUp]
        case .after, .atEnd: [.isFollowUp, .hasDate]
        }
    }

    /// The privileges that a pending reload gains when this request joins it.
    var joiningPrivileges: ReloadPrivileges {
        // A widget that comes into view requests no reload of its own while one is pending: if that
        // has only a date as its cause, a newer timeline still ends it.
        if case .visible = cause { return privileges.subtracting(.isRequested) }
        return privileges
    }
}

/// The privileges that a reload has because of its causes.
///
/// A cause that joins a pending reload adds privileges and removes none, so the reload never waits
/// longer because of it.
struct ReloadPrivileges: OptionSet, BitwiseCopyable {
    let rawValue: UInt8

    /// The reload is not charged to the budget, because the device has moved.
    static let isFree = ReloadPrivileges(rawValue: 1)
    /// The reload may use the reserve of the budget, because a push is urgent or the widget came
    /// into view.
    static let mayUseReserve = ReloadPrivileges(rawValue: 2)
    /// The reload ignores the spacing, because the download that the previous reload began is
    /// finished.
    static let skipsSpacing = ReloadPrivileges(rawValue: 4)
    /// The reload has another cause than the requests of a device that loops, so the loop does not
    /// delay it.
    static let isFollowUp = ReloadPrivileges(rawValue: 8)
    /// The reload has another cause than a date, so a newer timeline does not end it.
    static let isRequested = ReloadPrivileges(rawValue: 16)
    /// A date is one of the causes, so the reload does not expire until a newer timeline removes
    /// the date.
    static let hasDate = ReloadPrivileges(rawValue: 32)
}
