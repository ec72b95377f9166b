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

    // MARK: - Whole numbers

    /// The value, if it is whole and fits; nil for any other.
    var signed: Int64? {
        guard let number = wholeNumber else { return nil }
        if !isNegative { return Int64(exactly: number) }
        return number == 1 << 63 ? .min : Int64(exactly: number).map { -$0 }
    }

    /// The value, if it is whole, not negative and fits; nil for any other.
    var unsigned: UInt64? {
        guard let number = wholeNumber, !isNegative || number == 0 else { return nil }
        return number
    }

    /// The value without its sign; nil if it has a fraction or does not fit in 64 bits.
    private var wholeNumber: UInt64? {
        if isZero { return 0 }
        if magnitude > 19 || magnitude < 0 { return nil }
        var value: UInt64 = 0
        var count = 0
        var overflow = false
        func append(_ digit: UInt8) {
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            overflow = overflow || tooLarge || carry
            value = sum
            count += 1
        }
        for offset in 0..<digits.count where digits[offset] != 0x2e {
            if count > 20 { return nil }
            append(digits[offset] - 0x30)
        }
        // There are more digits than places before the decimal point, so some of them follow it.
        if count > magnitude + 1 { return nil }
        while count <= magnitude { append(0) }
        return overflow ? nil : value
    }

    // MARK: - The exponent

    /// The exponent's value; saturates far beyond what a document within its size limit can need.
    private static func exponent(_ text: ByteView) -> Int {
        var value = 0
        for offset in 0..<text.count where text[offset] &- 0x30 <= 9 {
            value = min(value * 10 + Int(text[offset] - 0x30), 1_000_000_000)
        }
        return text[0] == 0x2d ? -value : value
    }
}
