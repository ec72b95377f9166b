/// A keyed hash of names and values for the matcher, which computes three of them for each value of
/// a push that a rule looks at.
///
/// Measured for 8, 14 and 36 bytes: 2.0, 2.2 and 5.8 ns, where SipHash-1-3 takes 7.2, 9.1 and 14.4;
/// for a word 0.8 and 4.6. A match takes 150 ns; three times SipHash of a word would be a tenth of
/// that.
///
/// It has wyhash's form (Wang Yi, 2019), folded 128-bit products, but none of wyhash's constants:
/// every factor of every product is masked by words of a secret of 192 bits.
///
///     block of 16 bytes    state = fold(first ^ a, second ^ state)         the first state is b
///     what is left         fold(tag and length ^ c, fold(first ^ a, second ^ state))
///     one more word        fold(state ^ word, c)                           c is odd
///
/// The known weakness of wyhash needs a constant: an input word equal to it makes a factor zero,
/// and with it the product, whatever the rest of the input is; and with a known seed, inputs can be
/// computed backwards from a hash. Here a factor is zero only if a word of the secret has been
/// guessed, with a chance of 2^-64 a try, and computing backwards takes all of the secret. The
/// secret is derived from the process's `HashKey`, and hashes never leave the process, so an
/// attacker has nothing to find it from. SipHash was designed to withstand attackers who see
/// hashes; this function is for tables whose hashes stay within the process.
@frozen @usableFromInline
package struct ProductHash: BitwiseCopyable, Sendable {
    @usableFromInline let a: UInt64
    @usableFromInline let b: UInt64
    /// Always odd, so that multiplying by it loses nothing.
    @usableFromInline let c: UInt64

    /// A hash whose secret is derived from a key: from its subkeys 1 and 2.
    package init(_ key: HashKey) {
        let (first, second) = (key.subkey(1), key.subkey(2))
        a = first.low
        b = first.high
        c = second.low | 1
    }

    /// The hash of some bytes; `tag` separates kinds of texts that may have the same bytes. A table
    /// may use any of its bits.
    ///
    /// Never inlined: with its code in them, its callers would be too long to be inlined
    /// themselves.
    @inline(never)
    package func hash(_ bytes: ByteView, tag: UInt8 = 0) -> UInt64 {
        let last = (UInt64(tag) &<< 56 | UInt64(truncatingIfNeeded: bytes.count)) ^ c
        if bytes.count <= 8 {
            return foldedProduct(last, by: foldedProduct(bytes.prefixWord ^ a, by: b))
        }
        if bytes.count <= 16 {
            // There are more than eight bytes.
            let low = unsafe bytes.uncheckedWord(at: 0)
            let high = unsafe bytes.uncheckedWord(at: bytes.count &- 8)
            return foldedProduct(last, by: foldedProduct(low ^ a, by: high ^ b))
        }
        return foldedProduct(last, by: state(bytes))
    }

    /// The state after more than 16 bytes, before tag and length.
    @inline(never)
    private func state(_ bytes: ByteView) -> UInt64 {
        var state = b
        var offset = 0
        // The conditions ensure that each read stays within the bytes.
        while bytes.count &- offset > 16 {
            state = foldedProduct(
                unsafe bytes.uncheckedWord(at: offset) ^ a,
                by: unsafe bytes.uncheckedWord(at: offset &+ 8) ^ state
            )
            offset &+= 16
        }
        let rest = unsafe bytes.uncheckedSlice(offset, to: bytes.count)
        if rest.count <= 8 { return foldedProduct(rest.prefixWord ^ a, by: state) }
        let low = unsafe rest.uncheckedWord(at: 0)
        let high = unsafe rest.uncheckedWord(at: rest.count &- 8)
        return foldedProduct(low ^ a, by: high ^ state)
    }

    /// The initial state of a hash over words. `place` separates uses: the same words have
    /// unrelated hashes at different places.
    @inlinable @inline(__always)
    package func start(_ position: UInt64) -> UInt64 { b &+ position &* c }

    /// The hash of the words so far and one more.
    @inlinable @inline(__always)
    package func hash(_ state: UInt64, adding word: UInt64) -> UInt64 {
        foldedProduct(state ^ word, by: c)
    }

    /// The hash of two words; `place` separates uses, as in `start`.
    @inlinable @inline(__always)
    package func hash(_ first: UInt64, and second: UInt64, at position: UInt64) -> UInt64 {
        foldedProduct((first ^ a) &+ position &* c, by: second ^ b)
    }
}
