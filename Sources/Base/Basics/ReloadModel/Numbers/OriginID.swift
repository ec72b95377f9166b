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
