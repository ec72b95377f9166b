internal import Basics
internal import FrameCodec

/// Reused memory for the identifiers of a frame that are written with escapes in its JSON.
///
/// Such identifiers are rare. Others are views of the frame itself. Those with escapes are decoded
/// into four buffers in turn, because at most three identifiers of a frame are needed at a time.
@safe
struct IdentifierScratch: ~Copyable {
    private static var bufferCount: Int { 4 }
    /// The size of a buffer: more than the longest identifier, and than the longest push token.
    private static var bufferBytes: Int { RouterLimits.pushTokenBytes }

    private let memory = UnsafeMutableRawPointer.allocate(
        byteCount: bufferCount * bufferBytes,
        alignment: 8
    )
    /// The index of the buffer that is used next.
    private var next = 0
    /// Whether identifiers come from a log, perhaps of an older version; see `checkIdentifier`.
    var isStored = false

    deinit { unsafe memory.deallocate() }

    /// Decodes and checks an identifier of a frame; the bytes are valid until four others have been
    /// decoded. An error says what it identifies.
    ///
    /// - Throws: `identifier-invalid`.
    mutating func identifier(_ text: JSONText, of what: String) throws(ProtocolError) -> ByteView {
        let view = decode(text)
        try checkIdentifier(view, of: what, isStored: isStored)
        return view
    }

    /// Decodes a text; one that is far too long is cut to a length that checks still refuse.
    mutating func decode(_ text: JSONText) -> ByteView {
        if !text.hasEscapes { return text.raw }
        var decoded: [UInt8] = []
        text.decoded(into: &decoded)
        let count = min(decoded.count, Self.bufferBytes)
        let buffer = unsafe memory + next * Self.bufferBytes
        for offset in 0..<count {
            unsafe buffer.storeBytes(of: decoded[offset], toByteOffset: offset, as: UInt8.self)
        }
        next = (next + 1) % Self.bufferCount
        return unsafe ByteView(base: buffer, count: count)
    }
}
