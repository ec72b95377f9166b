/// The state of SipHash (Aumasson, Bernstein: SipHash, a fast short-input PRF, 2012); see
/// `HashKey`.
///
/// An attacker without the key can neither predict the hash of a text nor find two texts whose
/// hashes collide, even if the attacker chooses all texts that are hashed.
@frozen @usableFromInline
struct SipState: BitwiseCopyable {
    @usableFromInline var v0: UInt64
    @usableFromInline var v1: UInt64
    @usableFromInline var v2: UInt64
    @usableFromInline var v3: UInt64

    /// The state before any input, for a key of two words.
    @inlinable @inline(__always)
    init(low: UInt64, high: UInt64) {
        v0 = low ^ 0x736f_6d65_7073_6575
        v1 = high ^ 0x646f_7261_6e64_6f6d
        v2 = low ^ 0x6c79_6765_6e65_7261
        v3 = high ^ 0x7465_6462_7974_6573
    }

    /// Absorbs eight bytes with the number of compression rounds that the variant has.
    @inlinable @inline(__always)
    mutating func absorb(_ word: UInt64, rounds: Int) {
        v3 ^= word
        for _ in 0..<rounds { round() }
        v0 ^= word
    }

    /// Absorbs the bytes, padded with their count: the end of an input.
    @inlinable @inline(__always)
    mutating func absorb(_ bytes: ByteView, rounds: Int) {
        let wholeCount = bytes.count & ~7
        var offset = 0
        while offset < wholeCount {
            absorb(UInt64(littleEndian: bytes.word(at: offset)), rounds: rounds)
            offset &+= 8
        }
        let rest = UInt64(littleEndian: bytes.slice(wholeCount, to: bytes.count).prefixWord)
        absorb(rest | UInt64(truncatingIfNeeded: bytes.count) << 56, rounds: rounds)
    }

    /// The hash of everything absorbed, after the finalization rounds that the variant has.
    @inlinable @inline(__always)
    mutating func finish(rounds: Int) -> UInt64 {
        v2 ^= 0xff
        for _ in 0..<rounds { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    /// One SipRound, as the paper defines it.
    @inlinable @inline(__always)
    mutating func round() {
        v0 &+= v1
        v1 = Self.rotated(v1, by: 13) ^ v0
        v0 = Self.rotated(v0, by: 32)
        v2 &+= v3
        v3 = Self.rotated(v3, by: 16) ^ v2
        v0 &+= v3
        v3 = Self.rotated(v3, by: 21) ^ v0
        v2 &+= v1
        v1 = Self.rotated(v1, by: 17) ^ v2
        v2 = Self.rotated(v2, by: 32)
    }

    /// The word rotated left by `count` bits, 1 to 63.
    @inlinable @inline(__always)
    static func rotated(_ word: UInt64, by count: UInt64) -> UInt64 {
        word &<< count | word &>> (64 &- count)
    }
}
