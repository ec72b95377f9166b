/// What an area or a text is filled with.
public enum Paint: Equatable, Sendable {
    case color(Color)
    /// Colours along a line, around a centre outwards, or around it by angle: `linear` has the
    /// start and the end, `radial` the centre and both radii, `angular` the centre and both angles
    /// in degrees.
    case gradient(kind: String, [CGFloat], [Gradient.Stop])
    /// A blurred background by its name.
    case material(String)

    /// The style that surrounds the view.
    static let foreground = Paint.color(Color(description: "foreground"))

    /// The colour of a text in a terminal, as `Color` describes it.
    package var color: Color? {
        switch self {
        case .color(let color): color
        case .gradient(_, _, let stops): stops.first?.color
        case .material: nil
        }
    }

    /// The paint with another opacity, from 0 to 1.
    package func opacity(_ opacity: Double) -> Paint {
        switch self {
        case .color(let color): return .color(color.opacity(opacity))
        case .material: return self
        case .gradient(let kind, let numbers, let stops):
            let stops = stops.map {
                Gradient.Stop(color: $0.color.opacity(opacity), location: $0.location)
            }
            return .gradient(kind: kind, numbers, stops)
        }
    }
}

/// A style of this module, which knows what it is drawn with.
protocol PaintedStyle {
    var ownPaint: Paint { get }
}

extension ShapeStyle {
    /// What is drawn for the style; of an app's own one, the style that surrounds the view.
    var paint: Paint {
        if let color = self as? Color { return .color(color) }
        return (self as? any PaintedStyle)?.ownPaint ?? .foreground
    }
}

extension Gradient: PaintedStyle {
    var ownPaint: Paint { .gradient(kind: "linear", [0.5, 0, 0.5, 1], stops) }
}
