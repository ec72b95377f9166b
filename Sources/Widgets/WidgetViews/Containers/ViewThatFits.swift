/// The first of some views that fits; here it is the first.
public struct ViewThatFits: ContentView {
    private let content: () -> ViewContent

    /// Makes the container of views, from the largest to the smallest.
    public init<Content: View>(
        in axes: Axis.Set = [.horizontal, .vertical],
        @ViewBuilder content: () -> Content
    ) {
        let content = content()
        self.content = { content.viewContent }
    }

    /// The first view.
    public var viewContent: ViewContent { content().members.first ?? .empty }
}
