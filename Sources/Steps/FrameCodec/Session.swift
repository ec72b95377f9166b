public import ReloadModel

/// What a legal frame asks for; the driver reads the body and does it.
@usableFromInline
package enum SessionInput: Equatable, Sendable, BitwiseCopyable {
    case hello
    case ping
    case pong
    case push
    /// A push that the producer has sent before: acknowledge it, and do nothing.
    case duplicatePush
    case acknowledgement
    case widgets
    case timeline
    case state
    case request
}

/// The protocol's view of one connection: which frames are legal now.
///
///     awaitingHello ──HELLO accepted──► publisher | device | gateway ──► ended
///
/// A plain value with no clock and no socket. Every frame goes through `received`, which checks
/// type against role, the sequence rule and the window; what the body says is not its business.
@usableFromInline
package struct Session: Equatable, Sendable, BitwiseCopyable {
    @usableFromInline
    package enum Phase: UInt8, Sendable, BitwiseCopyable {
        case awaitingHello
        case publisher
        case device
        case gateway
        /// The server has sent ERROR: whatever else arrives is not looked at.
        case ended
    }

    @usableFromInline package internal(set) var phase = Phase.awaitingHello
    /// The highest sequence number seen: of the producer (publisher) or this connection (others).
    @usableFromInline package internal(set) var highestSeq: UInt64 = 0
    /// Frames received that no ACK has covered yet.
    @usableFromInline package internal(set) var unacknowledged = 0

    package init() {}

    /// Enters the role that HELLO asked for.
    ///
    /// - Parameters:
    ///   - role: what HELLO asked for.
    ///   - lastSeq: the producer's highest accepted push; 0 for other roles.
    package mutating func accept(_ role: Peer, lastSeq: UInt64) {
        precondition(phase == .awaitingHello, "a session has one HELLO")
        switch role {
        case .publisher: phase = .publisher
        case .device: phase = .device
        case .gateway: phase = .gateway
        case .server: preconditionFailure("the server does not say HELLO to itself")
        }
        highestSeq = lastSeq
    }

    /// No frame is legal any more.
    package mutating func end() {
        phase = .ended
    }

    /// The last frame has been answered by a REJECT: it no longer counts as unacknowledged.
    package mutating func rejected() {
        unacknowledged -= 1
    }

    /// An ACK that covers everything received so far is on its way.
    package mutating func acknowledged() {
        unacknowledged = 0
    }

    /// Judges the next frame.
    ///
    /// - Throws: `hello-expected`, `frame-unexpected`, `frame-length`, `seq-not-rising` or
    ///   `window-exceeded`; each ends the connection.
    @inlinable @inline(__always)
    package mutating func received(
        _ header: FrameHeader,
        window: Int
    ) throws(ProtocolError) -> SessionInput {
        if phase == .publisher && header.type == .push {
            unacknowledged += 1
            if unacknowledged <= window && header.seq > highestSeq {
                highestSeq = header.seq
                return .push
            }
            if unacknowledged <= window && header.seq != 0 { return .duplicatePush }
            throw pushError(header.seq, window: window)
        }
        return try receivedOther(header)
    }

    /// Says what is wrong with a push.
    @usableFromInline @inline(never)
    func pushError(_ seq: UInt64, window: Int) -> ProtocolError {
        if unacknowledged > window {
            return ProtocolError(
                .windowExceeded,
                "push \(seq) makes more than \(window) unacknowledged"
            )
        }
        return ProtocolError(.seqNotRising, "a push has seq 0; the first one is 1")
    }

    @usableFromInline @inline(never)
    mutating func receivedOther(_ header: FrameHeader) throws(ProtocolError) -> SessionInput {
        switch phase {
        case .publisher:
            break
        case .device, .gateway:
            if let input = try receivedFromDevice(header) { return input }
        case .awaitingHello:
            return try receivedFirst(header)
        case .ended:
            throw ProtocolError(.frameUnexpected, "the session has ended")
        }
        switch header.type {
        case .ping: return try empty(header, .ping)
        case .pong: return try empty(header, .pong)
        case .hello, .welcome, .push, .ack, .reject, .widgets, .timeline, .state, .request,
            .reload, .scheduled, .error, .goaway:
            throw ProtocolError(
                .frameUnexpected,
                "\(header.type.name) is not for a \(phase) to send"
            )
        }
    }

    private mutating func receivedFromDevice(
        _ header: FrameHeader
    ) throws(ProtocolError) -> SessionInput? {
        let input: SessionInput
        switch header.type {
        case .widgets: input = .widgets
        case .timeline: input = .timeline
        case .state: input = .state
        case .request: input = .request
        case .ack: return try empty(header, .acknowledgement)
        case .hello, .welcome, .ping, .pong, .push, .reject, .reload, .scheduled, .error, .goaway:
            return nil
        }
        if header.seq <= highestSeq {
            throw ProtocolError(
                .seqNotRising,
                "\(header.type.name) has seq \(header.seq) after \(highestSeq); it must rise"
            )
        }
        highestSeq = header.seq
        unacknowledged += 1
        return input
    }

    private func receivedFirst(_ header: FrameHeader) throws(ProtocolError) -> SessionInput {
        guard header.type == .hello else {
            throw ProtocolError(
                .helloExpected,
                "the first frame is \(header.type.name); it must be HELLO"
            )
        }
        if header.seq != 0 {
            throw ProtocolError(.helloInvalid, "HELLO has seq \(header.seq); it must be 0")
        }
        return .hello
    }

    private func empty(
        _ header: FrameHeader,
        _ input: SessionInput
    ) throws(ProtocolError) -> SessionInput {
        if header.bodyCount != 0 {
            throw ProtocolError(
                .frameLength,
                "\(header.type.name) has a body of \(header.bodyCount) bytes; it must be empty"
            )
        }
        return input
    }
}
