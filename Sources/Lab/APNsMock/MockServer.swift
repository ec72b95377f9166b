internal import APNsProtocol
package import Basics
internal import Credentials
package import Cryptography
internal import HTTP2
package import LibuvLoop

/// A server that answers as APNs does, for tests of those who push.
///
///     connection ──► HTTP2Session ──► MockRules ──► answer, at once or after a delay
///
/// It runs on a loop of its owner's.
package final class MockServer: ListenerOwner, TimerOwner {
    private let loop: Loop
    private let settings: MockSettings
    private var listener: TCPListener?
    private var timer: LoopTimer?
    private var peers: [ObjectIdentifier: MockPeer] = [:]
    private let now: () -> MonotonicTime
    private let date: () -> WallTime
    private let random: () -> UInt64
    /// What the mock answers, and how often it has.
    package var rules: MockRules
    /// Called for each request with its answer; nil if there is none, in an outage.
    package var onRequest: (MockRequest, MockAnswer?) -> Void = { _, _ in }
    /// The connections that were accepted.
    package private(set) var acceptedCount = 0

    /// How often time is looked at.
    private static var interval: Milliseconds { .milliseconds(10) }

    /// Listens; `random` are bits that decide what an outage has.
    ///
    /// - Throws: `UVError` if it cannot listen.
    package init(
        _ loop: Loop,
        address: SocketAddress,
        security: TLSServerContext?,
        settings: MockSettings,
        now: @escaping () -> MonotonicTime,
        date: @escaping () -> WallTime,
        random: @escaping () -> UInt64
    ) throws(UVError) {
        self.loop = loop
        self.settings = settings
        self.now = now
        self.date = date
        self.random = random
        rules = MockRules(settings, now: now())
        listener = try TCPListener(loop, address: address, security: security, owner: self)
        timer = try LoopTimer(loop, owner: self)
        try timer?.start(after: Self.interval, repeating: Self.interval)
    }

    /// The port.
    package var port: UInt16 { listener?.localAddress.port ?? 0 }

    /// Closes the listener and all connections.
    package func close() {
        listener?.close()
        timer?.close()
        (listener, timer) = (nil, nil)
        for peer in peers.values { peer.tcp.close() }
        peers = [:]
    }

    /// Says to all clients that the server goes away, with a reason as APNs gives it.
    func goAway(because reason: APNsReason) {
        for peer in peers.values {
            peer.session.goAway(text: MockAnswer(status: 0, reason: reason, since: nil).body)
            flush(peer)
        }
    }

    /// Cuts all connections, without a word.
    func cut() {
        for peer in peers.values { peer.tcp.close() }
        peers = [:]
    }

    // MARK: - Connections

    /// Begins a session with a client.
    package func listener(_ listener: TCPListener, accepted connection: TCPConnection) {
        acceptedCount += 1
        do {
            var limits = HTTP2Limits()
            limits.streams = settings.firstStreams
            let session = try HTTP2Session(.server, limits: limits)
            peers[ObjectIdentifier(connection)] = MockPeer(connection, session: session, now: now())
            connection.setNoDelay()
            try connection.startReading()
        } catch {
            connection.close()
        }
    }

    /// Takes what a client sends, and answers.
    package func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        guard let peer = peers[ObjectIdentifier(connection)] else { return bytes.count }
        do throws(HTTP2Error) {
            try peer.session.receive(bytes)
        } catch {
            drop(peer)
            return bytes.count
        }
        while let event = peer.session.nextEvent() {
            if case .message(let exchange) = event { handle(exchange, of: peer) }
        }
        flush(peer)
        return bytes.count
    }

    /// Forgets a client.
    package func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        peers[ObjectIdentifier(connection)] = nil
        connection.close()
    }

    private func drop(_ peer: MockPeer) {
        peers[ObjectIdentifier(peer.tcp)] = nil
        peer.tcp.close()
    }

    private func flush(_ peer: MockPeer) {
        do throws(HTTP2Error) {
            try peer.session.takeOutput { peer.tcp.append($0) }
        } catch {
            return drop(peer)
        }
        peer.tcp.flush()
    }

    // MARK: - Requests

    private func handle(_ exchange: HTTP2Exchange, of peer: MockPeer) {
        peer.heardAt = now()
        peer.requestCount += 1
        var request = MockRequest(peer.session.message(of: exchange))
        request.hasCertificate = peer.tcp.security?.shownCertificate != nil
        let wasTrusted = peer.state.isTrusted
        let answer = rules.answer(
            request,
            on: &peer.state,
            now: now(),
            date: date(),
            draw: Double(random() >> 11) / Double(1 << 53),
            verifies: { self.verifies($0) }
        )
        if wasTrusted != peer.state.isTrusted {
            peer.session.allow(streams: peer.state.isTrusted ? settings.streams : 1)
        }
        onRequest(request, answer)
        guard let answer else { return }
        let id = request.id ?? APNsID(random(), and: random()).description
        if settings.delay == .zero {
            send(answer, to: exchange, called: id, of: peer)
        } else {
            peer.delayed.append((exchange, answer, id, now() + settings.delay))
        }
        if let count = settings.requestsPerConnection, peer.requestCount == count {
            peer.session.goAway()
        }
    }

    private func verifies(_ token: SignedToken) -> Bool {
        if settings.keys.isEmpty { return true }
        guard let id = token.keyID, let key = settings.keys[id] else { return false }
        return key.verifies(token)
    }

    private func send(
        _ answer: MockAnswer,
        to exchange: HTTP2Exchange,
        called id: String,
        of peer: MockPeer
    ) {
        var fields = HTTP2Fields()
        fields.append(":status", value: "\(answer.status)")
        fields.append("apns-id", value: id, isLiteral: true)
        if let why = answer.why {
            let text = why.utf8.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }
            fields.append("apns-mock-why", value: text, isLiteral: true)
        }
        let body = answer.body
        do throws(HTTP2Error) {
            try body.withByteView { (body) throws(HTTP2Error) in
                try peer.session.answer(exchange, fields: fields, body: body)
            }
        } catch {
            drop(peer)
        }
    }

    /// Sends answers that are due, and closes connections that were idle for too long.
    package func timerFired(_ timer: LoopTimer) {
        let time = now()
        for peer in peers.values {
            while let first = peer.delayed.first, first.due <= time {
                peer.delayed.removeFirst()
                send(first.answer, to: first.exchange, called: first.id, of: peer)
            }
            if let idle = settings.idleTime, time - peer.heardAt >= idle {
                let answer = MockAnswer(status: 400, reason: .idleTimeout, since: nil)
                peer.session.goAway(text: answer.body)
                flush(peer)
                drop(peer)
                continue
            }
            flush(peer)
        }
    }
}

