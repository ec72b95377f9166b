/// The SHA-256 of some bytes (FIPS 180-4): 32 bytes. `Cryptography` computes it.
package struct SHA256Digest: Hashable, Sendable, BitwiseCopyable {
    /// The bytes as four big-endian words.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The number of bytes.
    package static var byteCount: Int { 32 }

    /// A digest that was computed; `bytes` are its 32 bytes.
    package init(_ bytes: ByteView) {
        precondition(bytes.count == Self.byteCount, "a SHA-256 has 32 bytes")
        words = (
            bytes.bigEndian(UInt64.self, at: 0), bytes.bigEndian(UInt64.self, at: 8),
            bytes.bigEndian(UInt64.self, at: 16), bytes.bigEndian(UInt64.self, at: 24)
        )
    }

    /// Reads 64 hexadecimal digits; nil if the text is anything else.
    package init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * Self.byteCount else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index].hexDigitValue, let low = digits[index + 1].hexDigitValue
            else { return nil }
            bytes.append(high << 4 | low)
        }
        self = bytes.withByteView { SHA256Digest($0) }
    }

    /// One of the four words, from 0.
    package func word(_ index: Int) -> UInt64 {
        switch index {
        case 0: words.0
        case 1: words.1
        case 2: words.2
        default: words.3
        }
    }

    /// The digest as 64 lower-case hexadecimal digits.
    package var hexadecimal: String {
        [words.0, words.1, words.2, words.3].map(\.hexadecimal).joined()
    }

    /// Whether both are the same; the time taken does not depend on where they differ.
    package static func == (left: SHA256Digest, right: SHA256Digest) -> Bool {
        let first = left.words.0 ^ right.words.0 | left.words.1 ^ right.words.1
        return first | left.words.2 ^ right.words.2 | left.words.3 ^ right.words.3 == 0
    }

    /// Feeds the first word to a hasher: the bits of a digest are as good as random.
    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
