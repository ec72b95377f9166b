package import DataStructures
internal import FrameCodec
package import LibuvLoop

/// Who has a connection to a router: a session, and what it needs.
package protocol RouterConnectionOwner: AnyObject {
    /// Where the router is; asked for at each attempt, which tries one address after the other.
    func addresses() throws(UVError) -> [SocketAddress]
    /// A socket is open: HELLO is due.
    func opened()
    /// Takes what the router has sent.
    ///
    /// - Returns: how many bytes were used; the rest is the beginning of a frame.
    func received(_ bytes: ByteView) throws(ClientError) -> Int
    /// The session has taken them; what they led to may be seen to.
    func didReceive()
    /// Appends what is due to the socket's output, as long as that is below
    /// `ClientLimits.socketOutput`, and flushes it.
    func write(to socket: TCPConnection)
    /// Whether the router has accepted the session.
    var isEstablished: Bool { get }
    /// There is no socket any more.
    ///
    /// - Parameter error: why; nil if the owner has disconnected it. If there is one, another attempt
    ///   follows after a pause, unless the owner disconnects it in here.
    func closed(because error: ClientError?)
}

/// A connection to a router: is made, notices silence, and is made again when it is lost.
///
///     idle ──connect──► connecting ──WELCOME──► open ──lost──► pausing ──back-off──► connecting
///       ▲                   └────────────────────────────────────▲  │
///       └──disconnect───────────────────────────────────────────────┘
///
/// It has no timer: whoever owns it calls `tick`, at `dueAt` or some times a second.
package final class RouterConnection: ConnectionOwner {
    private enum Phase {
        case idle, connecting, open, pausing
    }

    private let loop: Loop
    private let limits: ClientLimits
    private var backoff: Backoff
    private let source: SocketAddress?
    /// What errors call the router; nil for the address that was tried.
    private let name: String?
    private unowned let owner: any RouterConnectionOwner
    private var socket: TCPConnection?
    private var phase = Phase.idle
    /// What this attempt has not tried.
    private var untried: [SocketAddress] = []
    private var address: SocketAddress?
    /// The loop's time when something was last heard.
    private var heardAt: UInt64 = 0
    private var pingedAt: UInt64 = 0
    /// The loop's time at which `tick` has something to do.
    package private(set) var dueAt = UInt64.max

    /// - Parameters:
    ///   - loop: what it runs on.
    ///   - limits: how long it waits for what.
    ///   - backoff: the pauses between attempts.
    ///   - source: this machine's address; nil for any.
    ///   - name: what errors call the router; nil for the address that was tried.
    ///   - owner: outlives it.
    package init(
        _ loop: Loop,
        _ limits: ClientLimits,
        _ backoff: Backoff,
        source: SocketAddress? = nil,
        name: String? = nil,
        owner: any RouterConnectionOwner
    ) {
        self.loop = loop
        self.limits = limits
        self.backoff = backoff
        self.source = source
        self.name = name
        self.owner = owner
    }

    package var isIdle: Bool { phase == .idle }
    package var isOpen: Bool { phase == .open }

    private var place: String { name ?? address.map { "\($0)" } ?? "the router" }

    // MARK: - Making and ending it

    /// Begins an attempt, unless there is a connection or an attempt is under way.
    package func connect() {
        if phase == .connecting || phase == .open { return }
        phase = .connecting
        do throws(UVError) {
            untried = try owner.addresses()
        } catch {
            return lose(.unreachable("\(place): \(error)"))
        }
        tryNextAddress(.unreachable("\(place) has no address"))
    }

    /// Tries the next address; `last` says why the one before did not do.
    private func tryNextAddress(_ last: ClientError) {
        closeSocket()
        var error = last
        while !untried.isEmpty {
            let next = untried.removeFirst()
            address = next
            do throws(UVError) {
                socket = try TCPConnection.connect(loop, to: next, from: source, owner: self)
                dueAt = loop.now + limits.attemptTimeout
                return
            } catch let cause {
                error = .unreachable("\(next): \(cause)")
            }
        }
        lose(error)
    }

    /// The connection or the attempt is over: another one follows after a pause.
    package func lose(_ error: ClientError) {
        if phase == .idle { return }
        closeSocket()
        phase = .pausing
        dueAt = loop.now + backoff.pause()
        owner.closed(because: error)
    }

    /// Closes it, until `connect` is called.
    package func disconnect() {
        if phase == .idle { return }
        phase = .idle
        dueAt = .max
        backoff.reset()
        socket?.flush()
        closeSocket()
        owner.closed(because: nil)
    }

    private func closeSocket() {
        socket?.close()
        socket = nil
    }

    // MARK: - Time

    /// Looks at the time.
    package func tick() {
        if loop.now < dueAt { return }
        switch phase {
        case .idle: break
        case .pausing: connect()
        case .connecting:
            tryNextAddress(.unreachable("\(place): no WELCOME within \(limits.attemptTimeout) ms"))
        case .open: checkSilence()
        }
    }

    /// Sends a PING into the silence, and gives up when it lasts.
    private func checkSilence() {
        dueAt = loop.now + max(1, min(1_000, limits.pingInterval / 4))
        let silence = loop.now - heardAt
        if silence >= 3 * limits.pingInterval {
            return lose(.unreachable("\(place): nothing was heard for \(silence) ms"))
        }
        guard let socket, silence >= limits.pingInterval,
            loop.now - pingedAt >= limits.pingInterval
        else { return }
        pingedAt = loop.now
        encodeFrame(.ping, seq: 0).withByteView { socket.append($0) }
        socket.flush()
    }

    // MARK: - Bytes

    /// Moves what is due to the socket, if there is one.
    package func pump() {
        if let socket { owner.write(to: socket) }
    }

    package func connectionOpened(_ connection: TCPConnection) {
        guard connection === socket else { return }
        connection.setNoDelay()
        do throws(UVError) {
            try connection.startReading()
        } catch {
            return lose(.unreachable("\(place): \(error)"))
        }
        untried = []
        owner.opened()
        pump()
    }

    package func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        guard connection === socket else { return bytes.count }
        heardAt = loop.now
        let used: Int
        do throws(ClientError) {
            used = try owner.received(bytes)
        } catch {
            lose(error)
            return bytes.count
        }
        if phase == .connecting && owner.isEstablished {
            phase = .open
            backoff.reset()
            checkSilence()
        }
        owner.didReceive()
        pump()
        return used
    }

    package func connectionDrained(_ connection: TCPConnection) {
        if connection === socket { pump() }
    }

    package func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        guard connection === socket else { return }
        let reason = error.map { "\($0)" } ?? "the router closed the connection"
        let cause = ClientError.unreachable("\(place): \(reason)")
        if phase == .connecting && !untried.isEmpty {
            tryNextAddress(cause)
        } else {
            lose(cause)
        }
    }
}

extension TCPConnection {
    /// Sends what `take` appends to a buffer, as long as the socket takes it.
    package func send(
        through buffer: inout [UInt8],
        _ take: (inout [UInt8], _ limit: Int) -> Void
    ) {
        while outputByteCount < ClientLimits.socketOutput {
            buffer.removeAll(keepingCapacity: true)
            take(&buffer, ClientLimits.outputBatch)
            if buffer.isEmpty { return }
            buffer.withByteView { append($0) }
            flush()
        }
    }
}
