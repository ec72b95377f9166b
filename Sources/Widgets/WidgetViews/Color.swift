/// A colour by its name or its parts.
///
/// Source: <https://developer.apple.com/documentation/swiftui/color>.
public struct Color: ContentView, ShapeStyle, Hashable, CustomStringConvertible {
    /// The colour's name, or `#RRGGBB`, with its opacity in per cent if it has one: `red/50`.
    public let description: String

    init(description: String) { self.description = description }

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

    /// A colour from hue, saturation and brightness, from 0 to 1.
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        func part(_ offset: Double) -> Double {
            let place = (offset + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness * (1 - saturation * max(0, min(place, 4 - place, 1)))
        }
        self.init(red: part(5), green: part(3), blue: part(1), opacity: opacity)
    }

    /// The colour with another opacity, from 0 to 1.
    public func opacity(_ opacity: Double) -> Color {
        if opacity == 1 { return self }
        let percent = Int((min(1, max(0, opacity.isNaN ? 1 : opacity)) * 100).rounded())
        return Color(description: "\(description.prefix { $0 != "/" })/\(percent)")
    }

    /// An area of the colour.
    public var viewContent: ViewContent { .area(.rectangle, .color(self)) }
}
