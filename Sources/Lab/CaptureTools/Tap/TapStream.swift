internal import DataStructures
internal import FrameCodec
internal import ReloadModel

/// Splits one direction of a connection into frames.
struct TapStream {
    /// The beginning of a frame whose rest has not arrived.
    private var rest: [UInt8] = []

    /// The longest body, in bytes: no router accepts a longer one.
    static var bodyLimit: Int { 1 << 20 }

    /// Appends received bytes, and calls `body` with each frame that is complete.
    ///
    /// - Throws: `ProtocolError` if the bytes are no frames.
    mutating func take(
        _ bytes: ByteView,
        body: (FrameHeader, ByteView) -> Void
    ) throws(ProtocolError) {
        if rest.isEmpty {
            let used = try Self.parse(bytes, body: body)
            rest = bytes.slice(used, to: bytes.count).array
            return
        }
        rest += bytes.array
        let used = try rest.withByteView { (view) throws(ProtocolError) in
            try Self.parse(view, body: body)
        }
        rest.removeFirst(used)
        assert(
            rest.count < FrameHeader.byteCount + Self.bodyLimit,
            "a frame is complete, and was not consumed"
        )
    }

    private static func parse(
        _ bytes: ByteView,
        body: (FrameHeader, ByteView) -> Void
    ) throws(ProtocolError) -> Int {
        var offset = 0
        while let header = try FrameHeader.decode(bytes, at: offset, maxBody: bodyLimit) {
            let start = offset + FrameHeader.byteCount
            offset = start + header.bodyCount
            body(header, bytes.slice(start, to: offset))
        }
        return offset
    }
}
