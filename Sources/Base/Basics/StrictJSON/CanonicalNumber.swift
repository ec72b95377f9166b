/// The canonical byte form of a JSON number: equal values have equal bytes, however they are
/// written.
///
///     integer in 64 bits    'i' | value: Int64, little-endian
///     any other             'd' | sign: 0 or 1 | exponent: Int32, little-endian | digits …
///                           value = ± digits × 10^exponent, no zero first or last
///
/// Exact for every length: 30 = 30.0 = 3e1, -0 = 0, and 2^53 + 1 is not 2^53.
package enum CanonicalNumber {
    /// Writes the canonical form of a number whose grammar and range have been checked to a buffer,
    /// which must have space for `text.count + 16` bytes. Returns the number of bytes written.
    @unsafe
    package static func write(_ text: ByteView, into buffer: UnsafeMutableRawPointer) -> Int {
        if let value = shortInteger(text) { return unsafe write(value, into: buffer) }
        let decimal = DecimalText(text)
        if let value = decimal.signed { return unsafe write(value, into: buffer) }
        var count = 6
        for offset in 0..<decimal.digits.count where decimal.digits[offset] != 0x2e {
            unsafe buffer.storeBytes(
                of: decimal.digits[offset],
                toByteOffset: count,
                as: UInt8.self
            )
            count += 1
        }
        let exponent = Int32(decimal.magnitude - (count - 6) + 1)
        unsafe buffer.storeBytes(of: 0x64, as: UInt8.self)
        unsafe buffer.storeBytes(of: decimal.isNegative ? 1 : 0, toByteOffset: 1, as: UInt8.self)
        for index in 0..<4 {
            let byte = UInt8(truncatingIfNeeded: exponent >> Int32(8 * index))
            unsafe buffer.storeBytes(of: byte, toByteOffset: 2 + index, as: UInt8.self)
        }
        return count
    }

    /// The JSON text of a number in canonical form.
    package static func text(_ number: ByteView) -> String {
        unsafe String(unsafeUninitializedCapacity: textLimit(number)) { buffer in
            unsafe writeText(number, into: UnsafeMutableRawPointer(buffer.baseAddress!))
        }
    }

    /// An upper bound of the bytes that `writeText` writes for this number.
    package static func textLimit(_ number: ByteView) -> Int { number.count + 20 }

    /// Writes a number, whose canonical form `write` has produced, as JSON to a buffer, which must
    /// have space for `textLimit(number)` bytes: an integer, or digits and an exponent. Returns the
    /// number of bytes written.
    @unsafe
    package static func writeText(_ number: ByteView, into buffer: UnsafeMutableRawPointer) -> Int {
        if number[0] == 0x69 {
            return unsafe writeInteger(Int64(truncatingIfNeeded: number.word(at: 1)), into: buffer)
        }
        var exponent: UInt32 = 0
        for index in 0..<4 { exponent |= UInt32(number[2 + index]) << UInt32(8 * index) }
        var end = unsafe buffer
        if number[1] != 0 {
            unsafe end.storeBytes(of: 0x2d, as: UInt8.self)
            unsafe end += 1
        }
        let digits = number.slice(6, to: number.count)
        unsafe digits.copy(to: end)
        unsafe end += digits.count
        unsafe end.storeBytes(of: 0x65, as: UInt8.self)
        unsafe end += 1
        unsafe end += writeInteger(Int64(Int32(bitPattern: exponent)), into: end)
        return unsafe end - buffer
    }

    /// Writes an integer in decimal; returns the number of bytes written.
    @unsafe
    private static func writeInteger(_ value: Int64, into buffer: UnsafeMutableRawPointer) -> Int {
        var count = value < 0 ? 1 : 0
        var rest = value.magnitude
        repeat {
            count += 1
            rest /= 10
        } while rest > 0
        if value < 0 { unsafe buffer.storeBytes(of: 0x2d, as: UInt8.self) }
        var offset = count
        rest = value.magnitude
        repeat {
            offset -= 1
            let digit = UInt8(truncatingIfNeeded: rest % 10) + 0x30
            unsafe buffer.storeBytes(of: digit, toByteOffset: offset, as: UInt8.self)
            rest /= 10
        } while rest > 0
        return count
    }

    /// The value of a plain integer of up to 18 digits, as nearly all numbers are; nil for any
    /// other spelling.
    private static func shortInteger(_ text: ByteView) -> Int64? {
        if text.count > 18 { return nil }
        let isNegative = text[0] == 0x2d
        var value: Int64 = 0
        for offset in (isNegative ? 1 : 0)..<text.count {
            let digit = text[offset] &- 0x30
            if digit > 9 { return nil }
            value = value * 10 + Int64(digit)
        }
        return isNegative ? -value : value
    }

    /// Writes the integer form; returns 9, the number of bytes written.
    private static func write(_ value: Int64, into buffer: UnsafeMutableRawPointer) -> Int {
        unsafe buffer.storeBytes(of: 0x69, as: UInt8.self)
        unsafe buffer.storeBytes(of: value.littleEndian, toByteOffset: 1, as: Int64.self)
        return 9
    }
}
