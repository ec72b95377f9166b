internal import Basics
internal import Cryptography
internal import HTTPMessages
internal import LibuvLoop
internal import Platform

/// The state of the server's thread: its loop, its listener and its connections.
///
///     accept ─► handshake ─► RequestReader ─► HTTPHandler ─► HTTPExchange ─► AnswerWriter ─► write
///
/// Belongs to the thread of its loop. It has no reference to its `HTTPServer`, so that the server's
/// thread never releases the last one and then waits for itself.
final class HTTPService {
    let loop: Loop
    let limits: HTTPServerLimits
    let handler: any HTTPHandler
    let mailbox: HTTPMailbox
    /// Begins the TLS sessions of connections; nil to speak without.
    private let context: TLSServerContext?
    /// Called with the address of a client whose handshake has failed, and the reason.
    private let onRefusal: @Sendable (_ peer: String, _ reason: String) -> Void
    private var listener: TCPListener?
    private var hook: LoopHook?
    /// Looks for connections that have been silent for too long, while there are any; at the end,
    /// limits the wait.
    private var timer: LoopTimer?
    private var wakeup: LoopWakeup?
    var connections: OpenConnections<HTTPConnection>
    /// Connections whose input waits until others had theirs.
    var deferred: [HTTPConnection] = []
    /// Writes the answers, one at a time.
    var writer = AnswerWriter()
    private var date = HTTPDate(0)
    private var openedCount: UInt64 = 0
    /// The connections that were accepted in this iteration, and what its handshakes have cost.
    private var acceptedCount = 0
    private var handshakeWork = Nanoseconds.zero
    private(set) var isStopping = false

    /// Binds and listens; clients are served when the loop runs. Throws libuv's error, such as
    /// `EADDRINUSE`; then the loop must run once to close what was opened.
    init(
        _ loop: Loop,
        address: ListeningAddress,
        context: TLSServerContext?,
        limits: HTTPServerLimits,
        handler: any HTTPHandler,
        mailbox: HTTPMailbox,
        onRefusal: @escaping @Sendable (_ peer: String, _ reason: String) -> Void
    ) throws(UVError) {
        self.loop = loop
        self.context = context
        self.limits = limits
        self.handler = handler
        self.mailbox = mailbox
        self.onRefusal = onRefusal
        connections = OpenConnections(
            limit: limits.connections,
            handshakes: limits.handshakes,
            endings: limits.endings
        )
        do throws(UVError) {
            wakeup = try LoopWakeup(loop, mailbox: mailbox.bell, owner: self)
            hook = try LoopHook(loop, owner: self)
            timer = try LoopTimer(loop, owner: self)
            listener = try TCPListener(
                loop,
                address: address.socketAddress,
                includesIPv4: address.isEveryAddress,
                security: context,
                owner: self
            )
        } catch {
            close()
            throw error
        }
    }

    /// The port listened on.
    var port: UInt16 { listener?.localAddress.port ?? 0 }

    /// The present date.
    func today() -> HTTPDate {
        date.set(WallTime.now.rawValue / 1_000)
        return date
    }

    /// Serves until `HTTPMailbox.stop`.
    func run() {
        do throws(UVError) {
            try loop.run()
            try loop.close()
        } catch {
            preconditionFailure("the loop of an HTTP server: \(error)")
        }
        // What was left after the end keeps nothing alive.
        _ = mailbox.take()
    }

    /// Closes everything, which ends the loop.
    func close() {
        isStopping = true
        for connection in connections.all { close(connection) }
        listener?.close()
        hook?.close()
        timer?.close()
        wakeup?.close()
    }

    // MARK: - The end of connections

    /// Closes a connection at once; what the kernel does not accept of its output is dropped.
    func close(_ connection: HTTPConnection) {
        let phase = connection.phase
        if case .closed = phase { return }
        connection.phase = .closed
        connections.remove(connection)
        switch phase {
        case .waiting(let exchange), .streaming(let exchange): exchange.complete()
        case .body(let incoming): incoming.erase()
        default: break
        }
        connection.reader.close()
        connection.tcp.closeAtOnce()
        if connections.count > 0 { return }
        if isStopping { close() } else { timer?.stop() }
    }

    /// Closes a connection to make room for another one; does nothing for nil.
    func displace(_ connection: HTTPConnection?) {
        guard let connection else { return }
        if connection.stage == .open { handler.displaced(1) }
        close(connection)
    }

    /// Ends a connection so that its client can read the last answer.
    func end(_ connection: HTTPConnection) {
        connection.phase = .ending
        connection.reader.close()
        connection.lastActivity = loop.now
        let crowded = connections.move(connection, to: .ending)
        if !isStopping, let crowded { close(crowded) }
        connection.tcp.readLimit = limits.bodyReadBytes
        connection.tcp.shutdownAfterFlush()
        connection.tcp.resumeReading()
        ending.insert(connection.tcp.slot)
    }

    /// The slots of connections that are ending: `settle` looks at them.
    private var ending: Set<UInt32> = []

    /// Closes a connection that is ending if nothing is left to wait for.
    private func settle(_ slot: UInt32) {
        guard let connection = connections[slot], case .ending = connection.phase else {
            ending.remove(slot)
            return
        }
        let mayClose = connection.hasHungUp || isStopping
        if mayClose && connection.tcp.outputByteCount == 0 { close(connection) }
    }

