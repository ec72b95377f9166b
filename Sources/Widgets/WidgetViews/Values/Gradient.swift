public import Foundation

/// A transition between colours.
///
/// Source: <https://developer.apple.com/documentation/swiftui/gradient>.
public struct Gradient: ShapeStyle, Hashable {
    /// A colour and its place.
    public struct Stop: Hashable, Sendable {
        /// The colour.
        public var color: Color
        /// The place, from 0 to 1.
        public var location: CGFloat

        /// Makes a stop.
        public init(color: Color, location: CGFloat) {
            self.color = color
            self.location = location
        }
    }

    /// The colours and their places.
    public var stops: [Stop]

    /// A transition between colours at equal distances.
    public init(colors: [Color]) {
        let count = max(1, colors.count - 1)
        stops = colors.enumerated().map {
            Stop(color: $0.element, location: CGFloat($0.offset) / CGFloat(count))
        }
    }

    /// A transition between colours at places.
    public init(stops: [Stop]) {
        self.stops = stops
    }
}

/// A gradient along a line; its first colour is drawn.
public struct LinearGradient: ShapeStyle, ContentView {
    private let gradient: Gradient

    /// A gradient between two points.
    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        self.gradient = gradient
    }

    /// A gradient of colours between two points.
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        gradient = Gradient(colors: colors)
    }

    /// A gradient of stops between two points.
    public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {
        gradient = Gradient(stops: stops)
    }

    /// An area of the first colour.
    public var viewContent: ViewContent { .color(gradient.stops.first?.color ?? .clear) }
}

/// A gradient from a point outwards; its first colour is drawn.
public struct RadialGradient: ShapeStyle, ContentView {
    private let gradient: Gradient

    /// A gradient between two circles.
    public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.gradient = gradient
    }

    /// A gradient of colours between two circles.
    public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        gradient = Gradient(colors: colors)
    }

    /// An area of the first colour.
    public var viewContent: ViewContent { .color(gradient.stops.first?.color ?? .clear) }
}

/// A gradient around a point; its first colour is drawn.
public struct AngularGradient: ShapeStyle, ContentView {
    private let gradient: Gradient

    /// A gradient between two angles.
    public init(
        gradient: Gradient,
        center: UnitPoint,
        startAngle: Angle = .zero,
        endAngle: Angle = .zero
    ) {
        self.gradient = gradient
    }

    /// A gradient of colours between two angles.
    public init(
        colors: [Color],
        center: UnitPoint,
        startAngle: Angle = .zero,
        endAngle: Angle = .zero
    ) {
        gradient = Gradient(colors: colors)
    }

    /// A gradient that begins at an angle.
    public init(gradient: Gradient, center: UnitPoint, angle: Angle) {
        self.gradient = gradient
    }

    /// An area of the first colour.
    public var viewContent: ViewContent { .color(gradient.stops.first?.color ?? .clear) }
}

extension ShapeStyle where Self == LinearGradient {
    /// A gradient of colours between two points.
    public static func linearGradient(
        colors: [Color],
        startPoint: UnitPoint,
        endPoint: UnitPoint
    ) -> LinearGradient {
        LinearGradient(colors: colors, startPoint: startPoint, endPoint: endPoint)
    }

    /// A gradient between two points.
    public static func linearGradient(
        _ gradient: Gradient,
        startPoint: UnitPoint,
        endPoint: UnitPoint
    ) -> LinearGradient {
        LinearGradient(gradient: gradient, startPoint: startPoint, endPoint: endPoint)
    }
}
