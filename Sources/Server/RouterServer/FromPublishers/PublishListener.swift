internal import AdminAPI
package import Basics
package import Cryptography
internal import HTTPMessages
package import HTTPServing
package import LibuvLoop
internal import Platform
internal import RouterCore

/// The listener for publishers over HTTP, and for devices without a session, on the router's loop.
///
///     read ─► RequestReader ─► PublishResources ─► Server.publish ─► sessions ─► answers ─► write
///                                              └─► Server.report ─► router ───────▲
///
/// A read costs as much of the tick's work as one of a session, and each request some more; so
/// publishers over HTTP and those with sessions share the loop's time. One connection has one
/// request at a time: what its client sends before the answer is not read.
package final class PublishListener {
    /// What it needs of the program.
    package struct Settings {
        /// The address to listen on.
        package var address: ListeningAddress
        /// How it proves itself with TLS; nil to speak without.
        package var security: ServerSecurity?
        /// Its limits.
        package var limits = PublishLimits()
        /// Called with the address of each client whose handshake has failed, and the reason.
        package var onRefusal: (_ peer: String, _ reason: String) -> Void = { _, _ in }

        /// Settings with the default limits.
        package init(address: ListeningAddress, security: ServerSecurity?) {
            self.address = address
            self.security = security
        }
    }

    unowned let server: Server
    let resources: PublishResources
    let settings: Settings
    private var listener: TCPListener?
    private let context: TLSServerContext?
    var connections: OpenConnections<PublishConnection>
    /// Connections with input that waits until the router is no longer busy.
    private var deferred: [PublishConnection] = []
    /// Reads the bodies that would take the loop too long.
    let bodyReader: WorkQueue<LongBody, ReadBody>
    /// Connections that rest after costly requests, and when the first of them has rested.
    private var resting: [PublishConnection] = []
    private(set) var restEnd: MonotonicTime?
    /// Lets the input of all connections wait once a tick has had its requests.
    private let gate = InputGate()
    /// The requests of this tick, and the connections that were accepted in it.
    private var requestCount = 0
    private var acceptedCount = 0
    private var openedCount: UInt64 = 0
    private var isClosed = false

    /// The address listened on, with the port that the system chose if 0 was asked for.
    package var address: ListeningAddress {
        settings.address.with(port: listener?.localAddress.port ?? settings.address.port)
    }

    /// The most file descriptors that a listener needs.
    package static var descriptors: Int { PublishLimits().connections }

    var limits: PublishLimits { settings.limits }
    var loop: Loop { server.loop }

    init(
        _ server: Server,
        settings: Settings,
        resources: PublishResources
    ) throws(PublishListenerError) {
        self.server = server
        self.settings = settings
        self.resources = resources
        connections = OpenConnections(limit: settings.limits.connections)
        let mailbox = server.handles.wakeup?.mailbox
        bodyReader = WorkQueue(
            limit: settings.limits.waitingBodies,
            niceness: JoinableThread.besideTheLoop,
            wake: { mailbox?.wake() },
            work: { ReadBody($0) }
        )
        context = try settings.security.map { (security) throws(PublishListenerError) in
            try Self.context(security)
        }
        do throws(UVError) {
            listener = try TCPListener(
                server.loop,
                address: settings.address.socketAddress,
                includesIPv4: settings.address.isEveryAddress,
                security: context,
                owner: self
            )
            // A crowd at the other listener does not concern publishers over HTTP.
            listener?.accepts = true
        } catch {
            throw .address(HTTPServerError(address: settings.address, code: -error.code))
        }
    }

    private static func context(
        _ security: ServerSecurity
    ) throws(PublishListenerError) -> TLSServerContext {
        do throws(TLSError) {
            return try TLSServerContext(security, protocols: ["http/1.1"])
        } catch {
            throw .security(error)
        }
    }

    // MARK: - Connections

    /// Closes a connection at once.
    func close(_ connection: PublishConnection) {
        if case .closed = connection.phase { return }
        connection.phase = .closed
        if connection.awaitsReading {
            bodyReader.remove { $0.request.number == connection.number }
        }
        connections.remove(connection)
        connection.dropBody()
        connection.reader.close()
        connection.tcp.closeAtOnce()
        server.router.charge(WorkCost.close)
    }

    /// Closes a connection to make room for another one, for which all were looked at; does nothing
    /// for nil.
    func displace(_ connection: PublishConnection?) {
        guard let connection else { return }
        server.router.charge(connections.count * WorkCost.displacement)
        resources.displaced(1)
        close(connection)
    }

    /// Closes what has been silent for too long.
    func sweep() {
        let now = loop.now
        for connection in connections.all {
            let silence = now - connection.lastActivity
            switch connection.phase {
            case .judging, .answering, .closed: continue
            case .ending: if silence >= limits.lingerTime { close(connection) }
            case .body, .discarding: if silence >= limits.silence { timeOut(connection) }
            case .head:
                if let begin = connection.headBegin {
                    if silence >= limits.silence || now - begin >= limits.headTime {
                        timeOut(connection)
                    }
                } else if silence >= (connection.serial == 0 ? limits.silence : limits.idle) {
                    close(connection)
                }
            }
        }
    }

    /// Answers every request that is under way with `draining`, and closes everything: the router
    /// is ending. A second call does nothing.
    func close() {
        if isClosed { return }
        isClosed = true
        listener?.close()
        for connection in connections.all {
            if connection.isWaiting { answer(connection, with: .problem(.draining)) }
            close(connection)
        }
        bodyReader.close()
    }

    // MARK: - A busy router

    /// Lets a connection pay for the present callback, unless its payer is known.
    func pay(_ connection: PublishConnection) {
        if case .none = server.thisTick.payer { server.thisTick.payer = .client(connection) }
    }

    /// Whether connections wait for the router.
    var hasDeferred: Bool { !deferred.isEmpty }

    /// Leaves a connection's input with the kernel until the router is no longer busy.
    func deferInput(of connection: PublishConnection) {
        connection.tcp.pauseReading()
        deferred.append(connection)
    }

    /// Leaves a connection's input with the kernel, and returns true, if it has used up its share
    /// of the work.
    func mustRest(_ connection: PublishConnection) -> Bool {
        if let end = server.router.restEnd(connection.work) {
            connection.tcp.pauseReading()
            resting.append(connection)
            restEnd = min(restEnd ?? .max, end)
            return true
        }
        if !server.router.isOverdrawn(connection.work, in: connection.group) { return false }
        server.router.waits(&connection.work, in: connection.group)
        deferInput(of: connection)
        server.scheduleTick()
        return true
    }

    /// Lets connections that have rested wait for the next tick, as others do.
    private func endRests() {
        let now = server.thisTick.clock.now().monotonic
        guard let end = restEnd, end <= now else { return }
        restEnd = nil
        let all = resting
        resting = []
        for connection in all {
            if let end = server.router.restEnd(connection.work) {
                resting.append(connection)
                restEnd = min(restEnd ?? .max, end)
            } else {
                deferred.append(connection)
            }
        }
    }

    /// Counts a request of this tick.
    func countRequest() {
        requestCount += 1
        if requestCount < limits.requestsPerTick || !gate.isOpen { return }
        gate.isOpen = false
        server.scheduleTick()
    }

    /// Begins another tick: accepts connections that wait, and resumes those that have waited
    /// longest.
    func resumeDeferred() {
        requestCount = 0
        acceptedCount = 0
        gate.isOpen = true
        listener?.accepts = true
        listener?.acceptWaiting()
        endRests()
        if deferred.isEmpty { return }
        let count = min(deferred.count, limits.resumedPerTick)
        for connection in deferred.prefix(count) where !connection.isWaiting {
            connection.tcp.resumeReading()
        }
        deferred.removeFirst(count)
    }

    // MARK: - TLS

    /// Uses other certificates for the sessions that begin from now on. If the authorities of
    /// clients differ, ends the connections whose clients the former ones alone vouch for.
    ///
    /// - Throws: `security`; the certificates are as before then.
    package func replaceCertificates(_ security: ServerSecurity) throws(PublishListenerError) {
        guard let context else { return }
        let differ: Bool
        do throws(TLSError) {
            differ = try context.replace(security)
        } catch {
            throw .security(error)
        }
        if !differ { return }
        for connection in connections.unvouched(by: context) { close(connection) }
    }
}

