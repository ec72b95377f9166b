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
