public import Foundation

/// A view that is made again at some dates; here it is made once, for now.
public struct TimelineView<Schedule>: ContentView {
    /// The moment for which a view is made.
    public struct Context: Sendable {
        /// The moment.
        public let date: Date

        /// How often the view is made.
        public var cadence: Cadence { .minutes }
    }

    private let content: (Context) -> ViewContent

    /// Makes a view by a schedule.
    public init<Content: View>(
        _ schedule: Schedule,
        @ViewBuilder content: @escaping (Context) -> Content
    ) {
        self.content = { content($0).viewContent }
    }

    /// The view for now.
    public var viewContent: ViewContent { content(Context(date: Date())) }
}
