internal import Cryptography
internal import DataStructures
internal import HTTPMessages
internal import HTTPServing
internal import LibuvLoop
internal import Times

/// The TLS side of a `SecureHTTPServer`: accepts clients, and relays bytes between their sessions
/// and the HTTP server, which sees each client as a plain connection.
///
///     client ══TLS══ outside ─── inside ── pair of sockets ── HTTPServer, on a thread of its own
///
/// Belongs to the thread of its loop.
final class TLSFront {
    let loop: Loop
    let limits: SecureHTTPLimits
    let context: TLSServerContext
    let orders: FrontOrders
    /// The most clients whose handshake is complete.
    private let openLimit: Int
    /// Called with the address of a client whose handshake has failed, and the reason.
    private let onRefusal: @Sendable (_ peer: String, _ reason: String) -> Void
    /// Serves the clients; nil until `start`.
    private var server: HTTPServer?
    private var listener: TCPListener?
    private var hook: LoopHook?
    /// Looks for relays that have expired, while there are any; at the end, limits the wait.
    private var timer: LoopTimer?
    private var wakeup: LoopWakeup?
    /// The clients, by the slot that both connections of a relay have; slots rise in the order in
    /// which the clients were accepted.
    private(set) var relays: [UInt32: Relay] = [:]
    private var nextSlot: UInt32 = 0
    /// The relays of which a side is paused or that are ending: `settle` looks at them.
    private var unsettled: Set<UInt32> = []
    /// What the handshakes of this iteration have cost.
    private var handshakeWork = Nanoseconds.zero
    /// The clients accepted in this iteration.
    private var acceptedCount = 0
    /// When the next key for tickets is due.
    private var ticketKeyEnd: MonotonicTime
    private var isStopping = false

    /// Binds and listens; clients wait until `start`.
    ///
    /// - Throws: libuv's error, such as `EADDRINUSE`; then the loop must run once to close what was
    ///   opened.
    init(
        _ loop: Loop,
        address: SocketAddress,
        includesIPv4: Bool,
        context: TLSServerContext,
        connections: Int,
        limits: SecureHTTPLimits,
        orders: FrontOrders,
        onRefusal: @escaping @Sendable (_ peer: String, _ reason: String) -> Void
    ) throws(UVError) {
        self.loop = loop
        self.limits = limits
        self.context = context
        self.orders = orders
        self.onRefusal = onRefusal
        openLimit = limits.openClients(connections: connections)
        ticketKeyEnd = loop.now + Self.ticketKeyTime
        loop.readLimit = limits.readBytes
        do throws(UVError) {
            wakeup = try LoopWakeup(loop, mailbox: orders.mailbox, owner: self)
            hook = try LoopHook(loop, owner: self)
            timer = try LoopTimer(loop, owner: self)
            listener = try TCPListener(
                loop,
                address: address,
                includesIPv4: includesIPv4,
                security: context,
                owner: self
            )
        } catch {
            close()
            throw error
        }
    }

    /// How long a key makes tickets; it opens them for twice that time more.
    private static var ticketKeyTime: Milliseconds { .seconds(Int64(TLSLimits.ticketSeconds / 2)) }

    /// The port listened on.
    var port: UInt16 { listener?.localAddress.port ?? 0 }

    /// Serves clients from now on, when the loop runs.
    func start(_ server: HTTPServer) {
        self.server = server
    }

    /// Closes everything, which ends the loop.
    func close() {
        isStopping = true
        for relay in relays.values { relay.close() }
        relays = [:]
        unsettled = []
        listener?.close()
        hook?.close()
        timer?.close()
        wakeup?.close()
    }

    // MARK: - Relays

    /// The relay of a connection; nil if it was closed.
    private func relay(of connection: TCPConnection) -> Relay? { relays[connection.slot] }

    private func close(_ slot: UInt32) {
        relays.removeValue(forKey: slot)?.close()
        unsettled.remove(slot)
        if !relays.isEmpty { return }
        if isStopping { close() } else { timer?.stop() }
    }

    /// Closes a relay of a phase if there are too many in it: the oldest of the network that has
    /// the most of them, but not the newest one, for which this is called.
    private func displace(_ phase: Relay.Phase, limit: Int, for newest: UInt32) {
        let same = relays.filter { $0.value.phase == phase }
        if same.count <= limit { return }
        var counts: [PeerNetwork: Int] = [:]
        for relay in same.values { counts[relay.address.network, default: 0] += 1 }
        let oldest = same.filter { $0.key != newest }.min { left, right in
            let most = (counts[left.value.address.network]!, counts[right.value.address.network]!)
            return most.0 != most.1 ? most.0 > most.1 : left.key < right.key
        }
        if let oldest { close(oldest.key) }
    }

    /// Connects a client whose handshake is complete with the HTTP server.
    private func open(_ relay: Relay) {
        let slot = relay.outside.slot
        let openCount = relays.values.count { $0.phase == .open }
        guard let server, openCount < openLimit else { return close(slot) }
        do throws(UVError) {
            let (inside, other) = try TCPConnection.pair(loop, owner: self)
            inside.slot = slot
            relay.open(inside)
            server.adopt(
                AcceptedConnection(
                    owning: other,
                    from: relay.address.bytes,
                    certificate: relay.outside.security?.shownCertificate
                )
            )
            try inside.startReading()
        } catch {
            // No descriptor is left.
            close(slot)
        }
    }

    /// Passes bytes on, and stops reading more of them if too many are unsent.
    private func pass(_ bytes: ByteView, from source: TCPConnection, to target: TCPConnection) {
        if bytes.count == 0 { return }
        target.append(bytes)
        target.flush()
        if target.outputByteCount < limits.unsentBytes { return }
        source.pauseReading()
        unsettled.insert(source.slot)
    }

