/// Views in a list.
public struct List: ContentView {
    private let content: () -> ViewContent

    /// Makes the container of the views.
    public init<Content: View>(
        @ViewBuilder content: () -> Content
    ) {
        let content = content()
        self.content = { content.viewContent }
    }

    /// The views.
    public var viewContent: ViewContent { .column(content().members) }
}

extension List {
    /// A row for each element.
    public init<Elements: Sequence, Content: View>(
        _ elements: Elements,
        @ViewBuilder rowContent: @escaping (Elements.Element) -> Content
    ) {
        self.init { ForEach(elements, content: rowContent) }
    }

    /// A row for each element.
    public init<Elements: Sequence, ID: Hashable, Content: View>(
        _ elements: Elements,
        id: KeyPath<Elements.Element, ID>,
        @ViewBuilder rowContent: @escaping (Elements.Element) -> Content
    ) {
        self.init { ForEach(elements, content: rowContent) }
    }
}
