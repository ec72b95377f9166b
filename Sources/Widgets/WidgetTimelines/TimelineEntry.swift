public import Foundation

/// What a widget shows from a date on.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timelineentry>.
public protocol TimelineEntry {
    /// From when on it is shown.
    var date: Date { get }
    /// How much it matters then, beside the widgets that lie in the same stack; nil if that is not said.
    var relevance: TimelineEntryRelevance? { get }
}

extension TimelineEntry {
    /// Not said.
    public var relevance: TimelineEntryRelevance? { nil }
}
