/// When a widget shows what, and when it wants to be asked again.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/timeline>.
public struct Timeline<EntryType: TimelineEntry> {
    /// What is shown from each date on, ascending.
    public let entries: [EntryType]
    /// The earliest date of the next request.
    public let policy: TimelineReloadPolicy

    /// Entries, and when to ask for more.
    public init(entries: [EntryType], policy: TimelineReloadPolicy) {
        self.entries = entries
        self.policy = policy
    }
}

extension Timeline: Sendable where EntryType: Sendable {}
