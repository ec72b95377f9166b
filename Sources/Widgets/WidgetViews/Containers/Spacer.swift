public import Foundation

/// Room between views.
public struct Spacer: ContentView {
    /// Makes room.
    public init(minLength: CGFloat? = nil) {}
    /// Nothing.
    public var viewContent: ViewContent { .empty }
}
