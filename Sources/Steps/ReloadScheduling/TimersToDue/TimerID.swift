public import Basics

/// The number of a timer of a `TimingWheel`, which its user chooses; below 2^31.
@frozen @usableFromInline
package struct TimerID: TableNumber {
    /// The bare number.
    @usableFromInline package let rawValue: UInt32

    /// The timer with this number.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}
