package import Basics
package import FrameCodec

/// What a publisher's session reports to its driver.
package enum PublisherEvent: Equatable, Sendable {
    /// The router has refused a push.
    case rejected(Rejection)
    /// The router has lost pushes that it had answered; they are not here any more, either.
    case lost(ClosedRange<UInt64>)
    /// What became of a push.
    case outcome(PushOutcome)
    /// An operator has paused the app, so that its pushes wait, or resumed it.
    case paused(Bool)
}

/// A publisher's session: numbers pushes, keeps them until the router has acknowledged them, and
/// after a reconnect sends again those above the router's `lastSeq`.
///
/// The router ignores a push that it has seen before, so each push takes effect once although it
/// may be sent more than once.
package struct PublisherSession: ClientSession {
    /// Events since the last `takeEvents`.
    private var events: [PublisherEvent] = []
    private var handshake: Handshake
    /// Pushes without an ACK, with their frames.
    private var unsettled = ResendBuffer()
    /// The number of the first push that was not sent over this connection.
    private var nextToSend: UInt64 = 1
    /// The last push that the router is known to know: the last answered one, or, if it has lost
    /// some since, the last one that it had then.
    private var knownThrough: UInt64 = 0
    /// Pushes sent over this connection that are neither accepted nor rejected.
    private var inFlight = 0
    private let limits: ClientLimits
    /// Counters since the session was made.
    package private(set) var statistics = PublisherStatistics()

    /// Makes a session without a connection; every connection begins with `hello`, which may wait
    /// for `identify`.
    package init(
        _ hello: HelloMessage,
        awaitsToken: Bool = false,
        limits: ClientLimits = ClientLimits()
    ) {
        handshake = Handshake(hello, awaitsToken: awaitsToken)
        self.limits = limits
    }

    /// Whether the router has accepted the session, and does not drain.
    package var isEstablished: Bool { handshake.phase == .established }
    /// The number of the newest push; 0 before the first.
    package var lastSeq: UInt64 { unsettled.nextSeq - 1 }
    /// All pushes up to this number are settled.
    package var settledThrough: UInt64 { unsettled.firstSeq - 1 }

    /// Whether `push` would accept another push.
    package var hasRoom: Bool {
        unsettled.waitingCount < min(handshake.window, limits.unacknowledgedPushes)
            && unsettled.byteCount < limits.unacknowledgedBytes
    }

    /// Numbers a push and queues it, as `Publisher.push` says. Returns its number; nil if there is
    /// no capacity now. Throws `tooLong`, or `bodyInvalid` for names of kinds that cannot be sent.
    package mutating func push(
        _ payload: [UInt8],
        urgent: Bool = false,
        expiresAt: WallTime? = nil,
        kinds: [String]? = nil
    ) throws(ClientError) -> UInt64? {
        let names = try kinds.map { (kinds) throws(ClientError) in
            guard let names = KindNames.encode(kinds) else {
                throw .bodyInvalid("a kind must have 1 to 128 bytes, and all of them 64 KiB")
            }
            return names
        }
        let prefix = PushFrame.prefix(expiresAt: expiresAt, kinds: names).bytes.count
        if payload.count + prefix > handshake.maxBody {
            throw .tooLong(byteCount: payload.count, limit: handshake.maxBody - prefix)
        }
        guard hasRoom else { return nil }
        let seq = unsettled.nextSeq
        unsettled.append(
            PushFrame.encode(
                payload,
                seq: seq,
                isUrgent: urgent,
                expiresAt: expiresAt,
                kinds: names
            )
        )
        statistics.sent += 1
        return seq
    }

    /// Returns the events since the last call, and clears them.
    package mutating func takeEvents() -> [PublisherEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    // MARK: - Connection

    /// Queues HELLO.
    package mutating func connected() {
        assert(inFlight == 0, "pushes of another connection are in flight")
        // The numbers of the first session are known only with its WELCOME. It asks for all
        // rejections, so that no push gets the number of one that an earlier run has had rejected.
        handshake.connected(acked: statistics.sessions > 0 ? min(settledThrough, knownThrough) : 0)
    }

    /// Queues the HELLO that waits for its token.
    package mutating func identify(by token: String) { handshake.identify(by: token) }

    /// Marks all unsettled pushes as not sent, so that the next connection sends them again.
    package mutating func disconnected() {
        handshake.disconnected()
        inFlight = 0
        nextToSend = unsettled.firstSeq
    }

    /// Appends HELLO and PONGs, and once the session is established, pushes up to the window.
    package mutating func takeOutput(into bytes: inout [UInt8], limit: Int) {
        handshake.takeControl(into: &bytes)
        guard handshake.phase == .established else { return }
        assert(nextToSend <= unsettled.nextSeq, "pushes were sent that do not exist")
        while nextToSend < unsettled.nextSeq, inFlight < handshake.window, bytes.count < limit {
            if let frame = unsettled.frame(nextToSend) {
                bytes += frame
                inFlight += 1
            }
            nextToSend += 1
        }
    }

    /// Processes a frame of the router, and reports what it leads to as events.
    ///
    /// - Throws: `refused` or `protocolBroken`; the session is over then.
    package mutating func received(_ header: FrameHeader, body: ByteView) throws(ClientError) {
        switch try handshake.received(header, body: body) {
        case .welcome(let lastSeq, let rejected, let lost):
            if let lost {
                // What has no answer yet is sent again anyway.
                knownThrough = lost.lowerBound - 1
                events.append(.lost(lost))
            }
            resume(after: lastSeq, rejected: rejected)
        case .done: break
        case .other:
            switch header.type {
            case .ack: try acknowledged(header.seq, body: body)
            case .reject: try rejected(header.seq, body: body)
            case .outcome: try reported(header.seq, body: body)
            default: throw .protocolBroken("\(header.type.name) is not for a publisher")
            }
        }
    }

    /// Begins sending after `lastSeq`, the last push that the router has accepted: that push and
    /// those before it are settled and not sent again. Neither are the rejected ones, whose REJECTs
    /// were lost with the connection before.
    private mutating func resume(after lastSeq: UInt64, rejected: [RejectedPush]) {
        for push in rejected where unsettled.has(push.seq) && unsettled.reject(push.seq) {
            statistics.rejected += 1
            events.append(.rejected(Rejection(push)))
        }
        if statistics.sessions > 0 {
            statistics.accepted += UInt64(settle(through: lastSeq))
        } else {
            // In the first session, `lastSeq` counts the pushes of an earlier run of this producer,
            // and the rejected ones are that run's, too.
            _ = settle(through: max(lastSeq, rejected.map(\.seq).max() ?? 0))
        }
        nextToSend = unsettled.firstSeq
        knownThrough = max(knownThrough, lastSeq, rejected.map(\.seq).max() ?? 0)
        statistics.sessions += 1
    }

    /// Records that all pushes up to `seq` were accepted, except those rejected before.
    private mutating func acknowledged(_ seq: UInt64, body: ByteView) throws(ClientError) {
        try checkSent(seq, in: .ack)
        if body.count >= 4 { statistics.matched += UInt64(body.bigEndian(UInt32.self, at: 0)) }
        knownThrough = max(knownThrough, seq)
        let count = settle(through: seq)
        inFlight -= count
        assert(inFlight >= 0, "more pushes are answered than were sent")
        statistics.accepted += UInt64(count)
    }

    /// Reports what became of a push, or that the app is paused.
    private mutating func reported(_ seq: UInt64, body: ByteView) throws(ClientError) {
        try checkSent(seq, in: .outcome)
        let message = try ClientError.reading { () throws(ProtocolError) in
            try OutcomeMessage(reading: body)
        }
        events.append(
            message.isPaused.map { .paused($0) } ?? .outcome(PushOutcome(message, seq: seq))
        )
    }

    /// Checks that an answer is to a push that was sent over this connection.
    private func checkSent(_ seq: UInt64, in type: FrameType) throws(ClientError) {
        if seq < nextToSend { return }
        throw .protocolBroken("\(type.name) of \(seq), and the last push sent is \(nextToSend - 1)")
    }

    /// Records that the router has refused a push.
    private mutating func rejected(_ seq: UInt64, body: ByteView) throws(ClientError) {
        try checkSent(seq, in: .reject)
        let refusal = try ClientError.reading { () throws(ProtocolError) in
            try RefusalMessage(reading: body, of: .reject)
        }
        knownThrough = max(knownThrough, seq)
        guard unsettled.reject(seq) else { return }
        // The pushes after it may have been rejected before, in an earlier session.
        nextToSend = max(nextToSend, unsettled.firstSeq)
        inFlight -= 1
        assert(inFlight >= 0, "more pushes are answered than were sent")
        statistics.rejected += 1
        events.append(.rejected(Rejection(refusal, of: seq)))
    }

    /// Settles all pushes up to a number; returns how many of them had not been rejected.
    private mutating func settle(through seq: UInt64) -> Int {
        let count = unsettled.settle(through: seq)
        nextToSend = max(nextToSend, unsettled.firstSeq)
        return count
    }
}
