package import Basics
package import FrameCodec

/// The part of the protocol that publishers and devices share: HELLO and WELCOME, PING and PONG,
/// ERROR and GOAWAY.
///
///     disconnected ──connected──► awaitingWelcome ──WELCOME──► established ──GOAWAY──► goingAway
///          ▲                                                                               │
///          └───────────────────────────────── disconnected ◄───────────────────────────────┘
package struct Handshake: Sendable {
    /// The state of the connection.
    package enum Phase: Equatable, Sendable {
        case disconnected
        /// A connection is open, and HELLO is queued or sent.
        case awaitingWelcome
        case established
        /// The router drains: it answers what it has received, and accepts nothing new.
        case goingAway
    }

    /// What `received` made of a frame.
    package enum Outcome: Equatable, Sendable {
        /// The session is established; `lastSeq` is the last push that the router has accepted from
        /// this producer, and `rejected` are those that it has rejected after `acked`. It has lost
        /// the pushes `lost`, which it had answered.
        case welcome(lastSeq: UInt64, rejected: [RejectedPush], lost: ClosedRange<UInt64>?)
        /// The frame has been dealt with.
        case done
        /// The frame is for the session.
        case other
    }

    /// The state of the present connection.
    package private(set) var phase = Phase.disconnected
    /// The most unanswered frames that the router accepts.
    package private(set) var window = 1
    /// The longest body that the router accepts, in bytes.
    package private(set) var maxBody = RouterLimits().maxBody
    /// Whole frames that are sent before all others.
    private var control: [UInt8] = []
    private var hello: HelloMessage
    /// Whether each HELLO waits for `identify`.
    private let awaitsToken: Bool
    /// True while the connection's HELLO waits for `identify`.
    private var isHelloDue = false
    /// Whether the session is a gateway's.
    package var isGateway: Bool { hello.role == .gateway }

    /// Makes a handshake without a connection; every connection begins with `hello`, which may wait
    /// for `identify` and its token.
    package init(_ hello: HelloMessage, awaitsToken: Bool = false) {
        self.hello = hello
        self.awaitsToken = awaitsToken
    }

    /// Starts a connection: HELLO is queued, unless it waits for its token.
    ///
    /// - Parameter acked: the number up to which a publisher knows what became of its pushes; nil
    ///   if it does not ask for rejected ones.
    package mutating func connected(acked: UInt64? = nil) {
        precondition(phase == .disconnected, "a session has one connection at a time")
        phase = .awaitingWelcome
        hello.acked = acked
        if awaitsToken { isHelloDue = true } else { sayHello() }
    }

    /// Queues the HELLO that waits for its token; does nothing if none does, because the connection
    /// for which the token was meant is gone.
    package mutating func identify(by token: String) {
        if !isHelloDue { return }
        isHelloDue = false
        hello.token = Secret(token)
        sayHello()
    }

    private mutating func sayHello() {
        control = encodeFrame(.hello, seq: 0, body: hello.encoded) + control
    }

    /// Ends the connection and drops what was queued for it.
    package mutating func disconnected() {
        phase = .disconnected
        isHelloDue = false
        control = []
    }

    /// Checks a frame from the router, and deals with it if it is not for the session.
    package mutating func received(
        _ header: FrameHeader,
        body: ByteView
    ) throws(ClientError) -> Outcome {
        precondition(phase != .disconnected, "a frame came without a connection")
        switch header.type {
        case .error: throw try refusal(body)
        case .ping:
            control += encodeFrame(.pong, seq: header.seq)
            if control.count > ClientLimits.controlOutput {
                throw .protocolBroken("PINGs come faster than their PONGs can be sent")
            }
        case .pong: break
        case .goaway: if phase == .established { phase = .goingAway }
        case .welcome: return try welcomed(body)
        case .ack, .reject, .outcome, .reload, .scheduled, .detached, .attached:
            if phase == .awaitingWelcome {
                throw .protocolBroken("\(header.type.name) came before WELCOME")
            }
            return .other
        case .hello, .push, .widgets, .timeline, .state, .request, .attach:
            throw .protocolBroken("\(header.type.name) is not for a router to send")
        }
        return .done
    }

    /// Moves the queued HELLO and PONGs to the output.
    package mutating func takeControl(into bytes: inout [UInt8]) {
        assert(phase != .disconnected || control.isEmpty, "frames have no connection to go to")
        bytes += control
        control.removeAll(keepingCapacity: true)
    }

    private mutating func welcomed(_ body: ByteView) throws(ClientError) -> Outcome {
        guard phase == .awaitingWelcome else { throw .protocolBroken("a second WELCOME came") }
        let welcome = try ClientError.reading { () throws(ProtocolError) in
            try WelcomeMessage(reading: body)
        }
        window = welcome.window
        maxBody = welcome.maxBody
        phase = .established
        return .welcome(
            lastSeq: welcome.lastSeq ?? 0,
            rejected: welcome.rejected ?? [],
            lost: lost(welcome.behind ?? 0)
        )
    }

    /// The last `count` of the pushes that HELLO has named as answered; nil for none.
    private func lost(_ count: UInt64) -> ClosedRange<UInt64>? {
        let acked = hello.acked ?? 0
        return count == 0 || count > acked ? nil : acked - count + 1...acked
    }

    private func refusal(_ body: ByteView) throws(ClientError) -> ClientError {
        let refusal = try ClientError.reading { () throws(ProtocolError) in
            try RefusalMessage(reading: body, of: .error)
        }
        return .refused(code: refusal.code, retry: Retry(refusal.retry), message: refusal.message)
    }
}
