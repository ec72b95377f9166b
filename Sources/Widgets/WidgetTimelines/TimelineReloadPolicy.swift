public import Foundation

/// When a provider may be asked for a new timeline at the earliest.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timelinereloadpolicy>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public struct TimelineReloadPolicy: Equatable, Sendable {
    /// The policies, for a `switch`.
    package enum Choice: Equatable, Sendable {
        case atEnd
        case never
        case after(Date)
    }

    /// Which of the policies it is.
    package let choice: Choice

    /// After the date of the last entry.
    public static let atEnd = TimelineReloadPolicy(choice: .atEnd)

    /// Only when the app asks for a reload.
    public static let never = TimelineReloadPolicy(choice: .never)

    /// Not before a date, which may be before or after the end of the timeline.
    public static func after(_ date: Date) -> TimelineReloadPolicy {
        TimelineReloadPolicy(choice: .after(date))
    }
}
