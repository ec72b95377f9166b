public import DataStructures

extension JSONScanner {
    /// The offset after the number that begins at `start` with a digit or a minus sign.
    ///
    /// - Throws: `notJSON` if the grammar is broken; `numberRange` if the number is too large for a
    ///   double, or is not zero and its magnitude is below 1e-400.
    @inlinable @inline(__always)
    static func scanNumber(_ bytes: ByteView, from start: Int) throws(JSONError) -> Int {
        var offset = bytes[start] == 0x2d ? start &+ 1 : start
        let digits = offset
        offset = skipDigits(bytes, from: offset)
        if offset == digits || (offset &- digits > 1 && bytes[digits] == 0x30) {
            throw badNumber(bytes, from: start, to: offset)
        }
        let isPlain = bytes.has(offset) && bytes[offset] != 0x2e && bytes[offset] | 0x20 != 0x65
        // An integer of up to 300 digits is within the range; nearly all numbers are one.
        if isPlain && offset &- digits <= 300 { return offset }
        return try scanNumberTail(bytes, from: start, integerEnd: offset)
    }

    /// The offset of the first byte from `start` on that is not a digit.
    @inlinable @inline(__always)
    static func skipDigits(_ bytes: ByteView, from start: Int) -> Int {
        var offset = start
        while bytes.has(offset), bytes[offset] &- 0x30 <= 9 { offset &+= 1 }
        return offset
    }

    /// The error for a number without digits or with a leading zero.
    @usableFromInline @inline(never)
    static func badNumber(_ bytes: ByteView, from start: Int, to offset: Int) -> JSONError {
        offset == bytes.count && (offset == start + 1 && bytes[start] == 0x2d)
            ? JSONError(.notJSON, at: offset, detail: .unexpectedEnd)
            : JSONError(.notJSON, at: start, detail: .badNumber)
    }

    /// Scans fraction and exponent, and checks the range; returns the offset after the number.
    @usableFromInline
    static func scanNumberTail(
        _ bytes: ByteView,
        from start: Int,
        integerEnd: Int
    ) throws(JSONError) -> Int {
        var offset = integerEnd
        var hasExponent = false
        if offset < bytes.count, bytes[offset] == 0x2e {
            let fraction = offset + 1
            offset = skipDigits(bytes, from: fraction)
            if offset == fraction { throw JSONError(.notJSON, at: start, detail: .badNumber) }
        }
        if offset < bytes.count, bytes[offset] | 0x20 == 0x65 {
            hasExponent = true
            offset += 1
            if offset < bytes.count, bytes[offset] == 0x2b || bytes[offset] == 0x2d { offset += 1 }
            let exponent = offset
            offset = skipDigits(bytes, from: exponent)
            if offset == exponent { throw JSONError(.notJSON, at: start, detail: .badNumber) }
        }
        // Without an exponent, only hundreds of digits could leave the range.
        let isShort = offset - start <= 300
        if hasExponent || !isShort {
            try checkRange(bytes.slice(start, to: offset), at: start)
        }
        return offset
    }

    /// Throws if the number is too large for a double, or is not zero and its magnitude is below
    /// 1e-400.
    private static func checkRange(_ text: ByteView, at start: Int) throws(JSONError) {
        let decimal = DecimalText(text)
        if decimal.isZero || (-400..<308).contains(decimal.magnitude) { return }
        if decimal.magnitude < -400 {
            throw JSONError(.numberRange, at: start, detail: .numberTooSmall)
        }
        // From 1e308 on the digits decide: 1.7976931348623158e308 is still rounded to the largest
        // double, 1.7976931348623159e308 is too large.
        if decimal.magnitude > 308 || !(Double(text.string) ?? .infinity).isFinite {
            throw JSONError(.numberRange, at: start, detail: .numberTooLarge)
        }
    }
}

/// The parts of a number's text whose grammar has been checked.
///
/// The value is ± d₁.d₂d₃… × 10^magnitude, where d₁ is the first digit that is not zero.
struct DecimalText {
    let isNegative: Bool
    /// The text from the first digit that is not zero to the last one; may contain the decimal
    /// point.
    let digits: ByteView
    let isZero: Bool
    /// The power of ten of the first digit that is not zero; 0 if the value is zero.
    let magnitude: Int

    init(_ text: ByteView) {
        isNegative = text[0] == 0x2d
        var end = text.count
        var exponent = 0
        for offset in 0..<text.count where text[offset] | 0x20 == 0x65 {
            end = offset
            exponent = Self.exponent(text.slice(offset + 1, to: text.count))
            break
        }
        var point = end
        var first = -1
        var last = -1
        for offset in (isNegative ? 1 : 0)..<end {
            if text[offset] == 0x2e {
                point = offset
            } else if text[offset] != 0x30 {
                if first < 0 { first = offset }
                last = offset
            }
        }
        isZero = first < 0
        digits = isZero ? text.slice(0, to: 0) : text.slice(first, to: last + 1)
        // The digit before the decimal point has the power 0, the one after it -1.
        let power = first < point ? point - first - 1 : point - first
        magnitude = isZero ? 0 : power + exponent
    }

    /// The exponent's value; saturates far beyond what a document within its size limit can need.
    private static func exponent(_ text: ByteView) -> Int {
        var value = 0
        for offset in 0..<text.count where text[offset] &- 0x30 <= 9 {
            value = min(value * 10 + Int(text[offset] - 0x30), 1_000_000_000)
        }
        return text[0] == 0x2d ? -value : value
    }
}
