public import Foundation

/// What a view's environment is like.
public final class UITraitCollection: Sendable {
    /// The environment of the code that runs.
    public static var current: UITraitCollection { UITraitCollection() }

    /// Whether colours are light or dark.
    public var userInterfaceStyle: UIUserInterfaceStyle { .light }
    /// Pixels for each point.
    public var displayScale: CGFloat { 3 }
}

/// Whether colours are light or dark.
public enum UIUserInterfaceStyle: Int, Sendable {
    case unspecified
    case light
    case dark
}
