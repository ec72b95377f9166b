/// A secret key of 128 bits for the hash tables whose keys are chosen by others.
///
/// A process draws one when it starts, from the system's random source, and passes it down. It never
/// leaves the process: it is not stored, nothing that is sent or stored is derived from it, and no
/// decision depends on it, as a table finds the same under every key and is never listed in its own
/// order. So a router that is restored, replayed or doubled under another key decides the same; what
/// has to be the same again has a `DecisionSeed`.
///
/// The hash is SipHash-1-3, the variant for hash tables (Rust's and Swift's dictionaries use it):
/// about 10 ns for a short name. `ProductHash` is for the few lookups that are too many for it.
@frozen @usableFromInline
package struct HashKey: BitwiseCopyable, Equatable, Sendable {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64

    /// - Parameters:
    ///   - low: the key's first eight bytes, little-endian.
    ///   - high: the others.
    @inlinable
    package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Draws a key.
    package init(using generator: inout some RandomNumberGenerator) {
        self.init(low: generator.next(), high: generator.next())
    }

    /// The key that the Swift runtime has drawn for this process, for what is used far from where a
    /// key is drawn: its dictionaries depend on the same (unless `SWIFT_DETERMINISTIC_HASHING` is set).
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
        var state = SipState(low, high)
        state.absorb(bytes, rounds: 1)
        return state.finish(rounds: 3)
    }

    /// SipHash-1-3 of a number's eight bytes and some more behind them.
    ///
    /// The last byte of the padded text counts `bytes` alone: a text of eight more bytes has no other
    /// hash for that.
    @inlinable
    package func hash(_ number: UInt64, _ bytes: ByteView) -> UInt64 {
        var state = SipState(low, high)
        state.absorb(number, rounds: 1)
        state.absorb(bytes, rounds: 1)
        return state.finish(rounds: 3)
    }

    /// The hash of one number.
    ///
    /// As all keys of a table of numbers are of one length, it is not taken in.
    @inlinable
    package func hash(_ number: UInt64) -> UInt64 {
        var state = SipState(low, high)
        state.absorb(number, rounds: 1)
        return state.finish(rounds: 3)
    }

    /// The hash of two numbers.
    @inlinable
    package func hash(_ first: UInt64, _ second: UInt64) -> UInt64 {
        var state = SipState(low, high)
        state.absorb(first, rounds: 1)
        state.absorb(second, rounds: 1)
        return state.finish(rounds: 3)
    }

    /// SipHash-2-4 of some bytes: the variant for hashes that others see.
    package func digest(_ bytes: ByteView) -> UInt64 {
        var state = SipState(low, high)
        state.absorb(bytes, rounds: 2)
        return state.finish(rounds: 4)
    }

    /// SipHash-2-4 of a number's eight bytes.
    package func digest(_ number: UInt64) -> UInt64 {
        var state = SipState(low, high)
        state.absorb(number, rounds: 2)
        state.absorb(8 << 56, rounds: 2)
        return state.finish(rounds: 4)
    }

    /// Another key, from which this one does not follow.
    package func subkey(_ number: UInt64) -> HashKey {
        HashKey(low: digest(number &* 2), high: digest(number &* 2 &+ 1))
    }
}
