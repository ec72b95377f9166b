/// A line between views.
public struct Divider: ContentView {
    /// Makes a line.
    public init() {}
    /// Nothing.
    public var viewContent: ViewContent { .empty }
}
