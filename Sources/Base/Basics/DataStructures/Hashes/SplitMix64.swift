/// SplitMix64, a pseudorandom generator: the same numbers for the same seed on every machine, from
/// eight bytes of state.
///
/// Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014; the finisher is
/// Stafford's variant 13 of MurmurHash3's, as in Vigna's https://prng.di.unimi.it/splitmix64.c.
@usableFromInline
package struct SplitMix64: RandomNumberGenerator, BitwiseCopyable, Sendable {
    /// The whole state: a generator seeded with it continues the sequence of this one.
    @usableFromInline package internal(set) var state: UInt64

    /// The generator of a seed; the seed is its initial state.
    @inlinable package init(seed: UInt64) { state = seed }

    /// The generator of one of a seed's streams, each of which is a sequence of its own: streams of
    /// the same seed are independent of each other.
    @inlinable package init(seed: UInt64, stream: UInt64) {
        let own = Self.mixed(stream &+ 1)
        self.init(seed: Self.mixed(seed &* 0x9e37_79b9_7f4a_7c15 ^ own))
    }

    /// The next number of the sequence: 64 random bits.
    @inlinable package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mixed(state)
    }

    /// A random number in `0..<bound`.
    @inlinable package mutating func below(_ bound: Int) -> Int {
        Self.scaled(next(), below: bound)
    }

    /// A bijective mixing function: the same result for the same number, always.
    @inlinable package static func mixed(_ number: UInt64) -> UInt64 {
        var word = number
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }

    /// Maps a random 64-bit number to `0..<bound`.
    @inlinable package static func scaled(_ number: UInt64, below bound: Int) -> Int {
        Int(truncatingIfNeeded: number.multipliedFullWidth(by: UInt64(bound)).high)
    }
}
