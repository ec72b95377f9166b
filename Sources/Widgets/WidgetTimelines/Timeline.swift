/// A widget's entries by date, and when its provider should be asked again.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timeline>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public struct Timeline<EntryType: TimelineEntry> {
    /// The entries, by ascending date; each is displayed from its date on.
    public let entries: [EntryType]
    /// When to ask the provider for the next timeline.
    public let policy: TimelineReloadPolicy

    /// Makes a timeline.
    public init(entries: [EntryType], policy: TimelineReloadPolicy) {
        self.entries = entries
        self.policy = policy
    }
}

extension Timeline: Sendable where EntryType: Sendable {}
