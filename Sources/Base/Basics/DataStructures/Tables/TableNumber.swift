/// The number of one entry of a table, as a type of its own.
///
/// It has neither arithmetic nor literals, so that a number of one table cannot be taken for a
/// number of another, for a count or for an index that was computed. A conforming type is a frozen
/// structure of one number, and costs what the bare number would:
///
///     @frozen @usableFromInline
///     package struct ArenaBlock: SlotNumber {
///         /// The bare number.
///         @usableFromInline package let rawValue: UInt32
///
///         @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }
///     }
@usableFromInline
package protocol TableNumber: Hashable, Comparable, BitwiseCopyable, Sendable,
    CustomStringConvertible
{
    associatedtype RawValue: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable

    /// The bare number, for what is stored, sent, hashed or logged.
    var rawValue: RawValue { get }

    /// Makes the number from a bare one, which was stored or assigned by a table.
    init(rawValue: RawValue)
}

extension TableNumber {
    /// The number of the entry at a position of a table whose entries lie in an array; traps if
    /// there is no such number.
    @inlinable @inline(__always)
    package init(index: Int) { self.init(rawValue: RawValue(index)) }

    /// How many different numbers the type can represent.
    @inlinable package static var count: Int { Int(RawValue.max) + 1 }

    /// The number of a table's first entry.
    @inlinable @inline(__always)
    package static var first: Self { Self(rawValue: 0) }

    /// The entry's position in an array that has one entry for each number.
    @inlinable @inline(__always)
    package var index: Int { Int(rawValue) }

    /// Whether both are numbers of the same entry.
    @inlinable @inline(__always)
    package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    /// Whether the left entry comes before the right one in the order of numbers.
    @inlinable @inline(__always)
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Hashes the bare number.
    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The bare number in decimal.
    @inlinable package var description: String { String(rawValue) }
}
