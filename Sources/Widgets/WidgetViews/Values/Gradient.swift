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

extension Gradient {
    /// What is drawn of a gradient: an area of its first colour.
    var area: ViewContent { .color(stops.first?.color ?? .clear) }
}

/// A gradient along a line; its first colour is drawn.
public struct LinearGradient: ShapeStyle, ContentView {
    let gradient: Gradient
    /// An area of the first colour.
    public var viewContent: ViewContent { gradient.area }
}

/// A gradient from a point outwards; its first colour is drawn.
public struct RadialGradient: ShapeStyle, ContentView {
    let gradient: Gradient
    /// An area of the first colour.
    public var viewContent: ViewContent { gradient.area }
}

/// A gradient around a point; its first colour is drawn.
public struct AngularGradient: ShapeStyle, ContentView {
    let gradient: Gradient
    /// An area of the first colour.
    public var viewContent: ViewContent { gradient.area }
}
