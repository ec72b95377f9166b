public import Foundation

/// How a view appears and disappears.
public struct AnyTransition: Sendable {
    /// It becomes visible.
    public static let opacity = AnyTransition()
    /// It slides.
    public static let slide = AnyTransition()
    /// It grows.
    public static let scale = AnyTransition()
    /// Nothing moves.
    public static let identity = AnyTransition()
    /// It pushes another one away.
    public static func push(from edge: Edge) -> AnyTransition { AnyTransition() }
    /// It comes from an edge.
    public static func move(edge: Edge) -> AnyTransition { AnyTransition() }
    /// It grows.
    public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition {
        AnyTransition()
    }
    /// It appears and disappears in different ways.
    public static func asymmetric(
        insertion: AnyTransition,
        removal: AnyTransition
    ) -> AnyTransition { AnyTransition() }
    /// Two at once.
    public func combined(with other: AnyTransition) -> AnyTransition { self }
    /// With a movement.
    public func animation(_ animation: Animation?) -> AnyTransition { self }
}

/// How the content of a view changes.
public struct ContentTransition: Hashable, Sendable {
    /// At once.
    public static let identity = ContentTransition()
    /// It becomes visible.
    public static let opacity = ContentTransition()
    /// Its parts move.
    public static let interpolate = ContentTransition()
    /// A symbol changes.
    public static let symbolEffect = ContentTransition()
    /// Digits roll.
    public static func numericText(countsDown: Bool = false) -> ContentTransition {
        ContentTransition()
    }
    /// Digits roll.
    public static func numericText(value: Double) -> ContentTransition { ContentTransition() }
}
