package import Basics
package import Cryptography
internal import FrameCodec
package import LibuvLoop

/// The owner of a `RouterConnection`: it has the session, and provides what the connection needs.
package protocol RouterConnectionOwner: AnyObject {
    /// A socket is open: the next `write` begins with HELLO.
    func opened()
    /// Processes bytes from the router.
    ///
    /// - Returns: how many bytes were consumed; the rest is the beginning of a frame.
    func received(_ bytes: ByteView) throws(ClientError) -> Int
    /// Called after `received`, so that the owner can act on what the session has made of the
    /// bytes.
    func didReceive()
    /// Appends what is due to the socket's output, as long as that is below
    /// `ClientLimits.socketOutput`, and flushes it.
    func write(to socket: TCPConnection)
    /// Whether the router has accepted the session.
    var isEstablished: Bool { get }
    /// There is no socket any more.
    ///
    /// - Parameter error: the reason; nil if the owner has called `disconnect`. If there is a
    ///   reason, another attempt follows after a pause, unless the owner calls `disconnect` from
    ///   here.
    func closed(because error: ClientError?)
}

/// The router to which a `RouterConnection` connects.
package enum RouterAddress: Sendable {
    /// A host, whose name is looked up at each attempt while the loop does other work.
    case host(Endpoint)
    /// Addresses that are known already; each attempt tries one after the other.
    case known([SocketAddress])
}

