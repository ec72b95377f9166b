/// A divisor that is used many times, with its reciprocal, so that dividing costs a multiplication.
///
/// With m = ceil(2^64 / d), floor(n m / 2^64) is floor(n / d) while n d < 2^64 (Granlund and
/// Montgomery, 1994): for all n and d of 32 bits, and for a longer n if d is small enough.
struct Divisor: BitwiseCopyable {
    let value: UInt32
    /// ceil(2^64 / `value`). For a `value` of 1 that is 2^64, which does not fit: 0 stands for it.
    private let factor: UInt64

    init(_ value: UInt32) {
        precondition(value > 0, "divides by zero")
        self.value = value
        factor = value == 1 ? 0 : UInt64.max / UInt64(value) + 1
    }

    /// The quotient of `number` divided by `value`, rounded down.
    @inline(__always)
    func quotient(_ number: UInt32) -> UInt32 {
        if factor == 0 { return number }
        return UInt32(truncatingIfNeeded: factor.multipliedFullWidth(by: UInt64(number)).high)
    }

    /// The remainder of `number` divided by `value`. The product of the two must be below 2^64.
    @inline(__always)
    func remainder(_ number: UInt64) -> UInt32 {
        assert(!number.multipliedReportingOverflow(by: UInt64(value)).overflow)
        if factor == 0 { return 0 }
        let quotient = factor.multipliedFullWidth(by: number).high
        return UInt32(truncatingIfNeeded: number &- quotient &* UInt64(value))
    }
}
