public import Foundation

/// What a widget displays from a certain date on.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timelineentry>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public protocol TimelineEntry {
    /// The date from which the entry is displayed.
    var date: Date { get }
    /// How relevant the entry is, compared with other widgets in the same stack; nil if not
    /// specified.
    var relevance: TimelineEntryRelevance? { get }
}

extension TimelineEntry {
    /// Nil: the relevance is not specified.
    public var relevance: TimelineEntryRelevance? { nil }
}