    /// Continues what had to wait for output to be read, and closes what has ended.
    private func settle(_ slot: UInt32) {
        guard let relay = relays[slot] else {
            unsettled.remove(slot)
            return
        }
        let outside = relay.outside
        guard let inside = relay.inside else {
            let mayClose = relay.hasClientEnded || isStopping
            if mayClose && outside.outputByteCount == 0 { close(slot) }
            return
        }
        let few = limits.unsentBytes / 2
        if outside.outputByteCount <= few && !inside.isReading { inside.resumeReading() }
        if inside.outputByteCount <= few && !outside.isReading { outside.resumeReading() }
        if max(outside.outputByteCount, inside.outputByteCount) <= few { unsettled.remove(slot) }
    }

    /// Answers a client whose handshake has failed, if it speaks HTTP without TLS.
    private func refuse(_ relay: Relay, because error: TLSError) {
        onRefusal("\(relay.address)", "\(error)")
        if error.code != .notTLS { return }
        AnswerWriter.tlsRequired.withByteView { relay.outside.appendUnencrypted($0) }
        relay.outside.flush()
    }
}

extension TLSFront: ListenerOwner {
    func listener(_ listener: TCPListener, accepted connection: TCPConnection) {
        acceptedCount += 1
        if acceptedCount >= limits.acceptedPerTick { loop.accepts = false }
        guard let address = connection.remoteSocketAddress else { return connection.close() }
        rotateTicketKeys()
        let slot = nextSlot
        nextSlot &+= 1
        connection.slot = slot
        if relays.isEmpty { startTimer(after: .seconds(1), repeating: .seconds(1)) }
        relays[slot] = Relay(
            connection,
            from: address,
            deadline: loop.now + limits.handshakeTime
        )
        displace(.handshake, limit: limits.handshakes, for: slot)
        connection.setNoDelay()
        connection.resumeReading()
    }

    func connection(_ connection: TCPConnection, tookHandshakeStep duration: Nanoseconds) {
        handshakeWork += duration
        if handshakeWork >= limits.handshakeWork { loop.takesHandshakes = false }
        guard let relay = relay(of: connection), relay.phase == .handshake else { return }
        switch connection.security?.phase {
        // The last message of a handshake may have come with a request and the client's end.
        case .established, .endedByPeer: open(relay)
        default: break
        }
    }

    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        guard let relay = relay(of: connection), let inside = relay.inside else {
            return bytes.count
        }
        let isOutside = connection === relay.outside
        pass(bytes, from: connection, to: isOutside ? inside : relay.outside)
        return bytes.count
    }

    func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        guard let relay = relay(of: connection) else { return connection.close() }
        let slot = connection.slot
        if connection !== relay.outside {
            relay.end(at: loop.now + limits.endingTime)
            displace(.ending, limit: limits.endings, for: slot)
            relay.outside.shutdownAfterFlush()
            // Its further input is discarded, up to its end.
            if !relay.hasClientEnded { relay.outside.resumeReading() }
        } else if error != nil || relay.phase == .handshake {
            if relay.phase == .handshake, let cause = connection.securityError {
                refuse(relay, because: cause)
            }
            return close(slot)
        } else {
            relay.hasClientEnded = true
            relay.inside?.shutdownAfterFlush()
        }
        unsettled.insert(slot)
    }
}

extension TLSFront: HookOwner, TimerOwner, WakeupOwner {
    func hookFired(_ hook: LoopHook) {
        for slot in unsettled { settle(slot) }
        handshakeWork = .zero
        acceptedCount = 0
        loop.takesHandshakes = true
        loop.accepts = true
        listener?.acceptWaiting()
    }

    func timerFired(_ timer: LoopTimer) {
        if isStopping { return close() }
        for (slot, relay) in relays where relay.hasExpired(at: loop.now, limits: limits) {
            close(slot)
        }
    }

    func wokenUp(_ wakeup: LoopWakeup) {
        let (security, isStopping) = orders.take()
        if let security { replace(security) }
        if isStopping { stop() }
    }

    /// Uses other certificates. If the authorities of clients differ, ends the connections whose
    /// clients the former ones alone vouch for, and the handshakes that began under them.
    private func replace(_ security: ServerSecurity) {
        // It was tried before it was ordered; if memory is short now, the old one stays.
        let differ = try? context.replace(
            security.identities,
            clientAuthorities: security.clientAuthorities
        )
        if differ != true { return }
        for (slot, relay) in relays {
            guard let session = relay.outside.security else { continue }
            if relay.phase == .handshake || !context.vouches(for: session) { close(slot) }
        }
    }

    /// Ends when all clients have read their last answers, or after `stopTime`. The HTTP server has
    /// ended all of its connections before.
    private func stop() {
        if isStopping { return }
        isStopping = true
        listener?.close()
        startTimer(after: limits.stopTime)
        for (slot, relay) in relays {
            if relay.phase == .handshake { close(slot) } else { unsettled.insert(slot) }
        }
        if relays.isEmpty { close() }
    }

    private func startTimer(after delay: Milliseconds, repeating interval: Milliseconds = .zero) {
        do throws(UVError) {
            try timer?.start(after: delay, repeating: interval)
        } catch {
            preconditionFailure("a loop takes any time: \(error)")
        }
    }

    /// Makes a new key for tickets if the present one has served its time.
    private func rotateTicketKeys() {
        if loop.now < ticketKeyEnd { return }
        ticketKeyEnd = loop.now + Self.ticketKeyTime
        // Without a new one, the present one stays for another while.
        try? context.rotateTicketKeys()
    }
}
