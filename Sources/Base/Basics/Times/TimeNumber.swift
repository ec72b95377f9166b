/// A number of units of time: a reading of a clock, or a length of time.
@usableFromInline
package protocol TimeNumber: Comparable, Hashable, Sendable, BitwiseCopyable,
    CustomStringConvertible
{
    associatedtype RawValue: FixedWidthInteger & BitwiseCopyable & Sendable

    /// The number of units.
    var rawValue: RawValue { get set }

    /// The time or length of this number of units.
    init(rawValue: RawValue)
}

extension TimeNumber {
    /// No units: a clock's zero, or no time at all.
    @inlinable package static var zero: Self { Self(rawValue: 0) }

    /// A time after all others, of what never happens; a length that no wait exceeds.
    @inlinable package static var max: Self { Self(rawValue: .max) }

    /// A time before all others; the largest distance back.
    @inlinable package static var min: Self { Self(rawValue: .min) }

    /// The number alone; texts for people add the unit.
    @inlinable package var description: String { String(rawValue) }

    // Written out so that they are inlined in other modules; synthesized ones are not.

    /// Whether both are the same.
    @inlinable
    package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    /// Whether the first is earlier or shorter.
    @inlinable
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Whether the first is later or longer.
    @inlinable
    package static func > (left: Self, right: Self) -> Bool { left.rawValue > right.rawValue }

    /// Whether the first is not later or longer.
    @inlinable
    package static func <= (left: Self, right: Self) -> Bool { left.rawValue <= right.rawValue }

    /// Whether the first is not earlier or shorter.
    @inlinable
    package static func >= (left: Self, right: Self) -> Bool { left.rawValue >= right.rawValue }

    /// Feeds the number to a hasher.
    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension TimeNumber where RawValue == Int64 {
    /// The sum of a number of units and another one; the largest or smallest number instead of an
    /// overflow.
    @inlinable
    func adding(clamped units: Int64) -> Self {
        let (sum, isTooLarge) = rawValue.addingReportingOverflow(units)
        return Self(rawValue: isTooLarge ? (units < 0 ? .min : .max) : sum)
    }
}
