internal import DataStructures

/// The name of a payload's member, in the form in which it is looked up: its first and last eight
/// bytes and its length, which are all that a name of up to sixteen bytes has.
struct MemberName {
    let bytes: ByteView
    let first: UInt64
    /// Zero for a name of up to eight bytes.
    let last: UInt64

    @inline(__always)
    init(_ bytes: ByteView) {
        self.bytes = bytes
        first = bytes.prefixWord
        last = bytes.count > 8 ? bytes.word(at: bytes.count - 8) : 0
    }

    /// One of 64 bits: names that have different ones are different.
    @inline(__always)
    var filterBit: UInt64 {
        let mixed = (first ^ UInt64(truncatingIfNeeded: bytes.count)) &* 0x9e37_79b9_7f4a_7c15
        return 1 << (mixed >> 58)
    }

    /// Whether it is that of the payload's own member which narrows a push.
    @inline(__always)
    var isKinds: Bool { bytes.count == 5 && first == 0x73_646e_696b }
}
