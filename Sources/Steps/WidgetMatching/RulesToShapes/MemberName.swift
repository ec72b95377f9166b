internal import Basics

/// The name of a payload's member, prepared for lookup: its first and last eight bytes and its
/// length. For names of up to 16 bytes these are the whole name.
struct MemberName {
    let bytes: ByteView
    /// The first eight bytes, filled with zeros if the name is shorter.
    let first: UInt64
    /// The last eight bytes; 0 for a name of up to eight bytes.
    let last: UInt64

    @inline(__always)
    init(_ bytes: ByteView) {
        self.bytes = bytes
        first = bytes.prefixWord
        last = bytes.count > 8 ? bytes.word(at: bytes.count - 8) : 0
    }

    /// The name's bit, one of 64, chosen by a hash of its beginning and length. Names with
    /// different bits differ.
    @inline(__always)
    var filterBit: UInt64 {
        let mixed = (first ^ UInt64(truncatingIfNeeded: bytes.count)) &* 0x9e37_79b9_7f4a_7c15
        return 1 << (mixed >> 58)
    }
}
