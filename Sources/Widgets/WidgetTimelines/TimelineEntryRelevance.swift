public import Foundation

/// How much an entry matters, on a scale of the provider's own.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timelineentryrelevance>.
public struct TimelineEntryRelevance: Codable, Hashable, Sendable {
    /// Compared with those of other entries of the provider; 0 and below is not relevant.
    public var score: Float
    /// For how long it holds, in seconds; 0 until the next entry.
    public var duration: TimeInterval

    /// How much an entry matters, and for how long.
    public init(score: Float, duration: TimeInterval = 0) {
        self.score = score
        self.duration = duration
    }
}
