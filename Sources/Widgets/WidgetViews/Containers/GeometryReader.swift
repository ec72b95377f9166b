public import Foundation

/// A view that depends on the room it has: the size of the widget.
public struct GeometryReader: ContentView {
    private let content: (GeometryProxy) -> ViewContent

    /// Makes a view from its room.
    public init<Content: View>(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {
        self.content = { content($0).viewContent }
    }

    /// The view for the size of the widget.
    public var viewContent: ViewContent {
        content(GeometryProxy(size: EnvironmentValues.now.displaySize))
    }
}

/// The room of a view.
public struct GeometryProxy: Sendable {
    /// Width and height, in points.
    public let size: CGSize

    /// The distances from edges that other parts of the system cover.
    public var safeAreaInsets: EdgeInsets { EdgeInsets() }

    /// The area in a system of coordinates.
    public func frame(in space: CoordinateSpace) -> CGRect {
        CGRect(origin: .zero, size: size)
    }
}