    /// Closes what has made no progress for too long.
    private func sweep() {
        for connection in connections.all {
            var isAtEase = connection.hasProgress() && connection.tcp.outputByteCount > 0
            var limit = limits.silence
            switch connection.phase {
            case .handshake:
                limit = limits.handshakeTime
                isAtEase = false
            case .waiting: isAtEase = true
            case .streaming:
                limit = limits.stallTime
                if connection.tcp.outputByteCount == 0 { isAtEase = true }
            case .ending: limit = limits.endingTime
            case .head where connection.isBetweenRequests: limit = limits.idle
            case .head, .body, .answering, .closed: break
            }
            if isAtEase { connection.lastActivity = loop.now }
            let isSilent = loop.now - connection.lastActivity >= limit
            let headTime = connection.headBegin.map { loop.now - $0 } ?? .zero
            if isSilent || headTime >= limits.headTime { close(connection) }
        }
    }

    private func stop() {
        if isStopping { return }
        isStopping = true
        listener?.close()
        startTimer(after: limits.stopTime)
        for connection in connections.all {
            switch connection.phase {
            case .handshake: close(connection)
            case .waiting(let exchange), .streaming(let exchange):
                exchange.complete()
                end(connection)
            case .body(let incoming):
                incoming.erase()
                end(connection)
            case .head: end(connection)
            case .answering, .ending, .closed: break
            }
        }
        if connections.count == 0 { close() }
    }

    private func startTimer(after delay: Milliseconds, repeating interval: Milliseconds = .zero) {
        do throws(UVError) {
            try timer?.start(after: delay, repeating: interval)
        } catch {
            preconditionFailure("a loop takes any time: \(error)")
        }
    }
}

extension HTTPService: ListenerOwner {
    func listener(_ listener: TCPListener, accepted tcp: TCPConnection) {
        acceptedCount += 1
        if acceptedCount >= limits.acceptedPerTick { loop.accepts = false }
        // A peer that is gone already has no address.
        guard !isStopping, let address = tcp.remoteSocketAddress else { return tcp.close() }
        if connections.count == 0 { startTimer(after: .seconds(1), repeating: .seconds(1)) }
        openedCount += 1
        let connection = HTTPConnection(
            tcp,
            from: address,
            number: openedCount,
            limits: limits.requests,
            at: loop.now
        )
        let isPlain = tcp.security == nil
        displace(connections.insert(connection, in: isPlain ? .open : .handshake))
        tcp.setNoDelay()
        // Each request may have a token.
        tcp.holdsSecrets = true
        tcp.readLimit = isPlain ? limits.connectionMemory : limits.bodyReadBytes
        tcp.resumeReading()
    }

    func connection(_ tcp: TCPConnection, tookHandshakeStep duration: Nanoseconds) {
        handshakeWork += duration
        if handshakeWork >= limits.handshakeWork { loop.takesHandshakes = false }
        guard let connection = connections[tcp.slot], case .handshake = connection.phase else {
            return
        }
        switch tcp.security?.phase {
        // The last message of a handshake may have come with a request and the client's end.
        case .established, .endedByPeer:
            connection.phase = .head
            connection.lastActivity = loop.now
            connection.certificate = tcp.security?.shownCertificate
            tcp.readLimit = limits.connectionMemory
            displace(connections.move(connection, to: .open))
        default: break
        }
    }

    func connectionEnded(_ tcp: TCPConnection, error: UVError?) {
        guard let connection = connections[tcp.slot] else { return tcp.close() }
        if case .handshake = connection.phase, let cause = tcp.securityError {
            refuse(connection, because: cause)
        }
        if error == nil, case .ending = connection.phase {
            connection.hasHungUp = true
        } else {
            close(connection)
        }
    }

    func connectionDrained(_ tcp: TCPConnection) {
        guard let connection = connections[tcp.slot] else { return }
        switch connection.phase {
        case .answering: continueAnswer(of: connection)
        case .streaming(let exchange): proceed(connection, with: exchange)
        case .head, .body:
            connection.lastActivity = loop.now
            tcp.resumeReading()
        case .handshake, .waiting, .ending, .closed: break
        }
    }

    /// Answers a client whose handshake has failed, if it speaks HTTP without TLS.
    private func refuse(_ connection: HTTPConnection, because error: TLSError) {
        onRefusal(connection.client, "\(error)")
        connection.tcp.answerWithoutTLS(after: error)
    }
}

extension HTTPService: HookOwner, TimerOwner, WakeupOwner {
    func hookFired(_ hook: LoopHook) {
        for slot in ending { settle(slot) }
        let waiting = deferred
        deferred = []
        for connection in waiting { connection.tcp.resumeReading() }
        handshakeWork = .zero
        acceptedCount = 0
        loop.takesHandshakes = true
        loop.accepts = true
        listener?.acceptWaiting()
    }

    func timerFired(_ timer: LoopTimer) {
        if isStopping { close() } else { sweep() }
    }

    func wokenUp(_ wakeup: LoopWakeup) {
        let content = mailbox.take()
        for exchange in content.exchanges {
            let id = exchange.connection
            guard let connection = connections[id.slot], connection.number == id.number,
                connection.has(exchange)
            else { continue }
            proceed(connection, with: exchange)
        }
        if let security = content.security { replace(security) }
        if content.isStopping { stop() }
    }

    /// Uses other certificates. If the authorities of clients differ, ends the connections whose
    /// clients the former ones alone vouch for, and the handshakes that began under them.
    private func replace(_ security: ServerSecurity) {
        // It was tried before it was ordered; if memory is short now, the old one stays.
        guard let context, (try? context.replace(security)) == true else { return }
        for connection in connections.unvouched(by: context) { close(connection) }
    }
}
