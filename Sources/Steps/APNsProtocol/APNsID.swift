/// What a push is called: a UUID (RFC 9562), which is written in small letters.
///
///     8b0f4c3a-1d2e-4f5a-9b6c-7d8e9fa0b1c2
package struct APNsID: Hashable, Sendable, CustomStringConvertible {
    /// The first half of its bits.
    private let high: UInt64
    /// The second half.
    private let low: UInt64

    /// The id with these random bits; version and variant replace six of them.
    package init(_ first: UInt64, and second: UInt64) {
        high = first & ~0xf000 | 0x4000
        low = second & ~(0b11 << 62) | 0b10 << 62
    }

    /// Adds the text to bytes.
    package func append(to bytes: inout [UInt8]) {
        var text = InlineArray<36, UInt8>(repeating: UInt8(ascii: "-"))
        Self.write(high >> 32, digits: 8, into: &text, at: 0)
        Self.write(high >> 16, digits: 4, into: &text, at: 9)
        Self.write(high, digits: 4, into: &text, at: 14)
        Self.write(low >> 48, digits: 4, into: &text, at: 19)
        Self.write(low, digits: 12, into: &text, at: 24)
        unsafe text.span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Writes the lowest digits of a number.
    private static func write(
        _ number: UInt64,
        digits count: Int,
        into text: inout InlineArray<36, UInt8>,
        at start: Int
    ) {
        var rest = number
        var index = start + count
        while index > start {
            index -= 1
            let digit = UInt8(truncatingIfNeeded: rest & 0xf)
            text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            rest >>= 4
        }
    }

    /// The text.
    package var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
