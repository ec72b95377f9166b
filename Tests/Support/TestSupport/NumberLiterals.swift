package import ReloadModel

// Tests write the numbers of apps, kinds, widgets and devices as literals: which numbers a router
// gives is part of what they check. Code that ships cannot.

extension AppID: ExpressibleByIntegerLiteral {
    /// The number that the literal is.
    package init(integerLiteral number: UInt16) { self.init(rawValue: number) }
}

extension KindID: ExpressibleByIntegerLiteral {
    /// The number that the literal is.
    package init(integerLiteral number: UInt16) { self.init(rawValue: number) }
}

extension WidgetID: ExpressibleByIntegerLiteral {
    /// The number that the literal is.
    package init(integerLiteral number: UInt32) { self.init(rawValue: number) }
}

extension DeviceID: ExpressibleByIntegerLiteral {
    /// The number that the literal is.
    package init(integerLiteral number: UInt32) { self.init(rawValue: number) }
}
