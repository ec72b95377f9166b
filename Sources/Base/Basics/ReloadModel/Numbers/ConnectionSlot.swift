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
