package import DataStructures
package import FrameCodec
internal import ReloadModel
internal import StrictJSON

/// A session without its socket: frames in, bytes and events out.
///
/// A plain value with no clock and no thread; a driver feeds it and does what it says. It outlives
/// its connections: what the router has not confirmed is sent again over the next one.
package protocol ClientSession: Sendable {
    /// A connection is open: HELLO is due.
    mutating func connected()
    /// A whole frame has come, whose body, unless the type has a binary one, is valid JSON.
    mutating func received(_ header: FrameHeader, _ body: ByteView) throws(ClientError)
    /// The connection is gone.
    mutating func disconnected()
    /// Appends frames that are due, until `limit` bytes are reached or nothing is due.
    mutating func takeOutput(into bytes: inout [UInt8], limit: Int)
    /// Whether the router has accepted the session.
    var isEstablished: Bool { get }
}

/// Cuts what a connection brings into frames, and checks their bodies.
///
/// `~Copyable`, because the scanner's scratch memory is.
package struct FrameReader: ~Copyable {
    private var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)

    package init() {}

    /// Hands every whole frame to the session.
    ///
    /// - Returns: how many bytes were used; the rest is the beginning of a frame.
    package mutating func read(
        _ bytes: ByteView,
        into session: inout some ClientSession
    ) throws(ClientError) -> Int {
        try read(bytes, checks: Self.hasJSON) { (header, body) throws(ClientError) in
            try session.received(header, body)
        }
    }

    /// Passes every whole frame to a closure, for sessions that are no `ClientSession`.
    ///
    /// - Parameters:
    ///   - bytes: whole frames, and perhaps the beginning of another.
    ///   - checks: whether the body of a frame of this type must be valid JSON.
    ///   - take: receives each frame.
    /// - Returns: how many bytes were used.
    /// - Throws: what ends the session.
    package mutating func read(
        _ bytes: ByteView,
        checks: (FrameType) -> Bool,
        _ take: (FrameHeader, ByteView) throws(ClientError) -> Void
    ) throws(ClientError) -> Int {
        var offset = 0
        while let header = try header(bytes, offset) {
            let start = offset + FrameHeader.byteCount
            let body = bytes.slice(start, start + header.bodyCount)
            if checks(header.type) { try check(body, of: header.type) }
            try take(header, body)
            offset = start + header.bodyCount
        }
        return offset
    }

    private func header(_ bytes: ByteView, _ offset: Int) throws(ClientError) -> FrameHeader? {
        do throws(ProtocolError) {
            return try FrameHeader.decode(bytes, at: offset, maxBody: ClientLimits.frameBody)
        } catch {
            throw ClientError(error)
        }
    }

    private mutating func check(_ body: ByteView, of type: FrameType) throws(ClientError) {
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try validateJSON(body, using: &scanner)
        } catch {
            throw .protocolBroken("the body of \(type.name): \(error.message)")
        }
    }

    /// Whether the body of such a frame from the router is JSON.
    package static func hasJSON(_ type: FrameType) -> Bool {
        switch type {
        case .welcome, .reject, .reload, .scheduled, .error, .goaway: true
        case .ping, .pong, .ack, .hello, .push, .widgets, .timeline, .state, .request: false
        }
    }
}
