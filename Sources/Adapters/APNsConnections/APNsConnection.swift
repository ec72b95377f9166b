internal import APNsProtocol
internal import Basics
internal import Cryptography
internal import HTTP2
internal import LibuvLoop

/// One connection to APNs.
///
///     looking up ──► connecting ──► serving ──► draining (GOAWAY, silence) ──► closed
///                                   one stream until the first accepted push, then as many as
///                                   the peer's settings allow
///
/// A peer that answers nothing, allows no streams, or sends without an end what is no answer, is
/// left, and the pool pauses before the next attempt. One that refuses all streams gets pushes
/// after longer and longer pauses.
final class APNsConnection: LookupOwner, ConnectionOwner {
    /// How far it is.
    enum Phase: Equatable { case opening, serving, draining, closed }

    private unowned let pool: APNsPool
    private(set) var phase = Phase.opening
    private var lookup: AddressLookup?
    private var addresses: ArraySlice<SocketAddress> = []
    private var tcp: TCPConnection?
    private let session: HTTP2Session
    /// True once the peer has said anything in HTTP/2.
    private var hasHeard = false
    /// True if the peer has refused TLS, such as for the certificate that it was shown, before it
    /// has said anything. By TLS 1.3, pushes may have been sent by then, and were read by no one.
    private var isRefused = false
    /// True once a push was accepted: before, Apple allows one stream. False again once the peer
    /// has refused all that were open.
    private(set) var isProved = false
    /// True once a push was accepted, for ever.
    private var hasAccepted = false
    /// True once the peer has ended the connection in HTTP/2, or asked for another one.
    private var isLeftByPeer = false
    private let openedAt: MonotonicTime
    /// When the peer was last heard.
    private var heardAt: MonotonicTime
    /// When it has answered a push last.
    private var answeredAt: MonotonicTime
    /// When it last took pushes, or had some to answer.
    private var usedAt: MonotonicTime
    /// The bytes that have come since the last answer.
    private var unansweredBytes = 0
    /// How often, without an answer in between, it has refused all pushes that were open.
    private var refusedCount = 0
    /// Until when it gets no pushes, because of that.
    private var blockedUntil: MonotonicTime?
    /// True while a PING has no answer.
    private var isPinging = false

    /// Begins to open a connection; the host is looked up anew for each.
    init(_ pool: APNsPool, now: MonotonicTime) throws {
        self.pool = pool
        openedAt = now
        heardAt = now
        answeredAt = now
        usedAt = now
        var limits = HTTP2Limits()
        limits.streamsBeforeSettings = 1
        limits.bodyBytes = 4_096
        session = try HTTP2Session(.client, limits: limits)
        let target = pool.target
        if let known = SocketAddress.withoutLookup(host: target.host, port: target.port) {
            addresses = known[...]
        } else {
            lookup = try AddressLookup(pool.loop, host: target.host, port: target.port, owner: self)
        }
        if lookup == nil { try connect() }
    }

    /// The pushes that have no answer yet.
    var openCount: Int { session.openCount }

    /// Whether the peer has left before it accepted anything.
    var isFailed: Bool { isLeftByPeer && !hasAccepted }

    /// How many more pushes it takes now.
    var room: Int {
        if phase != .serving || session.isGoingAway || blockedUntil != nil { return 0 }
        let limits = pool.limits
        let allowed = isProved ? min(session.peerStreams, limits.streams) : limits.firstStreams
        return max(0, allowed - session.openCount)
    }

    // MARK: - Pushes

    /// Sends a push with a head and a payload, by the number that its owner has for it; there must
    /// be room. It leaves with `flush`. Throws `exhausted` if the connection has used up its
    /// streams; it takes no more pushes then.
    func send(
        _ head: HTTP2Fields,
        payload: ByteView,
        number: UInt64,
        now: MonotonicTime
    ) throws(HTTP2Error) {
        do throws(HTTP2Error) {
            try session.request(number, fields: head, body: payload, now: now)
        } catch {
            drain()
            throw error
        }
    }

    /// Sends what waits to be sent.
    func flush() {
        guard let tcp, phase == .serving || phase == .draining else { return }
        do throws(HTTP2Error) {
            try session.takeOutput { tcp.append($0) }
        } catch {
            return pool.connectionFailed(self, because: "\(error)")
        }
        tcp.flush()
        endIfDrained()
        if phase != .closed && session.isOver {
            pool.connectionFailed(self, because: "the peer has ended HTTP/2")
        }
    }

    /// Performs what is due: gives up pushes without an answer, and asks for signs of life.
    func sweep(now: MonotonicTime) {
        let limits = pool.limits
        switch phase {
        case .opening:
            if now - openedAt >= limits.openTime {
                pool.connectionFailed(self, because: "the connection was not opened in time")
            }
        case .serving, .draining:
            unblock(now: now)
            let isLate = session.cancel(sentBefore: now - limits.answerTime) > 0
            if isLate && phase == .serving && now - answeredAt >= limits.answerTime {
                // Not a push without an answer among others: all of them.
                pool.connectionIsSilent()
                drain()
            } else if isPinging && now - heardAt >= limits.answerTime {
                pool.connectionFailed(self, because: "the peer gives no sign of life")
            } else if !isPinging && (isLate || now - heardAt >= limits.idleTime) {
                // Perhaps the peer is gone, and nothing has said so.
                ping(now: now)
            } else if phase == .serving && now - usedAt >= limits.answerTime {
                pool.connectionFailed(self, because: "the peer allows no streams")
            }
            takeEvents()
            flush()
        case .closed: break
        }
        let isUsed = room > 0 || openCount > 0 || blockedUntil != nil
        if isUsed || phase != .serving { usedAt = now }
    }

