internal import AdminAPI
package import Basics
package import Cryptography
internal import FrameCodec
package import LibuvLoop
internal import Logging
internal import RouterCore

/// TLS: what handshakes may cost, those that fail, and what is renewed.
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
extension Server {
    /// Charges a step of a handshake for what it has cost.
    package func connection(_ connection: TCPConnection, tookHandshakeStep duration: Nanoseconds) {
        if let session = connection.security, session.phase == .established {
            if session.isResumed {
                metrics.loop.handshakes.resumed &+= 1
            } else {
                metrics.loop.handshakes.full &+= 1
            }
        }
        let slot = slot(of: connection)
        if !slot.isNone { core.payer = .groupOf(slot) }
        chargeHandshake(duration)
    }

    /// Charges a step of a handshake, of a session or of a publisher over HTTP.
    func chargeHandshake(_ duration: Nanoseconds) {
        let work = Int(duration.rawValue)
        core.router.charge(work)
        thisTick.handshakeWork += work
        if thisTick.handshakeWork >= core.limits.workPerTick / 2 {
            core.loop.takesHandshakes = false
            core.scheduleTick()
        }
        core.limitWork()
    }

    /// Charges messages of TLS itself. Their answers are output that no frame has caused: a peer
    /// that does not read them is not read from either.
    package func connection(_ connection: TCPConnection, gotSecurityMessages count: Int) {
        core.pay(slot(of: connection))
        core.router.charge(count * WorkCost.newKeys)
        limitOutput(connection)
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
        if !reading.handshakes.isEmpty
            || core.router.longestAwaiting(at: now) ?? .zero < Self.leastHelloTime
        {
            return true
        }
        let rate = reading.sessionRate.perSecond(at: now)
        return rate * Int(limits.helloTimeout.rawValue) / 1_000 >= limits.connectionsAwaitingHello
    }

    /// How long a connection without a HELLO is not evicted.
    private static var leastHelloTime: Milliseconds { .milliseconds(500) }

    /// Pauses a connection until its handshake can be continued.
    func pauseHandshake(_ connection: TCPConnection) {
        pauseReading(slot(of: connection), because: .handshake)
        reading.handshakes.append(slot(of: connection), isRefused: true)
    }

    /// Continues handshakes that wait, those that have waited longest first.
    func resumeHandshakes() {
        for _ in 0..<min(reading.handshakes.count, Self.handshakesPerTick) {
            let slot = reading.handshakes.removeFirst()
            // Another connection may have the slot by now.
            guard peers[slot].pauses.contains(.handshake), let connection = peers[slot].connection
            else { continue }
            resumeReading(connection, removing: .handshake)
        }
    }

    /// Counts and logs a handshake that has failed, for this reason. A peer that does not speak TLS
    /// gets an ERROR that it can read.
    func handshakeFailed(_ connection: TCPConnection, because error: TLSError) {
        metrics.loop.refused.handshake &+= 1
        core.logger.notice(
            "TLS handshake failed",
            metadata: ["peer": "\(connection.remoteAddress)", "error": "\(error)"]
        )
        if error.code != .notTLS { return }
        let refusal = ProtocolError(.tlsRequired, message: "this port speaks TLS; connect with TLS")
        encodeFrame(.error, seq: 0, body: refusal.encoded).withByteView {
            connection.appendUnencrypted($0)
        }
        connection.flush()
    }

    /// Uses other certificates for the sessions that begin from now on. If the authorities of
    /// clients differ, ends the sessions whose clients the former ones alone vouch for.
    ///
    /// - Throws: `TLSError`; the certificates are as before then.
    package func replaceCertificates(_ new: ServerSecurity) throws(TLSError) {
        guard let context = security, try context.replace(new) else { return }
        let error = ProtocolError(
            .tokenRevoked,
            message: "no authority of this router vouches for the client's certificate any more"
        )
        for slot in peers.slots {
            guard let connection = peers[slot].connection, peers[slot].lingerUntil == .zero,
                let session = connection.security
            else { continue }
            if session.phase == .handshake {
                // It would be accepted by the former authorities.
                release(connection)
            } else if !context.vouches(for: session) {
                core.router.end(slot, with: error, now: core.now)
            }
        }
        core.scheduleTick()
    }

    /// When the first certificate of the server expires; nil if it speaks without TLS.
    package var certificateExpiry: WallTime? { security?.firstExpiry }
}
