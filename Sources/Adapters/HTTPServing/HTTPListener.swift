internal import Basics
package import Cryptography
package import HTTPMessages
package import LibuvLoop

/// What is done with the connections and requests of an `HTTPListener`. All methods are called on
/// the loop's thread.
///
/// The owner gets the events of the TCP connections, and passes them on.
package protocol HTTPListenerOwner: ListenerOwner {
    /// A head was read. The owner calls `keepBody`, `discardBody`, `judgeLater` or, if there is no
    /// body or the connection must end, answers.
    func begin(_ connection: HTTPConnection)
    /// The whole request was read; the owner answers it now or later.
    func finish(_ connection: HTTPConnection)
    /// What has come is no request, or not all of one in time; the owner answers it, or closes the
    /// connection.
    func refuse(_ connection: HTTPConnection, because failure: RequestFailure)
    /// A connection was removed, and is closed next.
    func willClose(_ connection: HTTPConnection)
    /// All of `count` connections were looked at, to find one that makes room for another one, or,
    /// if it is nil, for a body.
    func hasSearched(_ count: Int, for displaced: HTTPConnection?)
}

/// Listens for HTTP, and takes each connection from one phase to the next: what all servers of
/// HTTP/1 here have in common.
///
///     accept ─► handshake ─► RequestReader ─► owner ─► AnswerWriter ─► complete ─► next or end
///
/// Belongs to the loop's thread.
package final class HTTPListener {
    /// The loop of its connections.
    package let loop: Loop
    /// Its limits.
    package let limits: HTTPServerLimits
    let purpose: HTTPServerPurpose
    private let onRefusal: (_ peer: String, _ reason: String) -> Void
    /// Begins the TLS sessions of connections; nil to speak without.
    private let context: TLSServerContext?
    /// Unowned, because it has the listener; nil before `listen`.
    unowned(unsafe) private(set) var owner: (any HTTPListenerOwner)?
    private var listener: TCPListener?
    var connections: OpenConnections
    /// Connections whose input waits until others had theirs.
    private var deferred: [HTTPConnection] = []
    private var acceptedCount = 0
    private var openedCount: UInt64 = 0
    private(set) var isEnding = false

    /// A listener that does not listen yet, with TLS if there is `security`. `onRefusal` is called
    /// with the address of each client whose handshake has failed, and the reason.
    package init(
        _ loop: Loop,
        limits: HTTPServerLimits,
        purpose: HTTPServerPurpose,
        security: ServerSecurity?,
        onRefusal: @escaping (_ peer: String, _ reason: String) -> Void
    ) throws(HTTPServerError) {
        self.loop = loop
        self.limits = limits
        self.purpose = purpose
        self.onRefusal = onRefusal
        context = try security.map { (security) throws(HTTPServerError) in
            try purpose.context(security)
        }
        connections = OpenConnections(limits)
    }

    /// Binds and listens; clients are served when the loop runs. The owner has the listener.
    package func listen(
        _ address: ListeningAddress,
        owner: any HTTPListenerOwner
    ) throws(HTTPServerError) {
        unsafe self.owner = owner
        do throws(UVError) {
            listener = try TCPListener(
                loop,
                address: address.socketAddress,
                includesIPv4: address.isEveryAddress,
                security: context,
                owner: owner
            )
        } catch {
            throw purpose.error(error, at: address)
        }
        // A crowd at another listener of the loop does not concern these clients.
        listener?.accepts = true
    }

    /// The port listened on; nil before `listen`.
    package var port: UInt16? { listener?.localAddress.port }
    /// All connections.
    package var all: [HTTPConnection] { connections.all }
    /// True once all connections are to end.
    package var isStopping: Bool { isEnding }
    /// The number of connections.
    package var count: Int { connections.count }

    /// The connection of these bytes; nil if it is closed.
    package func connection(of tcp: TCPConnection) -> HTTPConnection? { connections[tcp.slot] }

    /// The connection on which a request is still under way; nil if it has ended.
    package func connection(of request: HTTPConnection.RequestID) -> HTTPConnection? {
        connections[request]
    }

    // MARK: - The beginning of connections

    /// Counts a connection that was accepted; returns false if the others wait for `beginTick`.
    @discardableResult
    package func countAccepted() -> Bool {
        acceptedCount += 1
        if acceptedCount < limits.acceptedPerTick { return true }
        listener?.accepts = false
        return false
    }

    /// Serves a connection that was accepted, for which another one may have to be closed.
    package func serve(_ tcp: TCPConnection, from address: SocketAddress, content: AnyObject) {
        openedCount += 1
        let connection = HTTPConnection(
            tcp,
            from: address,
            number: openedCount,
            content: content,
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

    /// Lets a connection whose handshake is complete send requests.
    package func tookHandshakeStep(_ tcp: TCPConnection) {
        guard let connection = connections[tcp.slot], case .handshake = connection.phase else {
            return
        }
        switch tcp.security?.phase {
        // The last message of a handshake may have come with a request and the client's end.
        case .established, .endedByPeer:
            connection.phase = .head
            connection.lastActivity = loop.now
            connection.shown = tcp.security?.shownCertificate
            tcp.readLimit = limits.connectionMemory
            displace(connections.move(connection, to: .open))
        default: break
        }
    }

    /// Accepts connections that wait, and resumes those that have waited longest.
    package func beginTick(resuming most: Int = .max) {
        acceptedCount = 0
        listener?.accepts = true
        listener?.acceptWaiting()
        if deferred.isEmpty { return }
        let count = min(deferred.count, most)
        for connection in deferred.prefix(count) where !connection.isWaiting {
            connection.tcp.resumeReading()
        }
        deferred.removeFirst(count)
    }

    /// Leaves a connection's input with the kernel until `beginTick`.
    package func deferInput(of connection: HTTPConnection) {
        connection.tcp.pauseReading()
        deferred.append(connection)
    }

    /// Whether connections wait for `beginTick`.
    package var hasDeferred: Bool { !deferred.isEmpty }

    /// Uses other certificates for the sessions that begin from now on. If the authorities of
    /// clients differ, ends the connections whose clients the former ones alone vouch for, and the
    /// handshakes that began under them. Does nothing without TLS. Throws why the certificates are
    /// not usable; they are as before then.
    package func replace(_ security: ServerSecurity) throws(HTTPServerError) {
        guard let context else { return }
        do throws(TLSError) {
            if try !context.replace(security) { return }
        } catch {
            throw purpose.error(error)
        }
        for connection in connections.unvouched(by: context) { close(connection) }
    }

    // MARK: - The end of connections

    /// Closes a connection at once; what the kernel does not accept of its output is dropped.
    package func close(_ connection: HTTPConnection) {
        if case .closed = connection.phase { return }
        connection.phase = .closed
        connections.remove(connection)
        connection.dropBody()
        connection.reader.close()
        unsafe owner?.willClose(connection)
        connection.tcp.closeAtOnce()
    }

    /// Closes a connection to make room for another one; does nothing for nil.
    func displace(_ connection: HTTPConnection?) {
        guard let connection else { return }
        unsafe owner?.hasSearched(connections.count, for: connection)
        close(connection)
    }

    /// Accepts no more connections, and lets those that are open end after their answers.
    package func stop() {
        isEnding = true
        listener?.close()
    }

    /// Ends a connection so that its client can read the last answer.
    func end(_ connection: HTTPConnection) {
        connection.phase = .ending
        connection.reader.close()
        connection.lastActivity = loop.now
        let crowded = connections.move(connection, to: .ending)
        if !isEnding, let crowded { close(crowded) }
        let tcp = connection.tcp
        tcp.readLimit = limits.bodyReadBytes
        tcp.shutdownAfterFlush()
        if connection.hasHungUp && tcp.outputByteCount == 0 { return close(connection) }
        tcp.resumeReading()
    }

    /// Closes the connections that are ending and have nothing left to wait for.
    func settle() {
        if !connections.hasEndings { return }
        for connection in connections.all where connection.stage == .ending {
            let mayClose = connection.hasHungUp || isEnding
            if mayClose && connection.tcp.outputByteCount == 0 { close(connection) }
        }
    }

    /// The client has ended its side, or the connection is broken: closes it, or keeps it until its
    /// answer has left.
    package func ended(_ tcp: TCPConnection, error: UVError?) {
        guard let connection = connections[tcp.slot] else { return tcp.close() }
        if case .handshake = connection.phase, let cause = tcp.securityError {
            onRefusal(connection.client, "\(cause)")
            // It may speak HTTP without TLS.
            if cause.code == .notTLS {
                AnswerWriter.tlsRequired.withByteView { tcp.appendUnencrypted($0) }
                tcp.flush()
            }
        }
        if error == nil && (connection.isWaiting || tcp.outputByteCount > 0) {
            connection.hasHungUp = true
        } else {
            close(connection)
        }
    }

    /// Continues with a connection whose client has read its answers.
    package func drained(_ connection: HTTPConnection) {
        switch connection.phase {
        case .head, .body, .discarding:
            connection.lastActivity = loop.now
            connection.tcp.resumeReading()
        case .handshake, .judging, .waiting, .answering, .streaming, .ending, .closed: break
        }
    }

    /// Ends what has made no progress for too long; to be called once in a second.
    package func sweep() {
        let now = loop.now
        for connection in connections.all {
            let isAtEase =
                switch connection.phase {
                case .handshake: false
                case .judging, .waiting: true
                case .streaming where connection.tcp.outputByteCount == 0: true
                default: connection.hasProgress()
                }
            if isAtEase { connection.lastActivity = now }
            let silence = now - connection.lastActivity
            switch connection.phase {
            case .judging, .waiting, .closed: break
            case .handshake: if silence >= limits.handshakeTime { close(connection) }
            case .streaming: if silence >= limits.stallTime { close(connection) }
            case .ending:
                let hasGone = connection.hasHungUp && connection.tcp.outputByteCount == 0
                if hasGone || silence >= limits.endingTime { close(connection) }
            case .answering: if silence >= limits.silence { close(connection) }
            case .body, .discarding:
                if silence >= limits.silence { refuse(connection, because: .late) }
            case .head: sweepIdle(connection, silence: silence)
            }
        }
    }

    /// Ends a connection without a request, or with an incomplete head, after its time.
    private func sweepIdle(_ connection: HTTPConnection, silence: Milliseconds) {
        if let begin = connection.headBegin {
            if silence >= limits.silence || loop.now - begin >= limits.headTime {
                refuse(connection, because: .late)
            }
        } else {
            let isIdle = connection.serial > 0 && connection.tcp.outputByteCount == 0
            if silence >= (isIdle ? limits.idle : limits.silence) { close(connection) }
        }
    }

    /// Lets the owner answer what is no request; the connection ends then.
    func refuse(_ connection: HTTPConnection, because failure: RequestFailure) {
        connection.mustEnd = true
        unsafe owner?.refuse(connection, because: failure)
    }
}
