package import Basics
package import FrameCodec

/// The protocol logic of a client without its socket: frames go in, bytes and events come out.
///
/// A session is a plain value without clock or thread; a driver feeds it and performs what it asks
/// for. It outlives its connections: what the router has not confirmed is sent again over the next
/// one.
package protocol ClientSession: Sendable {
    /// A connection is open: the next output begins with HELLO, unless that waits for `identify`.
    mutating func connected()
    /// The token for which the connection's HELLO waits; ignored if none does.
    mutating func identify(by token: String)
    /// A whole frame was received. Its body is valid JSON, unless the type has a binary body.
    mutating func received(_ header: FrameHeader, body: ByteView) throws(ClientError)
    /// The connection is gone.
    mutating func disconnected()
    /// Appends frames that are due, until `bytes` has at least `limit` bytes or nothing is due.
    mutating func takeOutput(into bytes: inout [UInt8], limit: Int)
    /// Whether the router has accepted the session.
    var isEstablished: Bool { get }
}

/// Splits the bytes of a connection into frames, and checks that their bodies are valid JSON.
/// Frames of a newer router that this version need not know are passed over.
///
/// `~Copyable`, because the scanner's scratch memory is.
package struct FrameReader: ~Copyable {
    private var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)

    /// Makes a reader; one serves all connections of a session.
    package init() {}

    /// Passes every whole frame to the session. Returns how many bytes were consumed; the rest is
    /// the beginning of a frame.
    package mutating func read(
        _ bytes: ByteView,
        into session: inout some ClientSession
    ) throws(ClientError) -> Int {
        try read(bytes, checks: Self.hasJSON) { (header, body) throws(ClientError) in
            try session.received(header, body: body)
        }
    }

    /// Passes every whole frame to a closure, for sessions that are not a `ClientSession`; `checks`
    /// says whether the body of a frame of a type must be valid JSON. Returns how many bytes were
    /// consumed.
    package mutating func read(
        _ bytes: ByteView,
        checks: (FrameType) -> Bool,
        take: (FrameHeader, ByteView) throws(ClientError) -> Void
    ) throws(ClientError) -> Int {
        var offset = 0
        while let header = try nextHeader(bytes, at: &offset) {
            let start = offset + FrameHeader.byteCount
            let body = bytes.slice(start, to: start + header.bodyCount)
            if checks(header.type) { try check(body, of: header.type) }
            try take(header, body)
            offset = start + header.bodyCount
        }
        return offset
    }

    /// The header of the next whole frame that is not passed over; nil if there is none yet.
    private func nextHeader(
        _ bytes: ByteView,
        at offset: inout Int
    ) throws(ClientError) -> FrameHeader? {
        let most = ClientLimits.frameBody
        return try ClientError.reading { () throws(ProtocolError) in
            while let ignored = try FrameHeader.ignoredCount(bytes, at: offset, maxBody: most) {
                if ignored > bytes.count - offset { return nil }
                offset += ignored
            }
            return try FrameHeader.decode(bytes, at: offset, maxBody: most)
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

    /// Whether a frame of this type, sent by the router, has a JSON body.
    package static func hasJSON(_ type: FrameType) -> Bool {
        switch type {
        case .welcome, .reject, .outcome, .reload, .scheduled, .detached, .attached, .error,
            .goaway:
            true
        case .ping, .pong, .ack, .hello, .push, .widgets, .timeline, .state, .request, .attach:
            false
        }
    }
}
