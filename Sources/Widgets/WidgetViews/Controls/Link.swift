public import Foundation

/// A view that opens an address.
public struct Link<Label: View>: ContentView {
    private let label: Label
    private let destination: URL

    /// Makes a link of a view.
    public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.destination = destination
    }

    /// The view, with the address as a note.
    public var viewContent: ViewContent {
        .noted(label.viewContent, ViewNote("link", value: destination.absoluteString))
    }
}

extension Link where Label == Text {
    /// Makes a link of a text.
    public init(_ title: LocalizedStringKey, destination: URL) {
        self.init(destination: destination) { Text(title) }
    }

    /// Makes a link of a text.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, destination: URL) {
        self.init(destination: destination) { Text(title) }
    }
}
