/// SplitMix64: the same numbers for the same seed, everywhere, from eight bytes of state.
///
/// Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014; the finisher is
/// Stafford's variant 13 of MurmurHash3's, as in Vigna's https://prng.di.unimi.it/splitmix64.c.
@usableFromInline
package struct SplitMix64: RandomNumberGenerator, BitwiseCopyable, Sendable {
    /// All of what it is: one with this seed goes on as this one would.
    @usableFromInline package internal(set) var state: UInt64

    @inlinable package init(seed: UInt64) {
        state = seed
    }

    /// A stream of its own for each number: streams of one seed have nothing to do with each other.
    @inlinable package init(seed: UInt64, stream: UInt64) {
        let own = Self.mixed(stream &+ 1)
        self.init(seed: Self.mixed(seed &* 0x9e37_79b9_7f4a_7c15 ^ own))
    }

    @inlinable package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mixed(state)
    }

    /// A number from 0 up to `bound`, without it.
    @inlinable package mutating func below(_ bound: Int) -> Int {
        Self.scaled(next(), bound)
    }

    /// A number that depends on nothing but the argument.
    @inlinable package static func mixed(_ number: UInt64) -> UInt64 {
        var word = number
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }

    /// A random number's place in 0 up to `bound`, without it.
    @inlinable package static func scaled(_ number: UInt64, _ bound: Int) -> Int {
        Int(truncatingIfNeeded: number.multipliedFullWidth(by: UInt64(bound)).high)
    }
}
