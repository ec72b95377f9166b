package import ByteStorage
package import ReloadModel

/// A frame's header, decoded.
///
///      0               4   5   6       8                              16
///     ┌───────────────┬───┬───┬───────┬──────────────────────────────┬──────────────
///     │ length        │ty.│fl.│ zero  │ seq                          │ body …
///     └───────────────┴───┴───┴───────┴──────────────────────────────┴──────────────
///       12 + body bytes, all integers big-endian

package struct FrameHeader: Equatable, Sendable, BitwiseCopyable {
    package var type: FrameType
    package var flags: UInt8
    package var seq: UInt64
    package var bodyCount: Int

    /// Bytes before the body.
    package static var byteCount: Int { 16 }
    /// The part of the header that `length` counts.
    package static var lengthOverhead: Int { 12 }

    package init(type: FrameType, flags: UInt8 = 0, seq: UInt64, bodyCount: Int) {
        self.type = type
        self.flags = flags
        self.seq = seq
        self.bodyCount = bodyCount
    }

    /// Reads the header at `offset`, or returns nil if the whole frame is not there yet.
    ///
    /// The length is judged as soon as its four bytes are there, so that nobody can make a
    /// connection wait for a frame that would be refused anyway.
    ///
    /// - Throws: `frame-length`, `frame-type`, `frame-reserved` or `frame-flags`.
    package static func decode(
        _ bytes: ByteView, at offset: Int, maxBody: Int
    ) throws(ProtocolError) -> FrameHeader? {
        let available = bytes.count - offset
        if available < 4 { return nil }
        let length = Int(bytes.bigEndian(UInt32.self, at: offset))
        if length < lengthOverhead || length > lengthOverhead + maxBody {
            throw badLength(length, maxBody: maxBody)
        }
        if available < byteCount { return nil }
        guard let type = FrameType(rawValue: bytes[offset + 4]) else {
            throw ProtocolError(
                .frameType, "type \(hex(bytes[offset + 4])) is not a frame type of version 1")
        }
        let flags = bytes[offset + 5]
        if bytes.bigEndian(UInt16.self, at: offset + 6) != 0 {
            throw ProtocolError(
                .frameReserved, "bytes 6 and 7 of the \(type.name) frame are reserved and not zero")
        }
        if flags & ~type.knownFlags != 0 {
            throw ProtocolError(
                .frameFlags,
                "flag bits \(hex(flags & ~type.knownFlags)) mean nothing on \(type.name)")
        }
        if available - 4 < length { return nil }
        return FrameHeader(
            type: type, flags: flags, seq: bytes.bigEndian(UInt64.self, at: offset + 8),
            bodyCount: length - lengthOverhead)
    }

    /// Writes the sixteen bytes of the header.
    @unsafe
    package func write(to pointer: UnsafeMutableRawPointer) {
        let length = UInt32(truncatingIfNeeded: bodyCount + 12)
        unsafe pointer.storeBytes(of: length.bigEndian, as: UInt32.self)
        let word = UInt32(type.rawValue) << 24 | UInt32(flags) << 16
        unsafe pointer.storeBytes(of: word.bigEndian, toByteOffset: 4, as: UInt32.self)
        unsafe pointer.storeBytes(of: seq.bigEndian, toByteOffset: 8, as: UInt64.self)
    }

    @inline(never)
    private static func badLength(_ length: Int, maxBody: Int) -> ProtocolError {
        if length < lengthOverhead {
            return ProtocolError(
                .frameLength, "length \(length) is under 12, the bytes of the header behind it")
        }
        return ProtocolError(
            .frameLength,
            "length \(length) announces a body of \(length - lengthOverhead) bytes; the largest "
                + "is \(maxBody)")
    }
}

@inline(never)
func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return "0x" + (digits.count == 1 ? "0" : "") + digits
}

/// A whole frame as bytes, for the rare ones: hot frames are written straight into output memory.
package func encodeFrame(
    _ type: FrameType, flags: UInt8 = 0, seq: UInt64, body: [UInt8] = []
) -> [UInt8] {
    let header = FrameHeader(type: type, flags: flags, seq: seq, bodyCount: body.count)
    return unsafe [UInt8](unsafeUninitializedCapacity: FrameHeader.byteCount + body.count) {
        (buffer, count) in
        unsafe header.write(to: UnsafeMutableRawPointer(buffer.baseAddress!))
        for index in 0..<body.count {
            unsafe buffer[FrameHeader.byteCount + index] = body[index]
        }
        count = FrameHeader.byteCount + body.count
    }
}
