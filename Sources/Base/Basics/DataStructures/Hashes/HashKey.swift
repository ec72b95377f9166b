/// A secret key of 128 bits for hash tables whose keys come from peers.
///
/// A process draws one from the system's random source when it starts, and passes it down. It never
/// leaves the process: it is not stored, nothing that is sent or stored derives from it, and no
/// decision depends on it, because a table gives the same answers under every key and is never
/// listed in its own order. So a restored router, a replay or a replica decides the same under
/// another key; whatever must come out the same again uses a `DecisionSeed`.
///
/// The hash is SipHash-1-3, the variant for hash tables (Rust's and Swift's dictionaries use it):
/// about 10 ns for a short name. `ProductHash` serves the few tables whose lookups are too frequent
/// for it.
@frozen @usableFromInline
package struct HashKey: BitwiseCopyable, Equatable, Sendable {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64

    /// A key of its first eight bytes, little-endian, and the other eight.
    @inlinable
    package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Draws a random key.
    package init(using generator: inout some RandomNumberGenerator) {
        self.init(low: generator.next(), high: generator.next())
    }

    /// A key derived from the one that the Swift runtime drew for this process.
    ///
    /// For code to which no key is passed. It is as secret as the runtime's own: if the environment
    /// variable `SWIFT_DETERMINISTIC_HASHING` is set, it is always the same.
    package static let ofRuntime: HashKey = {
        func word(_ number: UInt8) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(number)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return HashKey(low: word(1), high: word(2))
    }()

    /// SipHash-1-3 of some bytes.
    @inlinable
    package func hash(_ bytes: ByteView) -> UInt64 {
        var state = SipState(low: low, high: high)
        state.absorb(bytes, rounds: 1)
        return state.finish(rounds: 3)
    }

    /// SipHash-1-3 of a number's eight bytes followed by `bytes`.
    ///
    /// The length that SipHash appends counts `bytes` alone, so the result is not the hash of both
    /// joined. As every input of this form begins with a number, different inputs still stay
    /// different.
    @inlinable
    package func hash(_ number: UInt64, followedBy bytes: ByteView) -> UInt64 {
        var state = SipState(low: low, high: high)
        state.absorb(number, rounds: 1)
        state.absorb(bytes, rounds: 1)
        return state.finish(rounds: 3)
    }

    /// SipHash-1-3 of one number, without the length that SipHash appends.
    ///
    /// All keys of a table of numbers have the same length, so their hashes need not depend on it.
    @inlinable
    package func hash(_ number: UInt64) -> UInt64 {
        var state = SipState(low: low, high: high)
        state.absorb(number, rounds: 1)
        return state.finish(rounds: 3)
    }

    /// SipHash-1-3 of two numbers, without a length.
    @inlinable
    package func hash(_ first: UInt64, and second: UInt64) -> UInt64 {
        var state = SipState(low: low, high: high)
        state.absorb(first, rounds: 1)
        state.absorb(second, rounds: 1)
        return state.finish(rounds: 3)
    }

    /// SipHash-2-4 of some bytes: the variant for hashes that leave the process.
    package func digest(_ bytes: ByteView) -> UInt64 {
        var state = SipState(low: low, high: high)
        state.absorb(bytes, rounds: 2)
        return state.finish(rounds: 4)
    }

    /// SipHash-2-4 of a number's eight bytes.
    package func digest(_ number: UInt64) -> UInt64 {
        var state = SipState(low: low, high: high)
        state.absorb(number, rounds: 2)
        state.absorb(8 << 56, rounds: 2)
        return state.finish(rounds: 4)
    }

    /// A further key, chosen by `number`; knowing it does not reveal this one.
    package func subkey(_ number: UInt64) -> HashKey {
        HashKey(low: digest(number &* 2), high: digest(number &* 2 &+ 1))
    }
}
