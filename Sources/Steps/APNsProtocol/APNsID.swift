/// What a push is called: a UUID (RFC 9562), which is written in small letters.
///
///     8b0f4c3a-1d2e-4f5a-9b6c-7d8e9fa0b1c2
package struct APNsID: Hashable, Sendable, CustomStringConvertible {
    /// The first and the second half of its bits.
    private let halves: (UInt64, UInt64)

    /// The id with these random bits; version and variant replace six of them.
    package init(_ first: UInt64, and second: UInt64) {
        halves = (first & ~0xf000 | 0x4000, second & ~(0b11 << 62) | 0b10 << 62)
    }

    /// Adds the text to bytes.
    package func append(to bytes: inout [UInt8]) {
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 {
                bytes.append(UInt8(ascii: "-"))
            }
            let half = index < 16 ? halves.0 : halves.1
            let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - index % 16 * 4) & 0xf)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// The text.
    package var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether both are the same.
    package static func == (left: Self, right: Self) -> Bool { left.halves == right.halves }

    /// Feeds the bits to a hasher.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(halves.0)
        hasher.combine(halves.1)
    }
}
