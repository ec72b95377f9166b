public import Basics

/// Steps through valid UTF-8 scalar by scalar. In invalid text, it may read beyond the text's end,
/// which traps.
@usableFromInline
enum UTF8Text {
    /// Returns the scalar at `offset`, and advances `offset` past it.
    @inlinable @inline(__always)
    static func next(_ text: ByteView, at offset: inout Int) -> UInt32 {
        let lead = UInt32(text[offset])
        if lead < 0x80 {
            offset &+= 1
            return lead
        }
        return longScalar(lead, of: text, at: &offset)
    }

    /// Returns a scalar of two to four bytes, whose first byte is `lead`.
    @inlinable
    static func longScalar(_ lead: UInt32, of text: ByteView, at offset: inout Int) -> UInt32 {
        let second = UInt32(text[offset &+ 1]) & 0x3f
        if lead < 0xe0 {
            offset &+= 2
            return (lead & 0x1f) << 6 | second
        }
        let third = UInt32(text[offset &+ 2]) & 0x3f
        if lead < 0xf0 {
            offset &+= 3
            return (lead & 0x0f) << 12 | second << 6 | third
        }
        let fourth = UInt32(text[offset &+ 3]) & 0x3f
        offset &+= 4
        return (lead & 0x07) << 18 | second << 12 | third << 6 | fourth
    }

    /// Returns the scalar that ends before `end`, and moves `end` to its first byte.
    @inlinable @inline(__always)
    static func previous(_ text: ByteView, before end: inout Int) -> UInt32 {
        end &-= 1
        while text[end] & 0xc0 == 0x80 { end &-= 1 }
        var offset = end
        return next(text, at: &offset)
    }

    /// Writes a scalar at offset `count`, and advances `count` past it.
    @inlinable
    static func write(_ scalar: UInt32, to buffer: UnsafeMutableRawPointer, at count: inout Int) {
        let tail = { (shift: UInt32) in UInt8(truncatingIfNeeded: scalar >> shift & 0x3f | 0x80) }
        let length = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
        let end = unsafe buffer + count
        switch length {
        case 1: unsafe end.storeBytes(of: UInt8(truncatingIfNeeded: scalar), as: UInt8.self)
        case 2: unsafe end.storeBytes(of: UInt8(scalar >> 6 | 0xc0), as: UInt8.self)
        case 3:
            unsafe end.storeBytes(of: UInt8(scalar >> 12 | 0xe0), as: UInt8.self)
            unsafe end.storeBytes(of: tail(6), toByteOffset: 1, as: UInt8.self)
        default:
            unsafe end.storeBytes(of: UInt8(scalar >> 18 | 0xf0), as: UInt8.self)
            unsafe end.storeBytes(of: tail(12), toByteOffset: 1, as: UInt8.self)
            unsafe end.storeBytes(of: tail(6), toByteOffset: 2, as: UInt8.self)
        }
        if length > 1 {
            unsafe end.storeBytes(of: tail(0), toByteOffset: length - 1, as: UInt8.self)
        }
        count &+= length
    }
}
