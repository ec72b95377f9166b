public import Foundation

/// The device; here it is a telephone.
public final class UIDevice: Sendable {
    /// The device on which the code runs.
    public static let current = UIDevice()

    /// What the device is.
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
    /// The name of the system.
    public var systemName: String { "Linux" }
    /// The version of the system; it is not known.
    public var systemVersion: String { "" }
}

/// What a device is.
public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone
    case pad
    case tv
    case carPlay
    case mac = 5
    case vision
}

/// A screen: that of a telephone of 390 × 844 points, for which widgets have their sizes here.
public final class UIScreen: Sendable {
    /// The only screen.
    public static let main = UIScreen()

    /// The area of the screen, in points.
    public var bounds: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }
    /// Pixels for each point.
    public var scale: CGFloat { 3 }
}
