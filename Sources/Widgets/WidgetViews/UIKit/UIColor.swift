public import Foundation

/// A colour of UIKit; its name is known.
public final class UIColor: Hashable, Sendable {
    /// The name.
    let name: String

    private init(text: String) {
        name = text
    }

    /// A colour of the app.
    public convenience init?(named name: String) {
        self.init(text: name)
    }

    /// A colour of the app.
    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traits: Any?) {
        self.init(text: name)
    }

    /// A colour of the app's catalogue.
    public convenience init(resource: ColorResource) {
        self.init(text: resource.name)
    }

    /// A colour from red, green and blue, from 0 to 1.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        let color = Color(red: red, green: green, blue: blue, opacity: alpha)
        self.init(text: color.description)
    }

    /// A grey, from 0 to 1.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// A colour from hue, saturation and brightness, from 0 to 1.
    public convenience init(
        hue: CGFloat,
        saturation: CGFloat,
        brightness: CGFloat,
        alpha: CGFloat
    ) {
        let color = Color(
            hue: hue,
            saturation: saturation,
            brightness: brightness,
            opacity: alpha
        )
        self.init(text: color.description)
    }

    /// A colour of SwiftUI.
    public convenience init(_ color: Color) {
        self.init(text: color.description)
    }

    /// A colour that depends on the environment: here the one for a light environment.
    public convenience init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
        self.init(text: dynamicProvider(UITraitCollection()).name)
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

    /// The colour `systemRed`.
    public static let systemRed = UIColor(text: "systemRed")
    /// The colour `systemOrange`.
    public static let systemOrange = UIColor(text: "systemOrange")
    /// The colour `systemYellow`.
    public static let systemYellow = UIColor(text: "systemYellow")
    /// The colour `systemGreen`.
    public static let systemGreen = UIColor(text: "systemGreen")
    /// The colour `systemMint`.
    public static let systemMint = UIColor(text: "systemMint")
    /// The colour `systemTeal`.
    public static let systemTeal = UIColor(text: "systemTeal")
    /// The colour `systemCyan`.
    public static let systemCyan = UIColor(text: "systemCyan")
    /// The colour `systemBlue`.
    public static let systemBlue = UIColor(text: "systemBlue")
    /// The colour `systemIndigo`.
    public static let systemIndigo = UIColor(text: "systemIndigo")
    /// The colour `systemPurple`.
    public static let systemPurple = UIColor(text: "systemPurple")
    /// The colour `systemPink`.
    public static let systemPink = UIColor(text: "systemPink")
    /// The colour `systemBrown`.
    public static let systemBrown = UIColor(text: "systemBrown")
    /// The colour `systemGray`.
    public static let systemGray = UIColor(text: "systemGray")
    /// The colour `systemGray2`.
    public static let systemGray2 = UIColor(text: "systemGray2")
    /// The colour `systemGray3`.
    public static let systemGray3 = UIColor(text: "systemGray3")
    /// The colour `systemGray4`.
    public static let systemGray4 = UIColor(text: "systemGray4")
    /// The colour `systemGray5`.
    public static let systemGray5 = UIColor(text: "systemGray5")
    /// The colour `systemGray6`.
    public static let systemGray6 = UIColor(text: "systemGray6")
    /// The colour `systemBackground`.
    public static let systemBackground = UIColor(text: "systemBackground")
    /// The colour `secondarySystemBackground`.
    public static let secondarySystemBackground = UIColor(text: "secondarySystemBackground")
    /// The colour `tertiarySystemBackground`.
    public static let tertiarySystemBackground = UIColor(text: "tertiarySystemBackground")
    /// The colour `systemGroupedBackground`.
    public static let systemGroupedBackground = UIColor(text: "systemGroupedBackground")
    /// The colour `secondarySystemGroupedBackground`.
    public static let secondarySystemGroupedBackground = UIColor(
        text: "secondarySystemGroupedBackground"
    )
    /// The colour `tertiarySystemGroupedBackground`.
    public static let tertiarySystemGroupedBackground = UIColor(
        text: "tertiarySystemGroupedBackground"
    )
    /// The colour `label`.
    public static let label = UIColor(text: "label")
    /// The colour `secondaryLabel`.
    public static let secondaryLabel = UIColor(text: "secondaryLabel")
    /// The colour `tertiaryLabel`.
    public static let tertiaryLabel = UIColor(text: "tertiaryLabel")
    /// The colour `quaternaryLabel`.
    public static let quaternaryLabel = UIColor(text: "quaternaryLabel")
    /// The colour `placeholderText`.
    public static let placeholderText = UIColor(text: "placeholderText")
    /// The colour `separator`.
    public static let separator = UIColor(text: "separator")
    /// The colour `opaqueSeparator`.
    public static let opaqueSeparator = UIColor(text: "opaqueSeparator")
    /// The colour `link`.
    public static let link = UIColor(text: "link")
    /// The colour `systemFill`.
    public static let systemFill = UIColor(text: "systemFill")
    /// The colour `secondarySystemFill`.
    public static let secondarySystemFill = UIColor(text: "secondarySystemFill")
    /// The colour `tertiarySystemFill`.
    public static let tertiarySystemFill = UIColor(text: "tertiarySystemFill")
    /// The colour `quaternarySystemFill`.
    public static let quaternarySystemFill = UIColor(text: "quaternarySystemFill")
    // swift-format-ignore: DontRepeatTypeInStaticProperties
    /// The colour `tintColor`.
    public static let tintColor = UIColor(text: "tintColor")
    /// The colour `black`.
    public static let black = UIColor(text: "black")
    /// The colour `white`.
    public static let white = UIColor(text: "white")
    /// The colour `gray`.
    public static let gray = UIColor(text: "gray")
    /// The colour `darkGray`.
    public static let darkGray = UIColor(text: "darkGray")
    /// The colour `lightGray`.
    public static let lightGray = UIColor(text: "lightGray")
    /// The colour `red`.
    public static let red = UIColor(text: "red")
    /// The colour `green`.
    public static let green = UIColor(text: "green")
    /// The colour `blue`.
    public static let blue = UIColor(text: "blue")
    /// The colour `cyan`.
    public static let cyan = UIColor(text: "cyan")
    /// The colour `yellow`.
    public static let yellow = UIColor(text: "yellow")
    /// The colour `magenta`.
    public static let magenta = UIColor(text: "magenta")
    /// The colour `orange`.
    public static let orange = UIColor(text: "orange")
    /// The colour `purple`.
    public static let purple = UIColor(text: "purple")
    /// The colour `brown`.
    public static let brown = UIColor(text: "brown")
    /// The colour `clear`.
    public static let clear = UIColor(text: "clear")
}
