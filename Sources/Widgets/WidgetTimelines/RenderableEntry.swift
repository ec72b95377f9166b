internal import Foundation

/// A timeline entry with its view; both types are erased.
package struct RenderableEntry {
    /// The date from which the entry is displayed.
    package let date: Date
    /// How relevant the provider says the entry is; nil if not specified.
    package let relevance: TimelineEntryRelevance?
    private let content: () -> ViewContent

    init<Entry: TimelineEntry, Content: View>(
        _ entry: Entry,
        in context: TimelineProviderContext,
        content: @escaping (Entry) -> Content
    ) {
        date = entry.date
        relevance = entry.relevance
        self.content = {
            EnvironmentValues.run({ $0.set(context) }, body: { content(entry).viewContent })
        }
    }

    /// An entry that shows nothing.
    package init(blankAt date: Date) {
        self.date = date
        relevance = nil
        content = { .group([]) }
    }

    /// The content of the entry's view, before its dates are formatted.
    package func render(_ scheme: ColorScheme = .light) -> ViewContent {
        if scheme == .light { return content() }
        return EnvironmentValues.run({ $0.colorScheme = scheme }, body: content)
    }
}

/// A timeline with the views of its entries; their types are erased.
package struct RenderableTimeline {
    /// The entries in the order of the provider.
    package let entries: [RenderableEntry]
    /// When to ask the provider for the next timeline.
    package let policy: TimelineReloadPolicy
    /// The estimated memory that the entries take in their extension, in bytes.
    package let byteCount: Int

    init<Entry: TimelineEntry, Content: View>(
        _ timeline: Timeline<Entry>,
        in context: TimelineProviderContext,
        content: @escaping (Entry) -> Content
    ) {
        entries = timeline.entries.map { RenderableEntry($0, in: context, content: content) }
        policy = timeline.policy
        byteCount = MemoryEstimate.bytes(of: timeline.entries)
    }

    /// A timeline whose entries show nothing.
    package init(blankAt dates: [Date], policy: TimelineReloadPolicy) {
        entries = dates.map { RenderableEntry(blankAt: $0) }
        self.policy = policy
        byteCount = 0
    }
}

extension EnvironmentValues {
    /// Sets the environment of a widget.
    fileprivate mutating func set(_ context: TimelineProviderContext) {
        widgetFamily = context.family
        displaySize = context.displaySize
        showsWidgetContainerBackground = !"\(context.family)".hasPrefix("accessory")
    }
}
