/// A stored device's number in the router; reused after the device is removed.
@frozen @usableFromInline
package struct DeviceID: SlotNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// Makes the number from a bare one, which was stored or assigned by a table.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}
