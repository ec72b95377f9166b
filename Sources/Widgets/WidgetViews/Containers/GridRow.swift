/// A row of a `Grid`.
public struct GridRow: ContentView {
    private let content: () -> ViewContent

    /// Makes the container of the views.
    public init<Content: View>(
        alignment: VerticalAlignment? = nil,
        @ViewBuilder content: () -> Content
    ) {
        let content = content()
        self.content = { content.viewContent }
    }

    /// The views.
    public var viewContent: ViewContent { .row(content().members) }
}
