/// A 64-bit hash of short byte strings that is the same in every process and version: for decisions
/// that must come out the same after a restart, and for fingerprints that are stored.
///
/// The construction is wyhash's (Wang Yi, 2019): xor one word of input into a constant and the next
/// into the state, multiply the two to 128 bits, fold the halves. About 6 ns for 20 bytes. An
/// attacker who knows the seed can compute colliding texts at will, so no hash table may use it:
/// see `HashKey`.
@inlinable
package func stableHash(_ bytes: ByteView, seed: UInt64) -> UInt64 {
    var state = seed ^ 0xa076_1d64_78bd_642f
    var offset = 0
    let count = bytes.count
    // The conditions ensure that each read stays within the bytes.
    while count &- offset > 16 {
        state = foldedProduct(
            unsafe bytes.uncheckedWord(at: offset) ^ 0xe703_7ed1_a0b4_28db,
            by: unsafe bytes.uncheckedWord(at: offset &+ 8) ^ state
        )
        offset &+= 16
    }
    var low: UInt64 = 0
    var high: UInt64 = 0
    let rest = count &- offset
    if rest > 8 {
        low = unsafe bytes.uncheckedWord(at: offset)
        high = unsafe bytes.uncheckedWord(at: count &- 8)
    } else {
        low = unsafe bytes.uncheckedSlice(offset, to: count).prefixWord
    }
    return foldedProduct(
        0x8ebc_6af0_9c88_c6e3 ^ UInt64(truncatingIfNeeded: count),
        by: foldedProduct(low ^ 0xe703_7ed1_a0b4_28db, by: high ^ state)
    )
}

/// The upper half of the 128-bit product, xored into the lower one.
@inlinable @inline(__always)
package func foldedProduct(_ left: UInt64, by right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
}
