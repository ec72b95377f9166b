/// A variant of symbols.
public struct SymbolVariants: Hashable, Sendable {
    /// The usual symbol.
    public static let none = SymbolVariants()
    /// The filled symbol.
    public static let fill = SymbolVariants()
    /// The symbol in a circle.
    public static let circle = SymbolVariants()
    /// The symbol in a square.
    public static let square = SymbolVariants()
    /// The symbol in a rectangle.
    public static let rectangle = SymbolVariants()
    /// The symbol with a line through it.
    public static let slash = SymbolVariants()
    /// The filled symbol.
    public var fill: SymbolVariants { self }
    /// The symbol with a line through it.
    public var slash: SymbolVariants { self }
    /// The symbol in a circle.
    public var circle: SymbolVariants { self }
}
