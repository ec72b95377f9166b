internal import Basics
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// How many connections a tick accepts, and what TLS handshakes may cost.
///
/// A handshake costs about as much as ten thousand frames. All handshakes together get half of a
/// tick's work, however many are under way; the input of the others waits with the kernel, as all
/// input does while the router is busy. Until its HELLO a connection with TLS is treated as one
/// without: it has `helloTimeout`, counts among those that await HELLO, and may be evicted.
///
/// But when thousands of devices come at once, connections await HELLO because the router has not
/// continued their handshakes yet, or because the devices are slow to answer. To evict them for
/// others, which would be evicted in turn, would waste the handshakes that have begun; so further
/// connections wait with the kernel then, unless those that are there say nothing.
extension Reading {
    /// Listens on all addresses of endpoints.
    ///
    /// - Throws: `ListenError` if one of its endpoints has no address that can be listened on, or
    ///   the resolver's error.
    func listen(on endpoints: [Endpoint], owner: any ListenerOwner) throws {
        for endpoint in endpoints {
            var port = endpoint.port
            var bound = 0
            var failure: ListenError?
            let (host, loop) = (endpoint.host, core.loop)
            for address in try SocketAddress.resolve(host: host, port: port, loop: loop) {
                do throws(UVError) {
                    let listener = try TCPListener(
                        loop,
                        address: address.with(port: port),
                        security: security,
                        owner: owner
                    )
                    listeners.append(listener)
                    // Port 0 lets the system choose; other addresses of the same name then use the
                    // same port.
                    port = listener.localAddress.port
                    bound += 1
                } catch {
                    failure = ListenError(address.with(port: port), cause: error)
                    core.logger.warning(
                        "cannot listen",
                        metadata: ["address": "\(address)", "error": "\(error)"]
                    )
                }
            }
            if bound == 0, let failure { throw failure }
        }
    }

    /// Stops accepting in this tick when it has cost as much as one connection may spend, or half
    /// of the tick's work. The other half is left for input, so that the HELLOs of new connections
    /// are read in the same ticks.
    func countAccepted() {
        acceptedCount += 1
        let share = min(core.router.workShare, core.limits.workPerTick / 2)
        if acceptedCount * WorkCost.accept >= share || holdsBackConnections {
            core.loop.accepts = false
            core.scheduleTick()
        }
        core.limitWork()
    }

    /// Charges a step of a handshake, of a session or of a publisher over HTTP.
    func chargeHandshake(_ duration: Nanoseconds) {
        let work = Int(duration.rawValue)
        core.router.charge(work)
        handshakeWork += work
        if handshakeWork >= core.limits.workPerTick / 2 {
            core.loop.takesHandshakes = false
            core.scheduleTick()
        }
        core.limitWork()
    }

    /// True while a further connection would evict one of which a session may be expected: because
    /// handshakes wait for this router, because no connection has had the time of a few round trips
    /// yet, or because sessions begin so fast that those that are there will all have had their
    /// turn within `helloTimeout`.
    ///
    /// Connections that stay silent cannot keep others out with it: the more places they have, the
    /// fewer sessions begin, and then the oldest connections are evicted again.
    var holdsBackConnections: Bool {
        let limits = core.limits
        if core.router.awaitingHelloCount < limits.connectionsAwaitingHello { return false }
        let now = core.now.monotonic
        if !handshakes.isEmpty { return true }
        if core.router.longestAwaiting(at: now) ?? .zero < Self.leastHelloTime { return true }
        let rate = sessionRate.perSecond(at: now)
        return rate * Int(limits.helloTimeout.rawValue) / 1_000 >= limits.connectionsAwaitingHello
    }

    /// Handshakes that are continued in one tick; about as many as it has work for.
    private static var handshakesPerTick: Int { 8 }
    /// How long a connection without a HELLO is not evicted.
    private static var leastHelloTime: Milliseconds { .milliseconds(500) }

    /// Pauses a connection until its handshake can be continued.
    func pauseHandshake(_ connection: TCPConnection) {
        pause(connection.peerSlot, because: .handshake)
        handshakes.append(connection.peerSlot, isRefused: true)
    }

    /// Continues handshakes that wait, those that have waited longest first.
    func resumeHandshakes() {
        for _ in 0..<min(handshakes.count, Self.handshakesPerTick) {
            let slot = handshakes.removeFirst()
            // Another connection may have the slot by now.
            guard peers[slot].pauses.contains(.handshake), let connection = peers[slot].connection
            else { continue }
            resume(connection, removing: .handshake)
        }
    }
}
