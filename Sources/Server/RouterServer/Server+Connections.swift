internal import AdminAPI
package import DataStructures
internal import FrameCodec
package import LibuvLoop
internal import Logging
internal import ReloadModel
internal import RouterCore

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

    /// Stops accepting in this turn when that has cost as much as one connection may spend, or half of
    /// the turn's work: what new connections send must be read in the same turns.
    private func limitAccepting() {
        thisTurn.acceptedCount += 1
        let share = min(router.workShare, configuration.limits.workPerTick / 2)
        if thisTurn.acceptedCount * WorkCost.accept >= share {
            loop.accepts = false
            scheduleTurn()
        }
        limitWork()
    }

    /// Makes sure that one more connection may be open.
    ///
    /// - Returns: false if there are too many, and none that could go.
    private func makeRoom() -> Bool {
        let limit = configuration.limits.connections
        if peers.openCount < limit || evictOne() { return true }
        if peers.openCount == limit && peers.refusedCount == 0 && peers.hungUp.isEmpty {
            return false
        }
        // Nobody waits for those that were told to go, or have gone: the ones of this turn are told
        // now.
        turn()
        closeRefused()
        return peers.openCount < limit || evictOne()
    }

    private func evictOne() -> Bool {
        peers.openCount < configuration.limits.connections + Self.evictionMargin
            && router.evictOldestAwaiting()
    }

    /// Closes the connections that linger without a session: their ERROR is with the kernel.
    private func closeRefused() {
        if peers.refusedCount == 0 { return }
        for slot in peers.slots where peers[slot].isRefused {
            if let connection = peers[slot].connection { release(connection) }
        }
    }

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
            // What the turn has led to may be the end of the session.
            if connection.slot != slot || peers[slot].lingerUntil != 0 || phase != .serving {
                return bytes.count
            }
            let isPaused = !reading.pauses.subtracting(.totalInput).isEmpty
            if !mustStep || !peers[slot].pauses.isEmpty || isPaused { break }
        }
        // What the router has looked at and left is not whole.
        connection.keepsBeginning = offset < bytes.count && !isStopped
        fitReads(of: connection, took: offset, of: bytes.count)
        // It was read from to be offered the rest, and not for more.
        if reading.pauses.contains(.totalInput) { connection.pauseReading() }
        limitWork()
        return offset
    }

    /// Has the router take frames, until their answers are as many as a turn may make.
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
        // libuv would report its bytes again at once, over and over, while the store has no room.
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

    /// Lets go of a connection's slot, once, and of the connection.
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
