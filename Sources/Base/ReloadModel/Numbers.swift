public import DataStructures

/// An app's number in the router; an app of the same name keeps it as long as the router runs.
@frozen @usableFromInline
package struct AppID: TableNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt16

    /// The number of this value, which was stored or has been counted.
    @inlinable
    package init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// A kind's number in the router, unique over all apps; a kind of the same name keeps it as long as
/// the router runs.
@frozen @usableFromInline
package struct KindID: TableNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt16

    /// The number of this value, which was stored or has been counted.
    @inlinable
    package init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// A stored widget's number in the router; reused after the widget is removed.
@frozen @usableFromInline
package struct WidgetID: SlotNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// The number of this value, which was stored or has been counted.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A stored device's number in the router; reused after the device is removed.
@frozen @usableFromInline
package struct DeviceID: SlotNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// The number of this value, which was stored or has been counted.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A connection's slot in the server and in the router, which both number alike; reused after the
/// connection is closed.
@frozen @usableFromInline
package struct ConnectionSlot: SlotNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// The slot with this number, which was stored or has been counted.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A known producer's number in the router; reused after the producer is forgotten.
@frozen @usableFromInline
package struct ProducerID: SlotNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// The number of this value, which was stored or has been counted.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// An origin's number in the router; an origin of the same app and name keeps it as long as the
/// router runs.
@frozen @usableFromInline
package struct OriginID: TableNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// The number of this value, which was stored or has been counted.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}
