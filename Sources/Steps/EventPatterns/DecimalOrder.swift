package import DataStructures

/// The order of numbers in the form of `CanonicalNumber`, by exact value.
package enum DecimalOrder {
    /// Compares two canonical numbers of any length.
    ///
    /// - Returns: less than 0, 0 or more than 0, as `a` is less than, equal to or more than `b`.
    @inlinable
    package static func compare(_ a: ByteView, _ b: ByteView) -> Int {
        if isInteger(a) && isInteger(b) {
            let left = integer(a)
            let right = integer(b)
            return left < right ? -1 : left == right ? 0 : 1
        }
        let left = key(a)
        let right = key(b)
        if left != right { return left < right ? -1 : 1 }
        return compareDigits(a, b)
    }

    /// Maps a canonical number to 64 bits whose unsigned order never contradicts the numbers'.
    ///
    ///     positive    1 << 63 + (power + 401) << 50 | the first 15 digits, filled with zeros
    ///     zero        1 << 63
    ///     negative    1 << 64 - the key of the number without its sign
    ///
    /// `power` is that of the first digit, from -400 to 308. Different numbers have different keys
    /// if they have at most 15 significant digits; otherwise equal keys say nothing. Powers beyond
    /// the range, which the scanner lets nobody send, share one key at each end.
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

    @inlinable @inline(__always)
    static func isInteger(_ number: ByteView) -> Bool { number[0] == 0x69 }

    @inlinable @inline(__always)
    static func integer(_ number: ByteView) -> Int64 {
        Int64(bitPattern: UInt64(littleEndian: number.word(at: 1)))
    }

    /// The order of two numbers that share a key, and so a sign.
    @usableFromInline
    static func compareDigits(_ a: ByteView, _ b: ByteView) -> Int {
        let left = DecimalDigits(a)
        let right = DecimalDigits(b)
        let order = compareMagnitudes(left, right)
        return left.isNegative ? -order : order
    }

    private static func compareMagnitudes(_ a: DecimalDigits, _ b: DecimalDigits) -> Int {
        if a.power != b.power { return a.power < b.power ? -1 : 1 }
        for index in 0..<min(a.count, b.count) where a[index] != b[index] {
            return a[index] < b[index] ? -1 : 1
        }
        // What the longer one has more of is not zeros alone, for equal numbers have one form.
        return (a.count - b.count).signum()
    }
}