/// A connection to the mock.
private final class MockPeer {
    let tcp: TCPConnection
    let session: HTTP2Session
    var state = MockRules.Connection()
    var requestCount = 0
    var heardAt: MonotonicTime
    /// Answers that are sent later, the first one first.
    var delayed: [(exchange: HTTP2Exchange, answer: MockAnswer, id: String, due: MonotonicTime)] =
        []

    init(_ tcp: TCPConnection, session: HTTP2Session, now: MonotonicTime) {
        self.tcp = tcp
        self.session = session
        heardAt = now
    }
}

extension MockRequest {
    /// What is looked at in a message.
    fileprivate init(_ message: HTTP2Message) {
        self.init()
        var names: Set<String> = []
        for (name, value) in message.fields {
            if !names.insert(name).inserted { repeatedField = name }
            switch name {
            case ":method": method = value
            case ":path": path = value
            case "authorization": authorization = value
            case "apns-push-type": pushType = value
            case "apns-topic": topic = value
            case "apns-priority": priority = value
            case "apns-expiration": expiration = value
            case "apns-id": id = value
            case "apns-collapse-id": collapseID = value
            default: break
            }
        }
        body = message.body
    }
}

extension MockAnswer {
    /// The body, as APNs has it: JSON with the reason; none if the push was accepted.
    var body: [UInt8] {
        guard let reason else { return [] }
        return JSONWriter.object { json in
            json.member("reason", value: reason.rawValue)
            if let since { json.member("timestamp", value: since.rawValue) }
        }
    }
}
