public import Foundation

/// A movement from one state to the next.
public struct Animation: Hashable, Sendable {
    /// The usual movement.
    public static let `default` = Animation()
    /// A movement of constant speed.
    public static let linear = Animation()
    /// A movement that begins slowly.
    public static let easeIn = Animation()
    /// A movement that ends slowly.
    public static let easeOut = Animation()
    /// A movement that begins and ends slowly.
    public static let easeInOut = Animation()
    /// A movement like that of a spring.
    public static let spring = Animation()
    /// A movement like that of a smooth spring.
    public static let smooth = Animation()
    /// A movement like that of a fast spring.
    public static let snappy = Animation()
    /// A movement like that of a loose spring.
    public static let bouncy = Animation()
    /// A movement of constant speed.
    public static func linear(duration: TimeInterval) -> Animation { Animation() }
    /// A movement that begins slowly.
    public static func easeIn(duration: TimeInterval) -> Animation { Animation() }
    /// A movement that ends slowly.
    public static func easeOut(duration: TimeInterval) -> Animation { Animation() }
    /// A movement that begins and ends slowly.
    public static func easeInOut(duration: TimeInterval) -> Animation { Animation() }
    /// A movement like that of a spring.
    public static func spring(
        response: Double = 0.5,
        dampingFraction: Double = 0.825,
        blendDuration: TimeInterval = 0
    ) -> Animation { Animation() }
    /// The movement, later.
    public func delay(_ delay: TimeInterval) -> Animation { self }
    /// The movement, faster.
    public func speed(_ speed: Double) -> Animation { self }
    /// The movement again and again.
    public func repeatForever(autoreverses: Bool = true) -> Animation { self }
    /// The movement several times.
    public func repeatCount(_ count: Int, autoreverses: Bool = true) -> Animation { self }
}

/// Changes values; nothing moves here.
public func withAnimation<Result>(
    _ animation: Animation? = .default,
    _ body: () throws -> Result
) rethrows -> Result {
    try body()
}
