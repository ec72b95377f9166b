/// A text with a picture before it.
public struct Label<Title: View, Icon: View>: ContentView {
    private let parts: [AnyView]

    /// Makes a label of views.
    public init(
        @ViewBuilder title: () -> Title,
        @ViewBuilder icon: () -> Icon
    ) {
        parts = [AnyView(icon()), AnyView(title())]
    }

    /// The picture and the text, side by side.
    public var viewContent: ViewContent { .row(parts.flatMap { $0.viewContent.members }) }
}
