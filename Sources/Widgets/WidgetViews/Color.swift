internal import Foundation

/// A colour by its name or its parts.
///
/// Source: <https://developer.apple.com/documentation/swiftui/color>.
public struct Color: ContentView, ShapeStyle, Hashable, CustomStringConvertible {
    /// The colour's name, or `#RRGGBB`, with its opacity in per cent if it has one: `red/50`; or
    /// `mix(red,blue,50)` of two colours with the share of the second one in per cent; or
    /// `scheme(white,black)` for a light and a dark environment; or `catalogue(brand)` for one of
    /// the app's own.
    public let description: String

    /// A colour as its description says it.
    package init(description: String) { self.description = description }

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

    /// The colour with its opacity multiplied by another one, from 0 to 1.
    public func opacity(_ opacity: Double) -> Color {
        let share = min(1, max(0, opacity.isNaN ? 1 : opacity))
        if share == 1 { return self }
        let opaque = opaque.description
        let percent = Double(description.dropFirst(opaque.count + 1)) ?? 100
        return Color(description: "\(opaque)/\(Int((percent * share).rounded()))")
    }

    /// The colour without its opacity.
    var opaque: Color {
        guard let end = description.lastIndex(of: "/"), !description[end...].contains(")")
        else { return self }
        return Color(description: String(description[..<end]))
    }

    /// A colour of the app's catalogue.
    static func ofCatalogue(_ name: String) -> Color { Color(description: "catalogue(\(name))") }

    /// The names of the app's own colours in it.
    package var ownNames: [String] {
        description.components(separatedBy: "catalogue(").dropFirst()
            .map { String($0.prefix { $0 != ")" }) }
    }

    func mixed(with color: Color, share: Double, isPerceptual: Bool) -> Color {
        let percent = Int((min(1, max(0, share.isNaN ? 0 : share)) * 100).rounded())
        let name = isPerceptual ? "mix" : "blend"
        return Color(description: "\(name)(\(self),\(color),\(percent))")
    }

    /// The colour that is the first of some in a light environment, and the second in a dark one.
    static func scheme(_ colors: [String]) -> String {
        colors[0] == colors[1] ? colors[0] : "scheme(\(colors[0]),\(colors[1]))"
    }

    /// An area of the colour.
    public var viewContent: ViewContent { .area(.rectangle, .color(self)) }
}
