/// A part of what a widget displays.
///
/// The names are SwiftUI's. A modifier is kept as a note, with the values that are drawn. A custom
/// view declares its parts in `body`.
///
/// Source: <https://developer.apple.com/documentation/swiftui/view>.
public protocol View: SendableMetatype {
    associatedtype Body: View
    /// The parts of the view.
    @ViewBuilder var body: Body { get }
    /// The view's content before its dates are formatted; custom views leave this to their `body`.
    var viewContent: ViewContent { get }
}

extension View {
    /// The content of `body`.
    public var viewContent: ViewContent { body.viewContent }
}

extension Never: View {
    // The `return` keeps the view builder from being applied.
    // swift-format-ignore: OmitExplicitReturns
    /// Never called, because there is no value of `Never`.
    public var body: Never { return fatalError("there is no such view") }
    /// Never called, because there is no value of `Never`.
    public var viewContent: ViewContent { switch self {} }
}

extension Optional: View where Wrapped: View {
    // swift-format-ignore: OmitExplicitReturns
    /// Traps: the view has no body.
    public var body: Never { return fatalError("the view has no body") }
    /// The content of the view, if there is one.
    public var viewContent: ViewContent { self?.viewContent ?? .empty }
}

/// A view that provides its content directly and has no body.
public protocol ContentView: View where Body == Never {}

extension ContentView {
    // swift-format-ignore: OmitExplicitReturns
    /// Traps: a content view has no body.
    public var body: Never { return fatalError("the view has no body") }
}

extension View {
    /// The view with a note.
    package func noted(_ name: String, value: NoteValue = .none) -> AnyView {
        AnyView { .noted(viewContent, ViewNote(name, value: value)) }
    }

    /// The view, with a note if the value of the environment is a colour scheme.
    func noting(_ value: Any) -> AnyView {
        guard let scheme = value as? ColorScheme else { return AnyView(self) }
        return noted("colorScheme", value: NoteValue("\(scheme)"))
    }

    /// The view with a style of controls: one of the system is a note of its name, and one of the
    /// app makes what is drawn.
    func styled<Configuration>(
        _ name: String,
        by style: Any,
        _ path: WritableKeyPath<EnvironmentValues, ((Configuration) -> ViewContent)?>,
        make: ((Configuration) -> ViewContent)? = nil
    ) -> AnyView {
        let system = (style as? any NamedStyle)?.styleName
        return noted(name, value: NoteValue(system))
            .inEnvironment { $0[keyPath: path] = system == nil ? make : nil }
    }

    /// The view, with changed values of the environment.
    func inEnvironment(_ change: @escaping (inout EnvironmentValues) -> Void) -> AnyView {
        AnyView { EnvironmentValues.run(change) { viewContent } }
    }
}

/// A view of any type, or the views of a block, or a view with a modifier: its content is made when
/// it is asked for.
public struct AnyView: ContentView {
    private let make: () -> ViewContent

    init(content: @escaping () -> ViewContent) { make = content }

    /// Wraps a view.
    public init(_ view: some View) {
        make = { view.viewContent }
    }

    /// Wraps a view.
    public init(erasing view: some View) { self.init(view) }

    /// The content of the view.
    public var viewContent: ViewContent { make() }
}

/// Combines the views of a block into one.
@resultBuilder
public struct ViewBuilder {
    /// A view of the block.
    public static func buildExpression<Content: View>(_ view: Content) -> Content { view }

    /// A block of one view.
    public static func buildBlock<Content: View>(_ view: Content) -> Content { view }

    /// An empty block.
    public static func buildBlock() -> EmptyView { EmptyView() }

    /// A block of several views.
    public static func buildBlock<each Content: View>(_ views: repeat each Content) -> AnyView {
        var contents: [() -> ViewContent] = []
        for view in repeat each views { contents.append { view.viewContent } }
        return AnyView { .group(contents.map { $0() }) }
    }

    /// An `if` without an `else`.
    public static func buildIf<Content: View>(_ view: Content?) -> Content? { view }

    /// An `if` that holds, or a `switch`.
    public static func buildEither(first view: some View) -> AnyView { AnyView(view) }

    /// An `else`, or a `switch`.
    public static func buildEither(second view: some View) -> AnyView { AnyView(view) }

    /// An `if #available`.
    public static func buildLimitedAvailability(_ view: some View) -> AnyView { AnyView(view) }
}
