public import Foundation

/// When a timeline asks to be reloaded: the counterpart of WidgetKit's `TimelineReloadPolicy`,
/// which does not say what it is.
public enum ReloadPolicy: Hashable, Sendable {
    /// When its last entry is displayed.
    case atEnd
    /// Only after a push or a request.
    case never
    /// Not before this date.
    case after(Date)
}

/// Why a timeline was made, if the router did not ask for it.
public enum UnaskedReason: String, Codable, Hashable, Sendable {
    /// A person tapped a button or a toggle of the widget.
    case intent
    /// The system's language or region changed.
    case locale
    /// A setting such as Dynamic Type changed.
    case accessibility
    /// WidgetKit reloaded by itself, at the date of the previous timeline.
    case date
    /// The app itself called `reloadTimelines`.
    case request
}

/// What an app plays; while it plays something, the reloads of its widgets are not charged to
/// their budgets.
public enum MediaActivity: String, Hashable, Sendable {
    /// Nothing, or nothing any longer.
    case silent
    /// Sound, including in the background.
    case audio
    /// Spoken directions of a navigation.
    case navigation
}

/// Which of Apple's push services a push token is for.
public enum PushEnvironment: String, Codable, Hashable, Sendable {
    /// Of apps from the App Store and from TestFlight.
    case production
    /// Of apps that Xcode has installed.
    case sandbox
}
