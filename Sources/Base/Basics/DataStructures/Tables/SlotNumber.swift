/// The number of a slot of a table that reuses slots, such as a `Slab`. It identifies an element
/// from the element's insertion to its removal.
///
/// Where there may be no slot, code uses an optional. Only records without space for an optional's
/// extra byte use `none`; `optional` and `orNone` convert between the two.
@usableFromInline
package protocol SlotNumber: TableNumber where RawValue == UInt32 {}

extension SlotNumber {
    /// No slot: the highest number, which no table gives to an element.
    @inlinable @inline(__always)
    package static var none: Self { Self(rawValue: .max) }

    /// The next slot, in use or not.
    @inlinable package var successor: Self { Self(rawValue: rawValue + 1) }

    /// Whether this is `none`.
    @inlinable @inline(__always)
    package var isNone: Bool { rawValue == .max }

    /// The slot, or nil if this is `none`.
    @inlinable @inline(__always)
    package var optional: Self? { isNone ? nil : self }
}

extension Optional where Wrapped: SlotNumber {
    /// The slot, or `none` for nil: what a packed record stores.
    @inlinable @inline(__always)
    package var orNone: Wrapped { self ?? .none }
}
