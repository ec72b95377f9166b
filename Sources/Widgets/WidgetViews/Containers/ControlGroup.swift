/// Controls that belong together.
public struct ControlGroup: ContentView {
    private let content: () -> ViewContent

    /// Makes the container of the views.
    public init<Content: View>(
        @ViewBuilder content: () -> Content
    ) {
        let content = content()
        self.content = { content.viewContent }
    }

    /// The views.
    public var viewContent: ViewContent { .row(content().members) }
}
