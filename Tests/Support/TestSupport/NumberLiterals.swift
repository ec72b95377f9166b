package import ReloadModel

// Tests write the numbers of apps and kinds as literals: which numbers a router gives is part of
// what they check. Code that ships cannot.

extension AppID: ExpressibleByIntegerLiteral {
    /// The number that the literal is.
    package init(integerLiteral number: UInt16) { self.init(rawValue: number) }
}

extension KindID: ExpressibleByIntegerLiteral {
    /// The number that the literal is.
    package init(integerLiteral number: UInt16) { self.init(rawValue: number) }
}
