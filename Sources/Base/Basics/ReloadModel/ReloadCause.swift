/// Why widgets are reloaded: the `cause` of a RELOAD, as the protocol names it.
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
