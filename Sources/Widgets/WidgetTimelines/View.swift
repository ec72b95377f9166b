/// What a widget shows: text, in rows and columns.
///
/// SwiftUI's names for the little that a widget of text needs. A view of one's own says in `body` what
/// it is made of.
public protocol View: SendableMetatype {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
    /// What it is made of; own views leave that to their `body`.
    var content: ViewContent { get }
}

extension View {
    /// That of `body`.
    public var content: ViewContent { body.content }
}

extension Never: View {
    // The `return` keeps the view builder away.
    // swift-format-ignore: OmitExplicitReturns
    /// There is none.
    public var body: Never { return fatalError("there is no such view") }
    /// There is none.
    public var content: ViewContent { switch self {} }
}

/// What is to be seen, before dates in it are written for a moment.
public indirect enum ViewContent: Equatable, Sendable {
    case text([TextPart])
    /// One behind the other, in a line.
    case row([ViewContent])
    /// One below the other.
    case column([ViewContent])
}

/// A view that is its content, and has no body.
public protocol ContentView: View where Body == Never {}

extension ContentView {
    /// There is none.
    public var body: Never { fatalError("the view has no body") }
}

/// Views one below the other.
public struct VStack: ContentView {
    /// A column.
    public let content: ViewContent

    /// - Parameter content: the views, from top to bottom.
    public init<Content: View>(@ViewBuilder content: () -> Content) {
        self.content = content().content
    }
}

/// Views one behind the other.
public struct HStack: ContentView {
    /// A row.
    public let content: ViewContent

    /// - Parameter content: the views, in reading order.
    public init<Content: View>(@ViewBuilder content: () -> Content) {
        let content = content().content
        if case .column(let views) = content {
            self.content = .row(views)
        } else {
            self.content = content
        }
    }
}

/// A view for each of some elements, one below the other.
public struct ForEach: ContentView {
    /// A column.
    public let content: ViewContent

    /// - Parameters:
    ///   - elements: in their order.
    ///   - content: the view for one of them.
    public init<Elements: Sequence, Content: View>(
        _ elements: Elements,
        @ViewBuilder content: (Elements.Element) -> Content
    ) {
        self.content = .column(elements.map { content($0).content })
    }
}

/// Nothing.
public struct EmptyView: ContentView {
    /// An empty column.
    public var content: ViewContent { .column([]) }

    /// A view of nothing.
    public init() {}
}

/// The views of a block, one below the other unless an `HStack` has them.
public struct ViewGroup: ContentView {
    /// A single view's own, or a column of theirs.
    public let content: ViewContent
}

/// Puts the views of a block together.
@resultBuilder
public enum ViewBuilder {
    /// A view of the block.
    public static func buildExpression<Content: View>(_ view: Content) -> ViewGroup {
        ViewGroup(content: view.content)
    }

    /// The block.
    public static func buildBlock(_ views: ViewGroup...) -> ViewGroup {
        if views.count == 1 { return views[0] }
        return ViewGroup(content: .column(views.map(\.content)))
    }

    /// An `if` without an `else`.
    public static func buildOptional(_ view: ViewGroup?) -> ViewGroup {
        view ?? ViewGroup(content: .column([]))
    }

    /// An `if` that holds, or a `switch`.
    public static func buildEither(first view: ViewGroup) -> ViewGroup { view }

    /// An `else`, or a `switch`.
    public static func buildEither(second view: ViewGroup) -> ViewGroup { view }

    /// An `if #available`.
    public static func buildLimitedAvailability(_ view: ViewGroup) -> ViewGroup { view }

    /// A `for` loop.
    public static func buildArray(_ views: [ViewGroup]) -> ViewGroup {
        ViewGroup(content: .column(views.map(\.content)))
    }
}