extension PublishListener: ListenerOwner {
    /// Accepts a connection, for which another one may have to be closed.
    package func listener(_ listener: TCPListener, accepted tcp: TCPConnection) {
        server.router.charge(WorkCost.accept)
        acceptedCount += 1
        if acceptedCount >= limits.acceptedPerTick {
            listener.accepts = false
            server.scheduleTick()
        }
        defer { server.limitWork() }
        // A peer that is gone already has no address.
        guard !isClosed, let network = tcp.remoteNetwork else { return tcp.close() }
        server.thisTick.payer = .group(WorkGroup(of: network))
        openedCount += 1
        let connection = PublishConnection(tcp, of: network, number: openedCount, at: loop.now)
        displace(connections.insert(connection))
        if connections[tcp.slot] !== connection { return }
        tcp.setNoDelay()
        // Each request may have a token.
        tcp.holdsSecrets = true
        tcp.gate = gate
        tcp.readLimit = limits.headReadBytes
        tcp.resumeReading()
    }

    /// Charges a step of a handshake for what it has cost.
    package func connection(_ tcp: TCPConnection, tookHandshakeStep duration: Nanoseconds) {
        if let connection = connections[tcp.slot] {
            connection.lastActivity = loop.now
            server.thisTick.payer = .group(connection.group)
        }
        server.chargeHandshake(duration)
    }

