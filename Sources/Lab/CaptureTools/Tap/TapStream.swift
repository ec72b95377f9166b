internal import DataStructures
internal import FrameCodec
internal import ReloadModel

/// The frames of one direction of a connection, as they come in pieces.
struct TapStream {
    /// The beginning of a frame.
    private var rest: [UInt8] = []

    /// The longest body: no router takes longer ones.
    static var bodyLimit: Int { 1 << 20 }

    /// Takes what has come and hands out the frames that are whole.
    ///
    /// - Throws: if there is no frame where one must be.
    mutating func take(
        _ bytes: ByteView,
        _ body: (FrameHeader, ByteView) -> Void
    ) throws(ProtocolError) {
        if rest.isEmpty {
            let used = try Self.parse(bytes, body)
            rest = bytes.slice(used, bytes.count).array
            return
        }
        rest += bytes.array
        let used = try rest.withByteView { (view) throws(ProtocolError) in
            try Self.parse(view, body)
        }
        rest.removeFirst(used)
    }

    private static func parse(
        _ bytes: ByteView,
        _ body: (FrameHeader, ByteView) -> Void
    ) throws(ProtocolError) -> Int {
        var offset = 0
        while let header = try FrameHeader.decode(bytes, at: offset, maxBody: bodyLimit) {
            let start = offset + FrameHeader.byteCount
            offset = start + header.bodyCount
            body(header, bytes.slice(start, offset))
        }
        return offset
    }
}
