public import DataStructures

/// An app's number in the router; it is stored, and never given to an app of another name.
@frozen @usableFromInline
package struct AppID: TableNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt16

    /// Makes the number from a bare one, which was stored or assigned by a table.
    @inlinable
    package init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// A kind's number in the router, unique over all apps. It is stored. It is given to another kind
/// only when no number is left, and its own kind is no longer declared and has no widgets.
@frozen @usableFromInline
package struct KindID: TableNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt16

    /// Makes the number from a bare one, which was stored or assigned by a table.
    @inlinable
    package init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// A stored widget's number in the router; reused after the widget is removed.
@frozen @usableFromInline
package struct WidgetID: SlotNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// Makes the number from a bare one, which was stored or assigned by a table.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A stored device's number in the router; reused after the device is removed.
@frozen @usableFromInline
package struct DeviceID: SlotNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// Makes the number from a bare one, which was stored or assigned by a table.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A connection's slot in the server and in the router, which both number alike; reused after the
/// connection is closed.
@frozen @usableFromInline
package struct ConnectionSlot: SlotNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// Makes the slot from a bare number, which was stored or assigned by a table.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A known producer's number in the router; reused after the producer is forgotten.
@frozen @usableFromInline
package struct ProducerID: SlotNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// Makes the number from a bare one, which was stored or assigned by a table.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// An origin's number in the router; it is stored, and never given to an origin of another app or
/// name.
@frozen @usableFromInline
package struct OriginID: TableNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// Makes the number from a bare one, which was stored or assigned by a table.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}
