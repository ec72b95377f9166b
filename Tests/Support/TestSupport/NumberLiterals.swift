package import Basics

// Tests write the numbers of apps, kinds, widgets, devices and connections as literals: which
// numbers a router gives is part of what they check. Code that ships cannot.

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

extension ConnectionSlot: ExpressibleByIntegerLiteral {
    /// The number that the literal is.
    package init(integerLiteral number: UInt32) { self.init(rawValue: number) }
}

extension ProducerID: ExpressibleByIntegerLiteral {
    /// The number that the literal is.
    package init(integerLiteral number: UInt32) { self.init(rawValue: number) }
}

extension PartitionID: ExpressibleByIntegerLiteral {
    /// The number that the literal is.
    package init(integerLiteral number: UInt8) { self.init(rawValue: number) }
}

extension OriginID: ExpressibleByIntegerLiteral {
    /// The number that the literal is.
    package init(integerLiteral number: UInt32) { self.init(rawValue: number) }
}

/// A number for tests of tables whose entries are of no particular kind.
package struct EntryNumber: SlotNumber, ExpressibleByIntegerLiteral {
    /// The bare number.
    package let rawValue: UInt32

    /// The number of this value.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The number that the literal is.
    package init(integerLiteral number: UInt32) { self.init(rawValue: number) }

    /// The number of this value.
    package init(_ number: some BinaryInteger) { self.init(rawValue: UInt32(number)) }
}
