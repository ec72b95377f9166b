public import Foundation

/// The earliest date at which a provider is asked for a new timeline.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timelinereloadpolicy>.
public struct TimelineReloadPolicy: Equatable, Sendable {
    package enum Choice: Equatable, Sendable {
        case atEnd
        case never
        case after(Date)
    }

    package let choice: Choice

    /// Behind the date of the last entry.
    public static let atEnd = TimelineReloadPolicy(choice: .atEnd)

    /// When the app asks for it.
    public static let never = TimelineReloadPolicy(choice: .never)

    /// Not before a date, which may lie before the end of the timeline or behind it.
    public static func after(_ date: Date) -> TimelineReloadPolicy {
        TimelineReloadPolicy(choice: .after(date))
    }
}
