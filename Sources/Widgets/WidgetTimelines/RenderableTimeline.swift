internal import Foundation

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
