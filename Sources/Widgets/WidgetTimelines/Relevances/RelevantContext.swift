public import Foundation

/// When something is relevant.
///
/// Source: <https://developer.apple.com/documentation/relevancekit/relevantcontext>.
public struct RelevantContext: Hashable, Sendable {
    /// From a date on.
    public static func date(_ date: Date) -> RelevantContext { RelevantContext() }
    /// Between two dates.
    public static func date(from start: Date, to end: Date) -> RelevantContext { RelevantContext() }
    /// During an interval.
    public static func date(interval: DateInterval) -> RelevantContext { RelevantContext() }
    /// During an interval.
    public static func date(range: ClosedRange<Date>) -> RelevantContext { RelevantContext() }
}