    /// Charges messages of TLS itself.
    package func connection(_ tcp: TCPConnection, gotSecurityMessages count: Int) {
        server.router.charge(count * WorkCost.newKeys)
    }

    /// Pauses a connection whose input arrived while the tick's work was used up.
    package func connectionHasDeferredInput(_ tcp: TCPConnection) {
        if let connection = connections[tcp.slot] { deferInput(of: connection) }
    }

    /// Closes the connection, or keeps it until its answer has left.
    package func connectionEnded(_ tcp: TCPConnection, error: UVError?) {
        guard let connection = connections[tcp.slot] else { return tcp.close() }
        pay(connection)
        if let failure = tcp.securityError, failure.code != .session {
            settings.onRefusal(tcp.remoteAddress, "\(failure)")
            tcp.answerWithoutTLS(after: failure)
        }
        if error == nil && (connection.isWaiting || tcp.outputByteCount > 0) {
            connection.hasHungUp = true
        } else {
            close(connection)
        }
    }

    /// Continues with a connection whose client has read its answers.
    package func connectionDrained(_ tcp: TCPConnection) {
        guard let connection = connections[tcp.slot] else { return }
        pay(connection)
        if connection.hasHungUp && !connection.isWaiting { return close(connection) }
        connection.lastActivity = loop.now
        if !connection.isWaiting { tcp.resumeReading() }
    }
}

/// Why the listener for publishers cannot serve.
package enum PublishListenerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The address cannot be bound.
    case address(HTTPServerError)
    /// A certificate or a key is not usable.
    case security(TLSError)

    /// A sentence that says what to do.
    package var description: String {
        switch self {
        case .address(let cause):
            "cannot listen on \(cause.address) for publishers over HTTP: \(cause.reason); "
                + "--publish HOST:PORT sets another address"
        case .security(let cause): "cert, key and client-ca: \(cause)"
        }
    }
}
