internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON

/// Memory for the few identifiers of one frame that were written with escapes.
///
/// Almost none are: those are views of the frame itself. The others are decoded into one of a few
/// buffers, used in turn; a frame has at most three identifiers in hand at a time.
@safe
struct IdentifierScratch: ~Copyable {
    private static var bufferCount: Int { 4 }
    private static var bufferBytes: Int { RouterLimits.pushTokenBytes }

    private let memory = UnsafeMutableRawPointer.allocate(
        byteCount: bufferCount * bufferBytes,
        alignment: 8
    )
    private var next = 0
    /// Whether what is checked was taken in before, perhaps by an older version.
    var isStored = false

    deinit {
        unsafe memory.deallocate()
    }

    /// The identifier's bytes, valid until four others have been decoded.
    ///
    /// - Throws: `identifier-invalid`.
    mutating func identifier(
        _ text: JSONText,
        _ what: String
    ) throws(ProtocolError) -> ByteView {
        let view = decode(text)
        try checkIdentifier(view, what, isStored: isStored)
        return view
    }

    /// The text's bytes; of one that is far too long only so many that the check will refuse it.
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
