public import Basics

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
        if number[0] == 0x69 {
            let value = Int64(bitPattern: UInt64(littleEndian: number.word(at: 1)))
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
