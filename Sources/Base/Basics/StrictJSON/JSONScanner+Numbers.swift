extension JSONScanner {
    /// The offset after the number that begins at `start` with a digit or a minus sign. Throws
    /// `notJSON` if the grammar is broken; `numberRange` if the number is too large for a double,
    /// or is not zero and its magnitude is below 1e-400.
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
        if hasExponent || !isShort { try checkRange(bytes.slice(start, to: offset), at: start) }
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
