/// A known producer's number in the router; reused after the producer is forgotten.
@frozen @usableFromInline
package struct ProducerID: SlotNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// Makes the number from a bare one, which was stored or assigned by a table.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}