/// A connection to a router that restores itself: it is made, pinged when it is silent, and made
/// again when it is lost.
///
///     idle ──connect──► connecting ──WELCOME──► open ──lost──► pausing ──back-off──► connecting
///       ▲                   └────────────────────────────────────▲  │
///       └──disconnect───────────────────────────────────────────────┘
///
/// It has no timer: the owner must call `tick` at `dueAt`, or several times a second.
package final class RouterConnection: ConnectionOwner, LookupOwner {
    private enum Phase {
        case idle, connecting, open, pausing
    }

    private let loop: Loop
    private let router: RouterAddress
    /// What TLS sessions begin with, and whose name the router's certificate must have; nil for no
    /// TLS.
    private let security: (context: TLSClientContext, host: String)?
    private let limits: ClientLimits
    private var backoff: Backoff
    private let source: SocketAddress?
    /// The router's name in errors; nil for the address that was tried.
    private let name: String?
    private unowned let owner: any RouterConnectionOwner
    private var socket: TCPConnection?
    private var phase = Phase.idle
    /// The lookup of the router's name with which the attempt begins; nil once it has ended.
    private var lookup: AddressLookup?
    /// Addresses that this attempt has not tried.
    private var untried: [SocketAddress] = []
    /// Whether the socket is open, and the router's WELCOME is awaited.
    private var isSocketOpen = false
    /// The address tried last.
    private var address: SocketAddress?
    /// The loop's time when bytes were last received.
    private var heardAt = MonotonicTime.zero
    /// The loop's time of the last PING.
    private var pingedAt = MonotonicTime.zero
    /// The loop's time at which `tick` has something to do; `max` for never.
    package private(set) var dueAt = MonotonicTime.max

    /// Makes a connection that is idle, for an owner that must outlive it; without `source` it
    /// connects from any local address.
    package init(
        _ loop: Loop,
        to router: RouterAddress,
        security: (context: TLSClientContext, host: String)? = nil,
        limits: ClientLimits,
        backoff: Backoff,
        source: SocketAddress? = nil,
        name: String? = nil,
        owner: any RouterConnectionOwner
    ) {
        self.loop = loop
        self.router = router
        self.security = security
        self.limits = limits
        self.backoff = backoff
        self.source = source
        self.name = name
        self.owner = owner
    }

    /// Whether there is neither a connection nor an attempt, and none is planned.
    package var isIdle: Bool { phase == .idle }
    /// Whether the router has accepted the session over the present connection.
    package var isOpen: Bool { phase == .open }

    /// The time that an attempt may take, as errors say it.
    private var attemptTime: String { "\(Milliseconds(limits.attemptTimeout)) ms" }
    /// What an attempt has waited for, as errors say it.
    private var delay: String {
        if isSocketOpen { return "no WELCOME within \(attemptTime)" }
        let longest = min(limits.connectTimeout, limits.attemptTimeout)
        return "no connection within \(Milliseconds(longest)) ms"
    }
    /// The router's name in errors.
    private var peerName: String { name ?? address.map { "\($0)" } ?? "the router" }

    // MARK: - Making and ending it

    /// Starts an attempt, unless one is under way or there is a connection.
    package func connect() {
        if phase == .connecting || phase == .open { return }
        assert(socket == nil && lookup == nil, "the attempt before has not ended")
        phase = .connecting
        switch router {
        case .known(let addresses): take(.success(addresses))
        case .host(let host): lookUp(host)
        }
    }

    /// Finds the addresses of a host, at once if its name needs no lookup.
    private func lookUp(_ router: Endpoint) {
        if let addresses = SocketAddress.withoutLookup(host: router.host, port: router.port) {
            return take(.success(addresses))
        }
        dueAt = loop.now.adding(clamped: Milliseconds(limits.attemptTimeout))
        do throws(UVError) {
            lookup = try AddressLookup(loop, host: router.host, port: router.port, owner: self)
        } catch {
            take(.failure(error))
        }
    }

    /// Connects to the first of the addresses found, or ends the attempt.
    private func take(_ addresses: Result<[SocketAddress], UVError>) {
        assert(phase == .connecting, "addresses are found for no attempt")
        lookup = nil
        do throws(UVError) {
            untried = try addresses.get()
        } catch {
            return lose(.unreachable("\(peerName): \(error)"))
        }
        tryNextAddress(.unreachable("\(peerName) has no address"))
    }

    /// Connects to the addresses found, or ends the attempt.
    package func lookup(
        _ lookup: AddressLookup,
        found addresses: Result<[SocketAddress], UVError>
    ) {
        take(addresses)
    }

    /// Tries the next address; `last` is the error of the one before.
    private func tryNextAddress(_ last: ClientError) {
        assert(phase == .connecting, "no attempt is under way")
        closeSocket()
        var error = last
        while !untried.isEmpty {
            let next = untried.removeFirst()
            address = next
            let session: TLSSession?
            do throws(TLSError) {
                session = try security.map { (security) throws(TLSError) in
                    try security.context.session(with: security.host)
                }
            } catch let cause {
                error = .unreachable("\(next): \(cause)")
                continue
            }
            do throws(UVError) {
                socket = try TCPConnection.connect(
                    loop,
                    to: next,
                    from: source,
                    security: session,
                    owner: self
                )
                let longest = min(limits.connectTimeout, limits.attemptTimeout)
                dueAt = loop.now.adding(clamped: Milliseconds(longest))
                isSocketOpen = false
                return
            } catch let cause {
                error = .unreachable("\(next): \(cause)")
            }
        }
        lose(error)
    }

    /// Ends the connection or the attempt with an error; another attempt follows after a pause.
    package func lose(_ error: ClientError) {
        if phase == .idle { return }
        closeSocket()
        phase = .pausing
        dueAt = loop.now.adding(clamped: backoff.pause(isLong: error.wantsLongPause))
        owner.closed(because: error)
    }

    /// Closes the connection; there is no further attempt until `connect` is called.
    package func disconnect() {
        if phase == .idle { return }
        phase = .idle
        dueAt = .max
        backoff.reset()
        socket?.flush()
        closeSocket()
        owner.closed(because: nil)
    }

    /// Closes the socket, or ends the lookup before it.
    private func closeSocket() {
        lookup?.close()
        lookup = nil
        socket?.close()
        socket = nil
    }

    // MARK: - Time

    /// Does what is due by the loop's time; does nothing before `dueAt`.
    package func tick() {
        if loop.now < dueAt { return }
        switch phase {
        case .idle: break
        case .pausing: connect()
        case .connecting where lookup != nil:
            lose(.unreachable("\(peerName): its name was not looked up in \(attemptTime)"))
        case .connecting: tryNextAddress(.unreachable("\(peerName): \(delay)"))
        case .open: checkSilence()
        }
    }

    /// Sends a PING after `pingInterval` of silence, and gives up after three times as much.
    private func checkSilence() {
        assert(phase == .open, "no session is to be pinged")
        let interval = Milliseconds(limits.pingInterval)
        dueAt = loop.now + max(.milliseconds(1), min(.seconds(1), interval / 4))
        let silence = loop.now - heardAt
        if silence >= interval.adding(clamped: interval).adding(clamped: interval) {
            return lose(.unreachable("\(peerName): nothing was heard for \(silence) ms"))
        }
        guard let socket, silence >= interval, loop.now - pingedAt >= interval
        else { return }
        pingedAt = loop.now
        encodeFrame(.ping, seq: 0).withByteView { socket.append($0) }
        socket.flush()
    }

    // MARK: - Bytes

    /// Writes what is due to the socket, if there is one.
    package func pump() {
        if let socket { owner.write(to: socket) }
    }

    /// Starts reading, and sends HELLO.
    package func connectionOpened(_ connection: TCPConnection) {
        guard connection === socket else { return }
        assert(phase == .connecting, "a second socket is open")
        isSocketOpen = true
        dueAt = loop.now.adding(clamped: Milliseconds(limits.attemptTimeout))
        connection.setNoDelay()
        do throws(UVError) {
            try connection.startReading()
        } catch {
            return lose(.unreachable("\(peerName): \(error)"))
        }
        untried = []
        owner.opened()
        pump()
    }

    /// Passes bytes to the owner. An error of the session ends the connection.
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

    /// Writes what is due, since the socket has sent its output.
    package func connectionDrained(_ connection: TCPConnection) {
        if connection === socket { pump() }
    }

    /// Tries the next address while connecting; otherwise ends the connection with an error.
    package func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        guard connection === socket else { return }
        let reason =
            connection.securityError?.message ?? error.map { "\($0)" }
            ?? "the router closed the connection"
        let cause = ClientError.unreachable("\(peerName): \(reason)")
        if phase == .connecting && !untried.isEmpty {
            tryNextAddress(cause)
        } else {
            lose(cause)
        }
    }
}

extension TCPConnection {
    /// Sends what `take` appends to the buffer, again and again, until it appends nothing or the
    /// socket's output reaches `ClientLimits.socketOutput`.
    package func send(
        through buffer: inout [UInt8],
        take: (inout [UInt8], _ limit: Int) -> Void
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
