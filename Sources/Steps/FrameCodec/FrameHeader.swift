public import Basics

/// A frame's header, decoded.
///
///      0               4   5   6       8                              16
///     ┌───────────────┬───┬───┬───────┬──────────────────────────────┬──────────────
///     │ length        │ty.│fl.│ zero  │ seq                          │ body …
///     └───────────────┴───┴───┴───────┴──────────────────────────────┴──────────────
///       12 + body bytes, all integers big-endian
@usableFromInline
package struct FrameHeader: Equatable, Sendable, BitwiseCopyable {
    /// What kind of message the frame is.
    @usableFromInline package var type: FrameType
    /// The flag bits; `FrameType.knownFlags` has those that are legal.
    @usableFromInline package var flags: UInt8
    /// The sequence number; its meaning depends on the type.
    @usableFromInline package var seq: UInt64
    /// The length of the body, in bytes.
    @usableFromInline package var bodyCount: Int

    /// The length of the header, in bytes.
    @inlinable package static var byteCount: Int { 16 }
    /// The bytes of the header that `length` counts besides the body.
    @inlinable package static var lengthOverhead: Int { 12 }

    /// Makes a header from its fields; `bodyCount` is in bytes.
    @inlinable @inline(__always)
    package init(type: FrameType, flags: UInt8 = 0, seq: UInt64, bodyCount: Int) {
        assert(bodyCount >= 0)
        self.type = type
        self.flags = flags
        self.seq = seq
        self.bodyCount = bodyCount
    }

    /// Decodes the header at `offset`, which must be in the view or at its end; nil if the frame is
    /// not complete yet.
    ///
    /// The length is checked as soon as its four bytes have arrived, so that no peer can keep a
    /// connection waiting for a frame that would be refused anyway.
    ///
    /// - Throws: `frame-length`, `frame-type`, `frame-reserved` or `frame-flags`.
    @inlinable @inline(__always)
    package static func decode(
        _ bytes: ByteView,
        at offset: Int,
        maxBody: Int
    ) throws(ProtocolError) -> FrameHeader? {
        let rest = bytes.slice(offset, to: bytes.count)
        if rest.count < 4 { return nil }
        let bodyCount = Int(rest.bigEndian(UInt32.self, at: 0)) - lengthOverhead
        if bodyCount < 0 || bodyCount > maxBody {
            throw badLength(bodyCount + lengthOverhead, maxBody: maxBody)
        }
        if rest.count < byteCount { return nil }
        let word = rest.bigEndian(UInt32.self, at: 4)
        let flags = UInt8(truncatingIfNeeded: word >> 16)
        guard let type = FrameType(byte: UInt8(word >> 24)), word & 0xffff == 0,
            flags & ~type.knownFlags == 0
        else { throw badHeader(word) }
        if rest.count - byteCount < bodyCount { return nil }
        return FrameHeader(
            type: type,
            flags: flags,
            seq: rest.bigEndian(UInt64.self, at: 8),
            bodyCount: bodyCount
        )
    }

    /// The length in bytes of a frame that this version does not know and a client passes over: its
    /// type is 0x40 or above, and no type of the protocol. Nothing else of such a frame is judged
    /// but its length. Types below 0x40 are never passed over, because a router sends a new one
    /// only to clients that ask for it. Returns the length, which may be more than what there is of
    /// the frame; nil if no such frame begins at `offset`.
    ///
    /// - Throws: `frame-length`.
    @inlinable
    package static func ignoredCount(
        _ bytes: ByteView,
        at offset: Int,
        maxBody: Int
    ) throws(ProtocolError) -> Int? {
        let rest = bytes.slice(offset, to: bytes.count)
        if rest.count < 5 || rest[4] < FrameType.firstIgnored { return nil }
        if FrameType(rawValue: rest[4]) != nil { return nil }
        let length = Int(rest.bigEndian(UInt32.self, at: 0))
        if length < lengthOverhead || length - lengthOverhead > maxBody {
            throw badLength(length, maxBody: maxBody)
        }
        return byteCount - lengthOverhead + length
    }

    /// The error for the second word of a header, which is known to be wrong.
    @usableFromInline @inline(never)
    static func badHeader(_ word: UInt32) -> ProtocolError {
        let number = UInt8(word >> 24)
        guard let type = FrameType(rawValue: number) else {
            return ProtocolError(
                .frameType,
                message: "type 0x\(number.hexadecimal) is not a frame type of version 1"
            )
        }
        if word & 0xffff != 0 {
            return ProtocolError(
                .frameReserved,
                message: "bytes 6 and 7 of the \(type.name) frame are reserved and not zero"
            )
        }
        let unknown = UInt8(truncatingIfNeeded: word >> 16) & ~type.knownFlags
        return ProtocolError(
            .frameFlags,
            message: "flag bits 0x\(unknown.hexadecimal) mean nothing on \(type.name)"
        )
    }

    /// Writes the sixteen bytes of the header.
    @unsafe
    package func write(to pointer: UnsafeMutableRawPointer) {
        assert(bodyCount <= Int(UInt32.max) - 12, "a length of 32 bits cannot say this")
        let length = UInt32(truncatingIfNeeded: bodyCount + 12)
        unsafe pointer.storeBytes(of: length.bigEndian, as: UInt32.self)
        let word = UInt32(type.rawValue) << 24 | UInt32(flags) << 16
        unsafe pointer.storeBytes(of: word.bigEndian, toByteOffset: 4, as: UInt32.self)
        unsafe pointer.storeBytes(of: seq.bigEndian, toByteOffset: 8, as: UInt64.self)
    }

    /// The error for a length that is out of range.
    @usableFromInline @inline(never)
    static func badLength(_ length: Int, maxBody: Int) -> ProtocolError {
        let problem =
            length < lengthOverhead
            ? "is under 12, the bytes of the header behind it"
            : "announces a body of \(length - lengthOverhead) bytes; the largest is \(maxBody)"
        return ProtocolError(.frameLength, message: "length \(length) \(problem)")
    }
}

/// A complete frame as an array, for infrequent frames: frequent ones are encoded directly into
/// output memory.
package func encodeFrame(
    _ type: FrameType,
    flags: UInt8 = 0,
    seq: UInt64,
    body: [UInt8] = []
) -> [UInt8] {
    let header = FrameHeader(type: type, flags: flags, seq: seq, bodyCount: body.count)
    return unsafe [UInt8](unsafeUninitializedCapacity: FrameHeader.byteCount + body.count) {
        (buffer, count) in
        unsafe header.write(to: UnsafeMutableRawPointer(buffer.baseAddress!))
        for index in 0..<body.count { unsafe buffer[FrameHeader.byteCount + index] = body[index] }
        count = FrameHeader.byteCount + body.count
    }
}
