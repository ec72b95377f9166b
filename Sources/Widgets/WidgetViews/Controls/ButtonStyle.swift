public import Foundation

/// How a button of an app looks. It is not drawn.
public protocol ButtonStyle {
    associatedtype Body: View
    /// What the style is applied to.
    typealias Configuration = ButtonStyleConfiguration
    /// The button in the style.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// What a `ButtonStyle` is applied to.
public struct ButtonStyleConfiguration {
    /// What the button is for; nil if nothing is specified.
    public let role: ButtonRole?
    /// The button's view.
    public let label: AnyView
    /// Whether the button is pressed.
    public let isPressed: Bool
}
/// The shape of a button's border.
public struct ButtonBorderShape: Hashable, Sendable {
    /// The usual shape.
    public static let automatic = ButtonBorderShape()
    /// A capsule.
    public static let capsule = ButtonBorderShape()
    /// A circle.
    public static let circle = ButtonBorderShape()
    /// A rectangle with round corners.
    public static let roundedRectangle = ButtonBorderShape()
    /// A rectangle with round corners.
    public static func roundedRectangle(radius: CGFloat) -> ButtonBorderShape {
        ButtonBorderShape()
    }
}
