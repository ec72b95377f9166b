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
