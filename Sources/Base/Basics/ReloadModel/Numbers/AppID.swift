/// An app's number in the router; it is stored, and never given to an app of another name.
@frozen @usableFromInline
package struct AppID: TableNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt16

    /// Makes the number from a bare one, which was stored or assigned by a table.
    @inlinable
    package init(rawValue: UInt16) { self.rawValue = rawValue }
}
