public import Foundation

/// A font of UIKit; its name is known.
public final class UIFont: Sendable {
    /// The name.
    public let fontName: String
    /// The size.
    public let pointSize: CGFloat

    /// A font of the app.
    public init?(name: String, size: CGFloat) {
        fontName = name
        pointSize = size
    }

    init(system size: CGFloat) {
        fontName = "system"
        pointSize = size
    }
}
