internal import AdminAPI
package import DataStructures
internal import FrameCodec
package import LibuvLoop
internal import Logging
internal import ReloadModel
internal import RouterCore

/// Connections: accepting them, their input, and their end.
extension Server: ListenerOwner, ConnectionOwner {
    private static var noSlot: UInt32 { UInt32.max }

    package func listener(_ listener: TCPListener, accepted connection: TCPConnection) {
        connection.slot = Self.noSlot
        connection.setNoDelay()
        defer { limitAccepting() }
        if reading.waitsForStore {
            metrics.refused.store &+= 1
            return turnAway(connection, "the store does not keep up; no connections are taken")
        }
        // A peer that is gone already has no address.
        guard let network = connection.remoteNetwork else { return connection.close() }
        if let refusal = peers.shares.open(network) {
            metrics.refused.address &+= 1
            return turnAway(connection, refusal)
        }
        if !makeRoom() {
            peers.shares.closed(network, hadSession: false)
            metrics.refused.connections &+= 1
            let limit = configuration.limits.connections
            return turnAway(connection, "\(limit) connections are open; no more are taken")
        }
        let slot = peers.take(connection, of: network, at: thisTurn.clock.now().wall)
        connection.slot = slot
        connection.readLimit = FrameHeader.byteCount + RouterLimits.helloBody
        metrics.acceptedCount &+= 1
        router.opened(slot, now: thisTurn.clock.now())
        if !reading.pauses.isEmpty { return }
        do throws(UVError) {
            try connection.startReading()
        } catch {
            connectionEnded(connection, error: error)
        }
    }

    /// Stops accepting in this tick when it has cost as much as one connection may spend, or half
    /// of the tick's work. The other half is left for input, so that the HELLOs of new connections
    /// are read in the same ticks.
    private func limitAccepting() {
        thisTurn.acceptedCount += 1
        let share = min(router.workShare, configuration.limits.workPerTick / 2)
        if thisTurn.acceptedCount * WorkCost.accept >= share {
            loop.accepts = false
            scheduleTurn()
        }
        limitWork()
    }

    /// Makes sure that one more connection may be open, evicting a silent one if necessary.
    ///
    /// - Returns: false if the limit is reached and no connection can be evicted.
    private func makeRoom() -> Bool {
        let limit = configuration.limits.connections
        if peers.openCount < limit || evictOne() { return true }
        if peers.openCount == limit && peers.refusedCount == 0 && peers.hungUp.isEmpty {
            return false
        }
        // Connections that were refused or have hung up count towards the limit but need not be
        // waited for: `turn` sends this tick's ERRORs now, and then they are closed.
        turn()
        closeRefused()
        return peers.openCount < limit || evictOne()
    }

    /// Tells the oldest connection without a HELLO to go, if the margin allows one more.
    private func evictOne() -> Bool {
        peers.openCount < configuration.limits.connections + Self.evictionMargin
            && router.evictOldestAwaiting()
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
    private func turnAway(_ connection: TCPConnection, _ message: String) {
        let error = ProtocolError(.tooManyConnections, message)
        encodeFrame(.error, seq: 0, body: error.encoded).withByteView { connection.append($0) }
        router.charge(WorkCost.accept + WorkCost.close)
        logger.warning(
            "connection turned away",
            metadata: ["peer": "\(connection.remoteAddress)", "reason": "\(message)"]
        )
        connection.flush()
        connection.close()
    }

    package func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        let slot = connection.slot
        if slot == Self.noSlot || peers[slot].lingerUntil != 0 || phase != .serving {
            router.charge(WorkCost.read + bytes.count / WorkCost.unreadBytes)
            limitWork()
            return bytes.count
        }
        makeInputRoom(for: slot)
        if router.holds(slot) {
            hold(connection, isRefused: true)
            return 0
        }
        noteArrival()
        var offset = 0
        var isStopped = false
        while offset < bytes.count {
            offset += take(bytes.slice(offset, bytes.count), from: connection)
            isStopped = router.holds(slot)
            let mustStep = router.outbox.room.isFull
            if mustStep || thisTurn.inputByteCount >= Self.turnInputLimit {
                noteOutput()
                turn()
            }
            // The tick may have ended the session.
            if connection.slot != slot || peers[slot].lingerUntil != 0 || phase != .serving {
                return bytes.count
            }
            let isPaused = !reading.pauses.subtracting(.totalInput).isEmpty
            if !mustStep || !peers[slot].pauses.isEmpty || isPaused { break }
        }
        // Bytes that the router examined but did not consume are the beginning of a frame.
        connection.keepsBeginning = offset < bytes.count && !isStopped
        fitReads(of: connection, took: offset, of: bytes.count)
        // While input memory is full, it was read from only to be offered the kept bytes again.
        if reading.pauses.contains(.totalInput) { connection.pauseReading() }
        limitWork()
        return offset
    }

    /// Passes bytes to the router until their answers are as many as a tick may produce.
    ///
    /// - Returns: bytes consumed.
    private func take(_ bytes: ByteView, from connection: TCPConnection) -> Int {
        let slot = connection.slot
        let now = thisTurn.clock.now()
        router.outbox.arrival = thisTurn.clock.begin
        setAnswerRoom(slot)
        let taken = router.received(slot, bytes, areNew: !connection.isOfferingKept, now: now)
        if !router.outbox.room.isFull && router.holds(slot) { hold(connection, isRefused: false) }
        peers[slot].inputTurn = thisTurn.serial
        thisTurn.inputByteCount += taken
        peers[slot].inputByteCount &+= UInt64(taken)
        metrics.receivedByteCount &+= UInt64(taken)
        return taken
    }

    package func connectionWaits(_ connection: TCPConnection) {
        let slot = connection.slot
        if slot == Self.noSlot { return }
        // Otherwise libuv would report its bytes again at once, over and over, while input is
        // refused.
        if peers[slot].lingerUntil != 0 { connection.pauseReading() }
        hold(connection, isRefused: true)
    }

    package func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        if let error, connection.slot != Self.noSlot {
            logger.debug(
                "connection failed",
                metadata: ["peer": "\(connection.remoteAddress)", "error": "\(error)"]
            )
        }
        if error == nil && hangUp(connection) { return }
        release(connection)
    }

    package func connectionClosed(_ connection: TCPConnection) {
        release(connection)
    }

    package func connectionDrained(_ connection: TCPConnection) {
        let slot = connection.slot
        if slot != Self.noSlot { outputDrained(connection) }
    }

    /// Releases a connection's slot, if it still has one, and closes the connection.
    func release(_ connection: TCPConnection) {
        let slot = connection.slot
        connection.slot = Self.noSlot
        connection.close()
        guard slot != Self.noSlot else { return }
        noteArrival()
        router.closed(slot)
        limitWork()
        _ = takeBehindWelcome(slot)
        peers.release(slot)
        endIfEmpty()
    }
}
