/// A part of what a widget displays: text, in rows and columns.
///
/// The names are SwiftUI's, as far as widgets of text need them. A custom view declares its parts
/// in `body`.
public protocol View: SendableMetatype {
    associatedtype Body: View
    /// The parts of the view.
    @ViewBuilder var body: Body { get }
    /// The view's content before its dates are formatted; custom views leave this to their `body`.
    var content: ViewContent { get }
}

extension View {
    /// The content of `body`.
    public var content: ViewContent { body.content }
}

extension Never: View {
    // The `return` keeps the view builder from being applied.
    // swift-format-ignore: OmitExplicitReturns
    /// Never called, because there is no value of `Never`.
    public var body: Never { return fatalError("there is no such view") }
    /// Never called, because there is no value of `Never`.
    public var content: ViewContent { switch self {} }
}

/// The content of a view, before its dates are formatted for a moment.
public indirect enum ViewContent: Equatable, Sendable {
    /// Text from its pieces.
    case text([TextPart])
    /// The views side by side, in reading order.
    case row([ViewContent])
    /// The views one below the other.
    case column([ViewContent])
}

/// A view that provides its content directly and has no body.
public protocol ContentView: View where Body == Never {}

extension ContentView {
    /// Traps: a content view has no body.
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

/// Views side by side.
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

/// A view for each element of a sequence, one below the other.
public struct ForEach: ContentView {
    /// A column.
    public let content: ViewContent

    /// - Parameters:
    ///   - elements: the elements, in their order.
    ///   - content: makes the view of an element.
    public init<Elements: Sequence, Content: View>(
        _ elements: Elements,
        @ViewBuilder content: (Elements.Element) -> Content
    ) {
        self.content = .column(elements.map { content($0).content })
    }
}

/// A view that displays nothing.
public struct EmptyView: ContentView {
    /// An empty column.
    public var content: ViewContent { .column([]) }

    /// Makes an empty view.
    public init() {}
}

/// The views of a view builder's block: one below the other, or side by side in an `HStack`.
public struct ViewGroup: ContentView {
    /// The content of a single view, or a column of several.
    public let content: ViewContent
}

/// Combines the views of a block into one.
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
