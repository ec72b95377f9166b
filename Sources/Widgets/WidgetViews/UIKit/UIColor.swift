public import Foundation

/// A colour of UIKit; its name is known.
public final class UIColor: Hashable, Sendable {
    /// The name.
    let name: String

    init(text: String) {
        name = text
    }

    /// The colour with another opacity, from 0 to 1.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(text: "\(name.prefix { $0 != "/" })/\(Int((alpha * 100).rounded()))")
    }

    /// Whether both colours have the same name.
    public static func == (left: UIColor, right: UIColor) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
