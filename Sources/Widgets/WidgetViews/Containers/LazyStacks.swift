public import Foundation

/// Views one below the other, made when they are in sight.
public struct LazyVStack: ContentView {
    private let content: () -> ViewContent

    /// Makes the container of the views.
    public init<Content: View>(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) {
        let content = content()
        self.content = { content.viewContent }
    }

    /// The views.
    public var viewContent: ViewContent { .column(content().members) }
}

/// Views side by side, made when they are in sight.
public struct LazyHStack: ContentView {
    private let content: () -> ViewContent

    /// Makes the container of the views.
    public init<Content: View>(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) {
        let content = content()
        self.content = { content.viewContent }
    }

    /// The views.
    public var viewContent: ViewContent { .row(content().members) }
}
