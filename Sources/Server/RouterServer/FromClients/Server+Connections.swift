internal import AdminAPI
package import Basics
package import Cryptography
internal import FrameCodec
package import LibuvLoop
internal import Logging
internal import RouterCore

/// Connections: accepting them, their input, and their end.
extension Server: ListenerOwner, ConnectionOwner {
    /// Accepts a connection and starts reading from it, or refuses it with an ERROR.
    package func listener(_ listener: TCPListener, accepted connection: TCPConnection) {
        assert(core.phase == .serving, "a connection is accepted after the listeners were closed")
        connection.slot = ConnectionSlot.none.rawValue
        connection.setNoDelay()
        defer { reading.countAccepted() }
        if reading.waitsForStore {
            metrics.loop.refused.store &+= 1
            return refuse(
                connection,
                because: "the store does not keep up; no connections are accepted"
            )
        }
        // A peer that is gone already has no address.
        guard let network = connection.remoteNetwork else { return connection.close() }
        let group = WorkGroup(of: network)
        core.payer = .group(group)
        if let refusal = peers.shares.open(network) {
            metrics.loop.refused.address &+= 1
            return refuse(connection, because: refusal)
        }
        if !makeRoom() {
            peers.shares.closed(network, hadSession: false)
            metrics.loop.refused.connections &+= 1
            let limit = core.limits.connections
            return refuse(
                connection,
                because: "\(limit) connections are open; no more are accepted"
            )
        }
        let slot = peers.take(connection, of: network, at: core.now.wall)
        connection.slot = slot.rawValue
        connection.readLimit = FrameHeader.byteCount + RouterLimits.helloBody
        // Until its session begins, it may send a token.
        connection.holdsSecrets = true
        metrics.loop.acceptedCount &+= 1
        core.router.opened(slot, now: core.now)
        core.router.join(group, on: slot)
        if !reading.pauses.isEmpty { return }
        do throws(UVError) {
            try connection.startReading()
        } catch {
            connectionEnded(connection, error: error)
        }
    }

    /// Makes sure that one more connection may be open, evicting a silent one if necessary. Returns
    /// false if the limit is reached and no connection can be evicted.
    private func makeRoom() -> Bool {
        let limit = core.limits.connections
        if peers.openCount < limit || evictOne() { return true }
        if peers.openCount == limit && peers.refusedCount == 0 && peers.hungUp.isEmpty {
            return false
        }
        // Connections that were refused or have hung up count towards the limit but need not be
        // waited for: `tick` sends this tick's ERRORs now, and then they are closed.
        tick()
        closeRefused()
        return peers.openCount < limit || evictOne()
    }

    /// Ends the oldest connection without a HELLO, if the margin allows one more.
    private func evictOne() -> Bool {
        peers.openCount < core.limits.connections + Self.evictionMargin
            && core.router.evictOldestAwaiting()
    }

    /// Closes the connections that linger without a session; their ERRORs were passed to the
    /// kernel.
    private func closeRefused() {
        if peers.refusedCount == 0 { return }
        for slot in peers.slots where peers[slot].isRefused {
            if let connection = peers[slot].connection { release(connection) }
        }
    }

    /// Refuses a connection that has no slot: sends it an ERROR and closes it.
    private func refuse(_ connection: TCPConnection, because message: String) {
        assert(connection.peerSlot.isNone, "the connection has a slot")
        let error = ProtocolError(.tooManyConnections, message: message)
        encodeFrame(.error, seq: 0, body: error.encoded).withByteView { connection.append($0) }
        core.router.charge(WorkCost.accept + WorkCost.close)
        core.logger.warning(
            "connection turned away",
            metadata: ["peer": "\(connection.remoteAddress)", "reason": "\(message)"]
        )
        connection.flush()
        connection.close()
    }

