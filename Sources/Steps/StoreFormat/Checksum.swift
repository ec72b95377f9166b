package import Basics
internal import CXXHash

/// XXH3 with 64 bits (Yann Collet; the specification of xxHash 0.8), computed by the system's
/// library.
package func checksum(_ bytes: ByteView) -> UInt64 {
    unsafe XXH3_64bits(bytes.address, bytes.count)
}

/// XXH3 with 64 bits and a seed. The seed is the checksum of what a record belongs to, such as its
/// key, so that the record is not taken for one of another key.
package func checksum(_ bytes: ByteView, seed: UInt64) -> UInt64 {
    unsafe XXH3_64bits_withSeed(bytes.address, bytes.count, seed)
}
