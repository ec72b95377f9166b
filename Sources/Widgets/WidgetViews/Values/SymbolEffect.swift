/// A movement of a symbol.
public struct SymbolEffect: Hashable, Sendable {
    /// It becomes larger and smaller.
    public static let bounce = SymbolEffect()
    /// Its opacity changes.
    public static let pulse = SymbolEffect()
    /// Its layers light up in turn.
    public static let variableColor = SymbolEffect()
    /// It becomes larger or smaller.
    public static let scale = SymbolEffect()
    /// It turns.
    public static let rotate = SymbolEffect()
    /// It wiggles.
    public static let wiggle = SymbolEffect()
    /// It breathes.
    public static let breathe = SymbolEffect()
}
