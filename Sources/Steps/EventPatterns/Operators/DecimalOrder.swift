public import Basics

/// The order of numbers in the form of `CanonicalNumber`, by exact value; for `numeric`.
package enum DecimalOrder {
    /// Compares two numbers as JSON spells them. The result is negative, 0 or positive, as `a` is
    /// less than, equal to or greater than `b`.
    package static func compare(_ a: String, to b: String) -> Int {
        a.withByteView { a in
            withCanonicalNumber(a) { a in
                b.withByteView { b in withCanonicalNumber(b) { compare(a, to: $0) } }
            }
        }
    }

    /// Compares two canonical numbers of any length. The result is negative, 0 or positive, as `a`
    /// is less than, equal to or greater than `b`.
    @inlinable
    package static func compare(_ a: ByteView, to b: ByteView) -> Int {
        if isInteger(a) && isInteger(b) {
            let left = integer(a)
            let right = integer(b)
            return left < right ? -1 : left == right ? 0 : 1
        }
        let left = key(a)
        let right = key(b)
        if left != right { return left < right ? -1 : 1 }
        return compareDigits(a, to: b)
    }

    /// Maps a canonical number to 64 bits whose unsigned order never contradicts the order of the
    /// numbers.
    ///
    ///     positive    1 << 63 + (power + 401) << 50 | the first 15 digits, filled with zeros
    ///     zero        1 << 63
    ///     negative    1 << 64 - the key of the number without its sign
    ///
    /// `power` is the exponent of the first digit, from -400 to 308. Different numbers have
    /// different keys if they have at most 15 significant digits; otherwise equal keys say nothing.
    /// Exponents outside of the range, which `JSONScanner` refuses, share one key at each end.
    @inlinable
    package static func key(_ number: ByteView) -> UInt64 {
        if isInteger(number) {
            let value = integer(number)
            if value == 0 { return zeroKey }
            let magnitude = value.magnitude
            let power = DecimalPowers.power(of: magnitude)
            let leading = DecimalPowers.leadingDigits(magnitude, power: power)
            return key(isNegative: value < 0, power: power, leading: leading)
        }
        let digits = DecimalDigits(number)
        var leading: UInt64 = 0
        let count = min(digits.count, 15)
        for index in 0..<count { leading = leading &* 10 &+ UInt64(digits[index]) }
        leading &*= DecimalPowers.tenTo(15 - count)
        return key(isNegative: digits.isNegative, power: digits.power, leading: leading)
    }

    @inlinable
    static var zeroKey: UInt64 { 1 << 63 }

    /// The key of a number other than 0, from its sign, its exponent and its first 15 digits.
    @inlinable @inline(__always)
    static func key(isNegative: Bool, power: Int, leading: UInt64) -> UInt64 {
        let distance: UInt64
        if power < -400 {
            distance = 1
        } else if power > 308 {
            distance = 710 << 50
        } else {
            distance = UInt64(truncatingIfNeeded: power &+ 401) << 50 | leading
        }
        return isNegative ? zeroKey &- distance : zeroKey &+ distance
    }

    /// Whether the number has the form of a 64-bit integer.
    @inlinable @inline(__always)
    package static func isInteger(_ number: ByteView) -> Bool { number[0] == 0x69 }

    /// The value of a number in the form of a 64-bit integer.
    @inlinable @inline(__always)
    package static func integer(_ number: ByteView) -> Int64 {
        Int64(bitPattern: UInt64(littleEndian: number.word(at: 1)))
    }

    /// The order of two numbers that share a key and therefore a sign, digit by digit.
    @usableFromInline
    static func compareDigits(_ a: ByteView, to b: ByteView) -> Int {
        let left = DecimalDigits(a)
        let right = DecimalDigits(b)
        let order = compareMagnitudes(left, to: right)
        return left.isNegative ? -order : order
    }

    /// Compares two numbers without their signs: negative, 0 or positive.
    private static func compareMagnitudes(_ a: DecimalDigits, to b: DecimalDigits) -> Int {
        if a.power != b.power { return a.power < b.power ? -1 : 1 }
        for index in 0..<min(a.count, b.count) where a[index] != b[index] {
            return a[index] < b[index] ? -1 : 1
        }
        // The longer number is the greater: its further digits are not all zeros, since equal
        // numbers have one form.
        return (a.count - b.count).signum()
    }
}

/// Calls `body` with the canonical form of a number, which is valid only until it returns.
package func withCanonicalNumber<Result>(_ text: ByteView, body: (ByteView) -> Result) -> Result {
    unsafe withUnsafeTemporaryAllocation(byteCount: text.count + 16, alignment: 8) { buffer in
        let base = buffer.baseAddress!
        let count = unsafe CanonicalNumber.write(text, into: base)
        return body(unsafe ByteView(base: base, count: count))
    }
}

/// The digits of a number in the form of `CanonicalNumber`, the same way for both of its forms.
@usableFromInline
struct DecimalDigits {
    @usableFromInline let isNegative: Bool
    /// The exponent of the first digit, so 2 for 345.
    @usableFromInline let power: Int
    /// The number of digits; trailing zeros of an integer count.
    @usableFromInline let count: Int
    /// The source of the digits: an integer, or the text after the exponent. The other one is 0 or
    /// empty.
    private let magnitude: UInt64
    private let text: ByteView

    @usableFromInline
    init(_ number: ByteView) {
        if DecimalOrder.isInteger(number) {
            let value = DecimalOrder.integer(number)
            isNegative = value < 0
            magnitude = value.magnitude
            power = DecimalPowers.power(of: magnitude)
            count = power + 1
            text = number.slice(0, to: 0)
        } else {
            var exponent: UInt32 = 0
            for index in 0..<4 { exponent |= UInt32(number[2 + index]) << UInt32(8 * index) }
            isNegative = number[1] != 0
            magnitude = 0
            text = number.slice(6, to: number.count)
            count = number.count - 6
            power = Int(Int32(bitPattern: exponent)) + count - 1
        }
    }

    /// The digit at `index` from the highest, as a value of 0 to 9.
    @usableFromInline
    subscript(index: Int) -> UInt8 {
        if text.count > 0 { return text[index] - 0x30 }
        return UInt8(magnitude / DecimalPowers.tenTo(power - index) % 10)
    }
}

/// The powers of ten that fit in 64 bits, and decimal digits by them; for `DecimalOrder`.
@usableFromInline
enum DecimalPowers {
    /// The powers of ten from 0 to 19.
    @usableFromInline
    static let table: InlineArray<20, UInt64> = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
        10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000,
        100_000_000_000_000, 1_000_000_000_000_000, 10_000_000_000_000_000,
        100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
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
