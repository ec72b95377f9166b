public import Foundation

/// A property of a preview.
public struct PreviewTrait<Kind>: Sendable {
    /// As large as its content.
    public static var sizeThatFitsLayout: PreviewTrait<Kind> { PreviewTrait<Kind>() }
    /// As large as the device.
    public static var defaultLayout: PreviewTrait<Kind> { PreviewTrait<Kind>() }
    /// Of a fixed size.
    public static func fixedLayout(width: CGFloat, height: CGFloat) -> PreviewTrait<Kind> {
        PreviewTrait<Kind>()
    }
    /// On a device held upright.
    public static var portrait: PreviewTrait<Kind> { PreviewTrait<Kind>() }
    /// On a device held sideways.
    public static var landscapeLeft: PreviewTrait<Kind> { PreviewTrait<Kind>() }
    /// On a device held sideways.
    public static var landscapeRight: PreviewTrait<Kind> { PreviewTrait<Kind>() }
}