    /// Passes bytes to the router, unless the connection is paused or being ended.
    package func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        let slot = connection.peerSlot
        core.pay(slot)
        if slot.isNone || peers[slot].lingerUntil != .zero || core.phase != .serving {
            core.router.charge(WorkCost.read + bytes.count / WorkCost.unreadBytes)
            core.limitWork()
            return bytes.count
        }
        if bytes.count == 0 {
            // A part of a record of TLS, or a message of TLS itself.
            core.router.charge(WorkCost.read)
            core.limitWork()
            return 0
        }
        reading.makeInputRoom(for: slot) { release($0) }
        if core.router.isPaused(slot) {
            reading.pauseUntilAccepted(connection, isRefused: true)
            return 0
        }
        core.setArrivalTime()
        var offset = 0
        var isStopped = false
        while offset < bytes.count {
            offset += take(bytes.slice(offset, to: bytes.count), from: connection)
            if core.router.awaitsVerdict(slot) {
                if admission.judge(connection) { continue }
                isStopped = true
                break
            }
            isStopped = core.router.isPaused(slot)
            let mustStep = core.router.outbox.allowance.isFull
            if mustStep || ticks.inputByteCount >= Ticks.inputLimit {
                output.recordLargest()
                tick()
            }
            // The tick may have ended the session.
            if connection.peerSlot != slot || peers[slot].lingerUntil != .zero
                || core.phase != .serving
            {
                return bytes.count
            }
            let isPaused = !reading.pauses.subtracting(.totalInput).isEmpty
            if !mustStep || !peers[slot].pauses.isEmpty || isPaused { break }
        }
        // Bytes that the router examined but did not consume are the beginning of a frame.
        connection.keepsPartialFrame = offset < bytes.count && !isStopped
        reading.adaptReadLimit(of: connection, took: offset, of: bytes.count)
        // While input memory is full, the connection was resumed only to be offered its kept bytes
        // again.
        if reading.pauses.contains(.totalInput) { connection.pauseReading() }
        core.limitWork()
        return offset
    }

    /// Passes bytes to the router, which stops when their answers are as many as a tick may
    /// produce. Returns how many bytes it has consumed.
    private func take(_ bytes: ByteView, from connection: TCPConnection) -> Int {
        let slot = connection.peerSlot
        assert(peers[slot].connection === connection, "the slot is another connection's")
        // It is read before `begin`, which the first reading sets.
        let now = core.now
        core.router.outbox.arrival = core.clock.begin
        output.setAnswerLimit(slot)
        let taken = core.router.received(
            on: slot,
            bytes: bytes,
            areNew: !connection.isOfferingPartialFrame,
            isMeasured: true,
            now: now
        )
        if !core.router.outbox.allowance.isFull && core.router.isPaused(slot) {
            reading.pauseUntilAccepted(connection, isRefused: false)
        }
        peers[slot].inputTick = ticks.serial
        ticks.inputByteCount += taken
        peers[slot].inputByteCount &+= UInt64(taken)
        metrics.loop.receivedByteCount &+= UInt64(taken)
        return taken
    }

    /// Pauses a connection whose input arrived while the tick's work was used up.
    package func connectionHasDeferredInput(_ connection: TCPConnection) {
        let slot = connection.peerSlot
        if slot.isNone { return }
        // Otherwise libuv would report its bytes again at once, over and over, while input is
        // refused.
        if peers[slot].lingerUntil != .zero { connection.pauseReading() }
        if connection.security?.phase == .handshake {
            reading.pauseHandshake(connection)
        } else {
            reading.pauseUntilAccepted(connection, isRefused: true)
        }
    }

    /// Releases the connection, or keeps it while answers to its peer are outstanding.
    package func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        core.pay(connection.peerSlot)
        if let failure = connection.securityError, failure.code != .session {
            handshakeFailed(connection, because: failure)
        } else if let error, !connection.peerSlot.isNone {
            core.logger.debug(
                "connection failed",
                metadata: ["peer": "\(connection.remoteAddress)", "error": "\(error)"]
            )
        }
        if error == nil && hangUp(connection) { return }
        release(connection)
    }

    /// Releases a connection that is closed.
    package func connectionClosed(_ connection: TCPConnection) {
        core.pay(connection.peerSlot)
        release(connection)
    }

    /// Resumes a connection whose output has drained.
    package func connectionDrained(_ connection: TCPConnection) {
        let slot = connection.peerSlot
        core.pay(slot)
        if !slot.isNone { output.drained(connection) }
    }

    /// Releases a connection's slot, if it still has one, and closes the connection.
    func release(_ connection: TCPConnection) {
        let slot = connection.peerSlot
        connection.slot = ConnectionSlot.none.rawValue
        connection.close()
        guard !slot.isNone else { return }
        assert(peers[slot].connection === connection, "the slot is another connection's")
        core.setArrivalTime()
        core.router.closed(slot)
        core.limitWork()
        _ = output.takeAfterWelcome(slot)
        admission.refusals[slot] = nil
        peers.release(slot)
        endIfEmpty()
    }

    // MARK: - TLS

    /// Charges a step of a handshake for what it has cost.
    package func connection(_ connection: TCPConnection, tookHandshakeStep duration: Nanoseconds) {
        if let session = connection.security, session.phase == .established {
            if session.isResumed {
                metrics.loop.handshakes.resumed &+= 1
            } else {
                metrics.loop.handshakes.full &+= 1
            }
        }
        let slot = connection.peerSlot
        if !slot.isNone { core.payer = .groupOf(slot) }
        reading.chargeHandshake(duration)
    }

    /// Charges messages of TLS itself. Their answers are output that no frame has caused: a peer
    /// that does not read them is not read from either.
    package func connection(_ connection: TCPConnection, gotSecurityMessages count: Int) {
        core.pay(connection.peerSlot)
        core.router.charge(count * WorkCost.newKeys)
        output.limit(connection)
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
        guard let context = reading.security, try context.replace(new) else { return }
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
    package var certificateExpiry: WallTime? { reading.security?.firstExpiry }
}