    /// Takes pushes again after the pause that follows refused ones.
    private func unblock(now: MonotonicTime) {
        guard let time = blockedUntil, now >= time else { return }
        blockedUntil = nil
        pool.owner?.poolHasRoom(pool)
    }

    /// The peer has refused all pushes that were open, and answered none: the first time, the next
    /// one is sent at once, for the limit of streams may be lower than before; then after pauses.
    private func allRefused() {
        isProved = false
        refusedCount += 1
        if refusedCount > 1 { blockedUntil = heardAt + pool.pause(after: refusedCount - 2) }
    }

    private func ping(now: MonotonicTime) {
        isPinging = true
        heardAt = now
        session.ping()
    }

    /// Closes the connection; its pushes end without an answer.
    func close() {
        if phase == .closed { return }
        phase = .closed
        lookup?.close()
        lookup = nil
        tcp?.close()
        tcp = nil
        session.endAll(as: isRefused ? .notProcessed : nil)
    }

    /// Takes no more pushes, and closes when those that are open have been answered.
    func drain() {
        if phase == .opening || phase == .serving { phase = .draining }
        endIfDrained()
    }

    private func endIfDrained() {
        if phase == .draining && session.openCount == 0 { pool.connectionIsEmpty(self) }
    }

    // MARK: - Events

    /// Reports what has happened in the session.
    func takeEvents() {
        let (pool, owner) = (pool, pool.owner)
        var hasRefused = false
        while let event = session.nextEvent() {
            switch event {
            case .message(let exchange):
                let message = session.message(of: exchange)
                let answer = message.body.withByteView {
                    APNsAnswer(
                        status: message.status,
                        hasID: message.hasField("apns-id"),
                        contentType: message.body.isEmpty ? nil : message.field("content-type"),
                        body: $0
                    )
                }
                answered(answer)
                hasRefused = false
                owner?.pool(pool, answered: exchange.number, with: answer)
            case .ended(let exchange, let ending):
                if ending == .notProcessed { hasRefused = true }
                owner?.pool(pool, ended: exchange.number, by: ending)
            case .pong: isPinging = false
            case .goingAway(_, let text):
                if isLeftByPeer { continue }
                leftByPeer()
                let said = quotation(String(decoding: text, as: UTF8.self))
                owner?.pool(pool, lostConnectionBecause: "APNs goes away: \(said)")
            case .settings: break
            }
        }
        if hasRefused && phase == .serving && session.openCount == 0 { allRefused() }
    }

    private func answered(_ answer: APNsAnswer) {
        answeredAt = heardAt
        unansweredBytes = 0
        refusedCount = 0
        if answer.verdict == .accepted {
            if !isProved { pool.connectionIsProved() }
            isProved = true
            hasAccepted = true
        } else if case .elsewhere = answer.verdict {
            leftByPeer()
        }
    }

    /// The peer takes no more pushes on this connection; those that are open get their answers.
    private func leftByPeer() {
        isLeftByPeer = true
        if phase == .serving { phase = .draining }
    }

    func lookup(_ lookup: AddressLookup, found addresses: Result<[SocketAddress], UVError>) {
        self.lookup = nil
        do {
            self.addresses = try addresses.get()[...]
            try connect()
        } catch {
            pool.connectionFailed(self, because: "\(pool.target.host): \(error)")
        }
    }

    private func connect() throws {
        guard let address = addresses.popFirst() else { return }
        let target = pool.target
        tcp = try TCPConnection.connect(
            pool.loop,
            to: address,
            security: try target.security?.session(with: target.host),
            owner: self
        )
    }

    func connectionOpened(_ connection: TCPConnection) {
        guard connection === tcp else { return }
        phase = .serving
        connection.setNoDelay()
        do throws(UVError) {
            try connection.startReading()
        } catch {
            return pool.connectionFailed(self, because: "\(error)")
        }
        flush()
        pool.connectionServes()
    }

    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        guard connection === tcp else { return bytes.count }
        pool.loop.meter.enter(.apns)
        heardAt = pool.now()
        hasHeard = true
        unansweredBytes += bytes.count
        do throws(HTTP2Error) {
            try session.receive(bytes)
        } catch {
            pool.connectionFailed(self, because: "\(error)")
            return bytes.count
        }
        takeEvents()
        if unansweredBytes > pool.limits.unansweredBytes {
            pool.connectionFailed(self, because: "the peer sends much, and no answers")
            return bytes.count
        }
        pool.owner?.poolHasRoom(pool)
        flush()
        return bytes.count
    }

    func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        guard connection === tcp else { return connection.close() }
        if phase == .opening, !addresses.isEmpty, connection.securityError == nil {
            connection.close()
            tcp = nil
            do { try connect() } catch { pool.connectionFailed(self, because: "\(error)") }
            return
        }
        isRefused = connection.securityError != nil && !hasHeard
        let reason =
            connection.securityError.map { "\($0)" } ?? error.map { "\($0)" }
            ?? "the peer has closed the connection"
        pool.connectionFailed(self, because: reason)
    }
}
