/// Why widgets are reloaded: the `cause` of a RELOAD, as the protocol names it.
@usableFromInline
package enum ReloadCause: String, CaseIterable, Sendable, BitwiseCopyable {
    /// A push matches the widgets.
    case push
    /// The date of a timeline's `after` has come.
    case after
    /// The last entry of an `atEnd` timeline has come.
    case atEnd
    /// The app has sent REQUEST.
    case request
    /// The widgets came into view while they were out of date.
    case visible
    /// The device has moved significantly, and the kinds use its location.
    case location
    /// The reload was delayed by budget or spacing, and is sent now.
    case budget
    /// The app has sent REQUEST because a download that a reload started in the background has
    /// finished.
    case download
}

extension ReloadCause {
    /// The number of the cause where it is kept in memory or on disk: less than 8.
    @inlinable package var storedNumber: UInt8 {
        switch self {
        case .push: 0
        case .after: 1
        case .atEnd: 2
        case .request: 3
        case .visible: 4
        case .location: 5
        case .budget: 6
        case .download: 7
        }
    }

    /// The cause with a stored number; nil if there is none.
    @inlinable
    package init?(storedNumber: UInt8) {
        guard let cause = Self.allCases.first(where: { $0.storedNumber == storedNumber }) else {
            return nil
        }
        self = cause
    }
}
