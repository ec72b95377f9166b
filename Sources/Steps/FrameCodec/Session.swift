public import Basics

/// What a legal frame asks of the router, which then reads the body and performs it.
@usableFromInline
package enum SessionInput: Equatable, Sendable, BitwiseCopyable {
    case hello
    case ping
    case pong
    case push
    /// A push that the producer may have sent in an earlier session: it is acknowledged, and
    /// otherwise ignored.
    case duplicatePush
    /// A push whose number may be that of one that was rejected in an earlier session.
    case perhapsRejectedPush
    case widgets
    case timeline
    case state
    case request
    case attach
}

/// The state of the protocol on one connection: it decides which frames are legal now.
///
///     awaitingHello ──HELLO accepted──► publisher | device | gateway ──► ended
///
/// A plain value without a clock or socket. Every frame goes through `received`, which checks its
/// type against the role, the order of sequence numbers and the window; it does not look at bodies.
@usableFromInline
package struct Session: Equatable, Sendable, BitwiseCopyable {
    /// The role of the peer, or the state before and after it has one.
    @usableFromInline
    package enum Phase: UInt8, Sendable, BitwiseCopyable {
        case awaitingHello
        case publisher
        case device
        case gateway
        /// The server has sent ERROR; later frames are ignored.
        case ended
    }

    /// What the session accepts now: HELLO, the frames of the peer's role, or nothing.
    @usableFromInline package internal(set) var phase = Phase.awaitingHello
    /// The highest sequence number received: from the producer, in all its sessions, if the peer is
    /// a publisher; on this connection for a device or gateway.
    @usableFromInline package internal(set) var highestSeq: UInt64 = 0
    /// The highest sequence number that is not that of an ordinary new push: the highest received,
    /// or that of the producer's last rejected push if it is higher.
    @usableFromInline package internal(set) var knownSeq: UInt64 = 0
    /// The highest sequence number that a push may repeat: that of the producer's last push when
    /// the session began.
    @usableFromInline package internal(set) var repeatableSeq: UInt64 = 0
    /// The number of frames received that neither an ACK nor a REJECT has answered yet.
    @usableFromInline package internal(set) var unacknowledged = 0

    /// Makes the state of a new connection, on which HELLO must come first.
    package init() {}

    /// Enters the role of an accepted HELLO. For a producer, `lastSeq` and `rejectedSeq` are the
    /// numbers of its highest accepted push and of its highest rejected one that is known; 0 for
    /// none.
    package mutating func accept(_ role: Peer, lastSeq: UInt64, rejectedSeq: UInt64 = 0) {
        precondition(phase == .awaitingHello, "a session has one HELLO")
        switch role {
        case .publisher: phase = .publisher
        case .device: phase = .device
        case .gateway: phase = .gateway
        case .server: preconditionFailure("the server does not say HELLO to itself")
        }
        highestSeq = lastSeq
        knownSeq = max(lastSeq, rejectedSeq)
        repeatableSeq = lastSeq
    }

    /// Lets the pushes of this session be repeated too, because each of its answers says which
    /// pushes were: the requests of a publisher over HTTP may overtake each other.
    package mutating func allowRepeats() { repeatableSeq = .max }

    /// Ends the session: no frame is legal any more.
    package mutating func end() { phase = .ended }

    /// Records that a REJECT has answered the last frame, which no longer counts as unacknowledged.
    package mutating func rejected() {
        assert(unacknowledged > 0, "a REJECT answers no frame")
        unacknowledged -= 1
    }

    /// Records that an ACK covers all frames received so far.
    package mutating func acknowledged() { unacknowledged = 0 }

    /// Checks the next frame, and updates the state if it is legal; returns what it asks for. The
    /// window is the most unacknowledged pushes; the number of a push may be at most `jump`, up to
    /// 2^63, above the one before.
    ///
    /// - Throws: `hello-expected`, `hello-invalid`, `frame-unexpected`, `frame-length`,
    ///   `seq-not-rising`, `seq-too-high` or `window-exceeded`; each ends the connection.
    @inlinable @inline(__always)
    package mutating func received(
        _ header: FrameHeader,
        window: Int,
        jump: UInt64
    ) throws(ProtocolError) -> SessionInput {
        if phase == .publisher && header.type == .push {
            unacknowledged += 1
            // A number that is not above the last one is as far above it as can be.
            if unacknowledged <= window && header.seq &- knownSeq &- 1 < jump
                && header.seq <= RouterLimits.numberLimit
            {
                highestSeq = header.seq
                knownSeq = header.seq
                return .push
            }
            return try receivedUnusual(header.seq, window: window, jump: jump)
        }
        return try receivedOther(header)
    }

    /// Judges a push that is not an ordinary new one of a legal number.
    @usableFromInline @inline(never)
    mutating func receivedUnusual(
        _ seq: UInt64,
        window: Int,
        jump: UInt64
    ) throws(ProtocolError) -> SessionInput {
        if unacknowledged > window {
            throw ProtocolError(
                .windowExceeded,
                message: "push \(seq) makes more than \(window) unacknowledged"
            )
        }
        if seq == 0 {
            throw ProtocolError(.seqNotRising, message: "a push has seq 0; the first one is 1")
        }
        if seq > highestSeq {
            if seq > knownSeq { throw tooHigh(seq, of: .push, jump: jump) }
            highestSeq = seq
            return .perhapsRejectedPush
        }
        if seq <= repeatableSeq { return .duplicatePush }
        throw ProtocolError(
            .seqNotRising,
            message: "push \(seq) comes after \(highestSeq); only those up to \(repeatableSeq), "
                + "the lastSeq of WELCOME, may come again"
        )
    }

    /// The error for a sequence number that is too high.
    private func tooHigh(_ seq: UInt64, of type: FrameType, jump: UInt64 = .max) -> ProtocolError {
        let reason =
            seq > RouterLimits.numberLimit
            ? "the highest is \(RouterLimits.numberLimit)"
            : "that is more than \(jump) above \(knownSeq), the last one"
        return ProtocolError(.seqTooHigh, message: "\(type.name) has seq \(seq); \(reason)")
    }

    /// Checks any frame that is not a push of a publisher.
    @usableFromInline @inline(never)
    mutating func receivedOther(_ header: FrameHeader) throws(ProtocolError) -> SessionInput {
        switch phase {
        case .publisher: break
        case .device, .gateway: if let input = try receivedFromDevice(header) { return input }
        case .awaitingHello: return try receivedFirst(header)
        case .ended: throw ProtocolError(.frameUnexpected, message: "the session has ended")
        }
        switch header.type {
        case .ping: return try empty(header, as: .ping)
        case .pong: return try empty(header, as: .pong)
        case .hello, .welcome, .push, .ack, .reject, .outcome, .widgets, .timeline, .state,
            .request, .attach, .reload, .scheduled, .detached, .attached, .error, .goaway:
            throw ProtocolError(
                .frameUnexpected,
                message: "\(header.type.name) is not for a \(phase) to send"
            )
        }
    }

    /// Checks a frame that only devices and gateways send; nil for any other type.
    private mutating func receivedFromDevice(
        _ header: FrameHeader
    ) throws(ProtocolError) -> SessionInput? {
        let input: SessionInput
        switch header.type {
        case .widgets: input = .widgets
        case .timeline: input = .timeline
        case .state: input = .state
        case .request: input = .request
        case .attach:
            if phase != .gateway { return nil }
            input = .attach
        case .hello, .welcome, .ping, .pong, .push, .ack, .reject, .outcome, .reload, .scheduled,
            .detached, .attached, .error, .goaway:
            return nil
        }
        if header.seq <= highestSeq {
            throw ProtocolError(
                .seqNotRising,
                message:
                    "\(header.type.name) has seq \(header.seq) after \(highestSeq); it must rise"
            )
        }
        if header.seq > RouterLimits.numberLimit { throw tooHigh(header.seq, of: header.type) }
        highestSeq = header.seq
        unacknowledged += 1
        return input
    }

    /// Checks the first frame of a connection, which must be HELLO.
    private func receivedFirst(_ header: FrameHeader) throws(ProtocolError) -> SessionInput {
        guard header.type == .hello else {
            throw ProtocolError(
                .helloExpected,
                message: "the first frame is \(header.type.name); it must be HELLO"
            )
        }
        if header.seq != 0 {
            throw ProtocolError(.helloInvalid, message: "HELLO has seq \(header.seq); it must be 0")
        }
        return .hello
    }

    /// Checks that a frame has no body.
    private func empty(
        _ header: FrameHeader,
        as input: SessionInput
    ) throws(ProtocolError) -> SessionInput {
        if header.bodyCount != 0 {
            throw ProtocolError(
                .frameLength,
                message:
                    "\(header.type.name) has a body of \(header.bodyCount) bytes; it must be empty"
            )
        }
        return input
    }
}
