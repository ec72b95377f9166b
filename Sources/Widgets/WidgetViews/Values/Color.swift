public import Foundation

/// A colour by its name or its parts.
///
/// Source: <https://developer.apple.com/documentation/swiftui/color>.
public struct Color: ContentView, ShapeStyle, Hashable, CustomStringConvertible {
    /// A space of colours.
    public enum RGBColorSpace: Sendable {
        case sRGB
        case sRGBLinear
        case displayP3
    }

    /// The colour's name, or `#RRGGBB`, with its opacity in per cent if it has one: `red/50`.
    public let description: String

    private init(description: String) {
        self.description = description
    }

    /// A colour of the app.
    public init(_ name: String, bundle: Bundle? = nil) {
        description = name
    }

    /// A colour of the app.
    public init(_ resource: ColorResource) {
        description = resource.name
    }

    /// A colour from red, green and blue, from 0 to 1.
    public init(
        _ space: RGBColorSpace = .sRGB,
        red: Double,
        green: Double,
        blue: Double,
        opacity: Double = 1
    ) {
        let parts = [red, green, blue].map { part in
            let byte = Int(min(255, max(0, part.isNaN ? 0 : part * 255)).rounded())
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }
        self = Color(description: "#" + parts.joined()).opacity(opacity)
    }

    /// A grey, from 0 to 1.
    public init(_ space: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(space, red: white, green: white, blue: white, opacity: opacity)
    }

    /// A colour from hue, saturation and brightness, from 0 to 1.
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        func part(_ offset: Double) -> Double {
            let place = (offset + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness * (1 - saturation * max(0, min(place, 4 - place, 1)))
        }
        self.init(red: part(5), green: part(3), blue: part(1), opacity: opacity)
    }

    /// A colour of UIKit.
    public init(uiColor color: UIColor) {
        description = color.name
    }

    /// A colour of UIKit.
    @_disfavoredOverload
    public init(_ color: UIColor) {
        description = color.name
    }

    /// The colour with another opacity, from 0 to 1.
    public func opacity(_ opacity: Double) -> Color {
        if opacity == 1 { return self }
        let percent = Int((min(1, max(0, opacity.isNaN ? 1 : opacity)) * 100).rounded())
        return Color(description: "\(description.prefix { $0 != "/" })/\(percent)")
    }

    /// A lighter variant of the colour; here it is the colour itself.
    public var gradient: Color { self }

    /// The colour mixed with another one; here it is the colour itself.
    public func mix(with color: Color, by fraction: Double) -> Color { self }

    /// An area of the colour.
    public var viewContent: ViewContent { .color(self) }
}

extension Color {
    /// The system's red.
    public static let red = Color(description: "red")
    /// The system's orange.
    public static let orange = Color(description: "orange")
    /// The system's yellow.
    public static let yellow = Color(description: "yellow")
    /// The system's green.
    public static let green = Color(description: "green")
    /// The system's mint.
    public static let mint = Color(description: "mint")
    /// The system's teal.
    public static let teal = Color(description: "teal")
    /// The system's cyan.
    public static let cyan = Color(description: "cyan")
    /// The system's blue.
    public static let blue = Color(description: "blue")
    /// The system's indigo.
    public static let indigo = Color(description: "indigo")
    /// The system's purple.
    public static let purple = Color(description: "purple")
    /// The system's pink.
    public static let pink = Color(description: "pink")
    /// The system's brown.
    public static let brown = Color(description: "brown")
    /// The system's white.
    public static let white = Color(description: "white")
    /// The system's gray.
    public static let gray = Color(description: "gray")
    /// The system's black.
    public static let black = Color(description: "black")
    /// No colour.
    public static let clear = Color(description: "clear")
    /// The colour of text.
    public static let primary = Color(description: "primary")
    /// The colour of less important text.
    public static let secondary = Color(description: "secondary")
    // swift-format-ignore: DontRepeatTypeInStaticProperties
    /// The app's accent colour.
    public static let accentColor = Color(description: "accentColor")
}

extension ShapeStyle where Self == Color {
    /// The system's red.
    public static var red: Color { Color.red }
    /// The system's orange.
    public static var orange: Color { Color.orange }
    /// The system's yellow.
    public static var yellow: Color { Color.yellow }
    /// The system's green.
    public static var green: Color { Color.green }
    /// The system's mint.
    public static var mint: Color { Color.mint }
    /// The system's teal.
    public static var teal: Color { Color.teal }
    /// The system's cyan.
    public static var cyan: Color { Color.cyan }
    /// The system's blue.
    public static var blue: Color { Color.blue }
    /// The system's indigo.
    public static var indigo: Color { Color.indigo }
    /// The system's purple.
    public static var purple: Color { Color.purple }
    /// The system's pink.
    public static var pink: Color { Color.pink }
    /// The system's brown.
    public static var brown: Color { Color.brown }
    /// The system's white.
    public static var white: Color { Color.white }
    /// The system's gray.
    public static var gray: Color { Color.gray }
    /// The system's black.
    public static var black: Color { Color.black }
    /// No colour.
    public static var clear: Color { Color.clear }
}
