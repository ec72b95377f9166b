public import Foundation

/// Views one below the other.
public struct VStack: ContentView {
    private let content: () -> ViewContent

    /// Makes the container of views, from top to bottom.
    public init<Content: View>(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        let content = content()
        self.content = { content.viewContent }
    }

    /// A column.
    public var viewContent: ViewContent { .column(content().members) }
}

/// Views side by side.
public struct HStack: ContentView {
    private let content: () -> ViewContent

    /// Makes the container of views, in reading order.
    public init<Content: View>(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        let content = content()
        self.content = { content.viewContent }
    }

    /// A row.
    public var viewContent: ViewContent { .row(content().members) }
}

/// Views one in front of the other.
public struct ZStack: ContentView {
    private let content: () -> ViewContent

    /// Makes the container of views, from the back to the front.
    public init<Content: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: () -> Content
    ) {
        let content = content()
        self.content = { content.viewContent }
    }

    /// Layers.
    public var viewContent: ViewContent { .layers(content().members) }
}

/// Views as one, arranged by their container.
public struct Group: ContentView {
    private let content: () -> ViewContent

    /// Makes the container of the views.
    public init<Content: View>(@ViewBuilder content: () -> Content) {
        let content = content()
        self.content = { content.viewContent }
    }

    /// The views.
    public var viewContent: ViewContent { .group(content().members) }
}

/// A view for each element of a sequence, arranged by their container.
public struct ForEach: ContentView {
    private let content: () -> ViewContent

    /// - Parameters:
    ///   - elements: the elements, in their order.
    ///   - content: makes the view of an element.
    public init<Elements: Sequence, Content: View>(
        _ elements: Elements,
        @ViewBuilder content: @escaping (Elements.Element) -> Content
    ) {
        self.content = { .group(elements.flatMap { content($0).viewContent.members }) }
    }

    /// - Parameters:
    ///   - elements: the elements, in their order.
    ///   - id: what distinguishes the elements.
    ///   - content: makes the view of an element.
    public init<Elements: Sequence, ID: Hashable, Content: View>(
        _ elements: Elements,
        id: KeyPath<Elements.Element, ID>,
        @ViewBuilder content: @escaping (Elements.Element) -> Content
    ) {
        self.init(elements, content: content)
    }

    /// The views.
    public var viewContent: ViewContent { content() }
}
