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
    package func render() -> ViewContent { content() }
}
