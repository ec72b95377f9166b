/// The number of a partition of a store, from 0; see `PartitionMap`.
@frozen @usableFromInline
package struct PartitionID: TableNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt8

    /// Makes the number from a bare one, which was stored or assigned by a table.
    @inlinable
    package init(rawValue: UInt8) { self.rawValue = rawValue }
}
