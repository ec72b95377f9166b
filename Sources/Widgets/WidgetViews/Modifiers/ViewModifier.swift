/// A modifier that an app declares.
///
/// Source: <https://developer.apple.com/documentation/swiftui/viewmodifier>.
public protocol ViewModifier {
    associatedtype Body: View
    /// The view that is modified.
    typealias Content = AnyView
    /// The modified view.
    @ViewBuilder func body(content: Content) -> Body
}

/// A modifier that changes nothing.
public struct EmptyModifier: ViewModifier {
    /// Makes a modifier.
    public init() {}

    /// The view itself.
    public func body(content: Content) -> some View { content }
}

extension View {
    /// Applies a modifier that an app declares.
    public func modifier(_ modifier: some ViewModifier) -> some View {
        AnyView { modifier.body(content: AnyView(self)).viewContent }
    }
}

extension ViewModifier {
    /// Applies one modifier after the other.
    public func concat(_ other: some ViewModifier) -> some ViewModifier {
        ConcatenatedModifier(first: self, second: other)
    }
}

private struct ConcatenatedModifier<First: ViewModifier, Second: ViewModifier>: ViewModifier {
    let first: First
    let second: Second

    func body(content: Content) -> some View {
        content.modifier(first).modifier(second)
    }
}
