public import Foundation

/// How relevant an entry is, on a scale of the provider's own.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timelineentryrelevance>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public struct TimelineEntryRelevance: Codable, Hashable, Sendable {
    /// The relevance compared with that of the provider's other entries; 0 and below is not
    /// relevant.
    public var score: Float
    /// How long the relevance lasts, in seconds; 0 for until the next entry.
    public var duration: TimeInterval

    /// Makes a relevance.
    public init(score: Float, duration: TimeInterval = 0.0) {
        self.score = score
        self.duration = duration
    }
}
