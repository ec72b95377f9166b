/// Views with a header and a footer.
public struct Section: ContentView {
    private let content: [AnyView]

    /// Makes a section without a header.
    public init<Content: View>(@ViewBuilder content: () -> Content) {
        self.content = [AnyView(content())]
    }

    /// Makes a section with a header and a footer.
    public init<Content: View, Header: View, Footer: View>(
        @ViewBuilder content: () -> Content,
        @ViewBuilder header: () -> Header,
        @ViewBuilder footer: () -> Footer
    ) {
        self.content = [AnyView(header()), AnyView(content()), AnyView(footer())]
    }

    /// The header, the views and the footer.
    public var viewContent: ViewContent { .group(content.flatMap { $0.viewContent.members }) }
}
