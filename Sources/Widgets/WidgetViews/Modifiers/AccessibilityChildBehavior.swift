/// What is spoken of a view's parts.
public struct AccessibilityChildBehavior: Hashable, Sendable {
    /// Nothing.
    public static let ignore = AccessibilityChildBehavior()
    /// Each part for itself.
    public static let contain = AccessibilityChildBehavior()
    /// All parts as one.
    public static let combine = AccessibilityChildBehavior()
}
