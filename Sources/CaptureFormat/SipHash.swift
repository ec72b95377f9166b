internal import ByteStorage

/// SipHash-2-4 (Aumasson, Bernstein 2012): a hash that tells nothing of its input to whoever does not
/// know the key.
struct SipHash {
    private let low: UInt64
    private let high: UInt64

    /// - Parameters:
    ///   - low: the key's first eight bytes, little-endian.
    ///   - high: the others.
    init(_ low: UInt64, _ high: UInt64) {
        self.low = low
        self.high = high
    }

    func hash(_ bytes: ByteView) -> UInt64 {
        var state = State(low, high)
        let wholeCount = bytes.count & ~7
        for offset in stride(from: 0, to: wholeCount, by: 8) {
            state.take(UInt64(littleEndian: bytes.word(at: offset)))
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for offset in wholeCount..<bytes.count {
            last |= UInt64(bytes[offset]) << UInt64(8 * (offset - wholeCount))
        }
        state.take(last)
        return state.finish()
    }

    private struct State {
        private var v0: UInt64
        private var v1: UInt64
        private var v2: UInt64
        private var v3: UInt64

        init(_ low: UInt64, _ high: UInt64) {
            v0 = low ^ 0x736f_6d65_7073_6575
            v1 = high ^ 0x646f_7261_6e64_6f6d
            v2 = low ^ 0x6c79_6765_6e65_7261
            v3 = high ^ 0x7465_6462_7974_6573
        }

        mutating func take(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        mutating func finish() -> UInt64 {
            v2 ^= 0xff
            for _ in 0..<4 { round() }
            return v0 ^ v1 ^ v2 ^ v3
        }

        private mutating func round() {
            v0 &+= v1
            v1 = rotated(v1, 13) ^ v0
            v0 = rotated(v0, 32)
            v2 &+= v3
            v3 = rotated(v3, 16) ^ v2
            v0 &+= v3
            v3 = rotated(v3, 21) ^ v0
            v2 &+= v1
            v1 = rotated(v1, 17) ^ v2
            v2 = rotated(v2, 32)
        }

        private func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
            word << count | word >> (64 - count)
        }
    }
}
