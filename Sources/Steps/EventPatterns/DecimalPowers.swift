/// The powers of ten that fit in 64 bits, and decimal digits by them; for `DecimalOrder`.
@usableFromInline
enum DecimalPowers {
    /// The powers of ten from 0 to 19.
    @usableFromInline
    static let table: InlineArray<20, UInt64> = [
        1,
        10,
        100,
        1_000,
        10_000,
        100_000,
        1_000_000,
        10_000_000,
        100_000_000,
        1_000_000_000,
        10_000_000_000,
        100_000_000_000,
        1_000_000_000_000,
        10_000_000_000_000,
        100_000_000_000_000,
        1_000_000_000_000_000,
        10_000_000_000_000_000,
        100_000_000_000_000_000,
        1_000_000_000_000_000_000,
        10_000_000_000_000_000_000,
    ]

    /// Ten to a power of 0 to 19.
    @inlinable @inline(__always)
    static func tenTo(_ power: Int) -> UInt64 { table[power] }

    /// The exponent of the value's first digit, so 2 for 345; 0 for 0.
    @inlinable @inline(__always)
    static func power(of value: UInt64) -> Int {
        // 1233 / 4096 is slightly more than log10(2), so the estimate is exact or one too high.
        let estimate = ((64 &- (value | 1).leadingZeroBitCount) &* 1_233) >> 12
        return (value | 1) < tenTo(estimate) ? estimate &- 1 : estimate
    }

    /// The value's first 15 digits as an integer, filled with zeros on the right if it has fewer.
    @inlinable @inline(__always)
    static func leadingDigits(_ value: UInt64, power: Int) -> UInt64 {
        power <= 14 ? value &* tenTo(14 &- power) : value / tenTo(power &- 14)
    }
}
