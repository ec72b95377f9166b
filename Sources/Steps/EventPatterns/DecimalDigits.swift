public import DataStructures

/// The digits of a canonical number, without its two forms.
@usableFromInline
struct DecimalDigits {
    @usableFromInline let isNegative: Bool
    /// The power of ten of the first digit.
    @usableFromInline let power: Int
    @usableFromInline let count: Int
    /// What the digits are taken from: an integer, or the text behind the exponent.
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
            text = number.slice(0, 0)
        } else {
            var exponent: UInt32 = 0
            for index in 0..<4 { exponent |= UInt32(number[2 + index]) << UInt32(8 * index) }
            isNegative = number[1] != 0
            magnitude = 0
            text = number.slice(6, number.count)
            count = number.count - 6
            power = Int(Int32(bitPattern: exponent)) + count - 1
        }
    }

    /// The digit at `index` from the highest, 0 to 9.
    @usableFromInline
    subscript(index: Int) -> UInt8 {
        if text.count > 0 { return text[index] - 0x30 }
        return UInt8(magnitude / DecimalPowers.tenTo(power - index) % 10)
    }
}
