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

extension Label where Title == Text, Icon == Image {
    /// Makes a label with a symbol of the system.
    public init(_ title: LocalizedStringKey, systemImage: String) {
        self.init(title: { Text(title) }, icon: { Image(systemName: systemImage) })
    }

    /// Makes a label with a symbol of the system.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, systemImage: String) {
        self.init(title: { Text(title) }, icon: { Image(systemName: systemImage) })
    }

    /// Makes a label with a symbol of the system.
    @_disfavoredOverload
    public init(_ title: LocalizedStringResource, systemImage: String) {
        self.init(title: { Text(title) }, icon: { Image(systemName: systemImage) })
    }

    /// Makes a label with a picture of the app.
    public init(_ title: LocalizedStringKey, image: String) {
        self.init(title: { Text(title) }, icon: { Image(image) })
    }

    /// Makes a label with a picture of the app.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, image: String) {
        self.init(title: { Text(title) }, icon: { Image(image) })
    }

    /// Makes a label with a picture of the app.
    public init(_ title: LocalizedStringKey, image: ImageResource) {
        self.init(title: { Text(title) }, icon: { Image(image) })
    }

    /// Makes a label with a picture of the app.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, image: ImageResource) {
        self.init(title: { Text(title) }, icon: { Image(image) })
    }
}
