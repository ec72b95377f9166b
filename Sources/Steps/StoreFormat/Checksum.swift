internal import CXXHash
package import DataStructures

/// XXH3 with 64 bits (Yann Collet; the specification of xxHash 0.8), which the system's library
/// computes.
package func checksum(_ bytes: ByteView) -> UInt64 {
    unsafe XXH3_64bits(bytes.address, bytes.count)
}

/// The same with a seed, which joins a record to what it belongs to.
package func checksum(_ bytes: ByteView, seed: UInt64) -> UInt64 {
    unsafe XXH3_64bits_withSeed(bytes.address, bytes.count, seed)
}
