/// Views that can be scrolled.
public struct ScrollView: ContentView {
    private let content: () -> ViewContent

    /// Makes the container of the views.
    public init<Content: View>(
        _ axes: Axis.Set = .vertical,
        showsIndicators: Bool = true,
        @ViewBuilder content: () -> Content
    ) {
        let content = content()
        self.content = { content.viewContent }
    }

    /// The views.
    public var viewContent: ViewContent { .column(content().members) }
}
