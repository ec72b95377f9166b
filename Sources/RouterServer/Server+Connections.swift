package import ByteStorage
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
        if inputsPaused {
            return turnAway(connection, "the store does not keep up; no connections are taken")
        }
        if !makeRoom() {
            let limit = configuration.limits.connections
            return turnAway(connection, "\(limit) connections are open; no more are taken")
        }
        let slot = freeSlots.popLast() ?? UInt32(peers.count)
        if Int(slot) == peers.count { peers.append(PeerEntry()) }
        let serial = peers[Int(slot)].serial &+ 1
        peers[Int(slot)] = PeerEntry(
            connection: connection,
            openedAt: clock.now().wall,
            serial: serial
        )
        connection.slot = slot
        connection.drainThreshold = configuration.limits.connectionOutput / 2
        openCount += 1
        metrics.acceptedCount &+= 1
        router.opened(slot, now: clock.now())
        do throws(UVError) {
            try connection.startReading()
        } catch {
            connectionEnded(connection, error: error)
        }
    }

    /// Makes sure that one more connection may be open.
    ///
    /// - Returns: false if there are too many, and none that could go.
    private func makeRoom() -> Bool {
        let limit = configuration.limits.connections
        if openCount < limit || evictOne() { return true }
        if openCount == limit && refusedCount == 0 { return false }
        // Nobody waits for those that were told to go: the ones of this turn are told now.
        turn()
        closeRefused()
        return openCount < limit || evictOne()
    }

    private func evictOne() -> Bool {
        openCount < configuration.limits.connections + Self.evictionMargin
            && router.evictOldestAwaiting()
    }

    /// Closes the connections that linger without a session: their ERROR is with the kernel.
    private func closeRefused() {
        if refusedCount == 0 { return }
        for slot in peers.indices where peers[slot].isRefused {
            if let connection = peers[slot].connection { release(connection) }
        }
    }

    private func turnAway(_ connection: TCPConnection, _ message: String) {
        let error = ProtocolError(.tooManyConnections, message)
        encodeFrame(.error, seq: 0, body: error.encoded).withByteView { connection.append($0) }
        logger.warning(
            "connection turned away",
            metadata: ["peer": "\(connection.remoteAddress)", "reason": "\(message)"]
        )
        connection.flush()
        connection.close()
    }

    package func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        let slot = connection.slot
        if slot == Self.noSlot || peers[Int(slot)].lingerUntil != 0 || phase != .serving {
            return bytes.count
        }
        noteArrival()
        let wasHeld = router.holds(slot)
        let now = clock.now()
        router.arrival = clock.begin
        let offset = router.received(slot, bytes, now: now)
        if router.holds(slot) { hold(connection, isRefused: wasHeld) }
        turnInput += offset
        peers[Int(slot)].inputByteCount &+= UInt64(offset)
        metrics.receivedByteCount &+= UInt64(offset)
        if turnInput >= Self.turnInputLimit { turn() }
        return offset
    }

    package func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        if let error, connection.slot != Self.noSlot {
            logger.debug(
                "connection failed",
                metadata: ["peer": "\(connection.remoteAddress)", "error": "\(error)"]
            )
        }
        release(connection)
    }

    package func connectionClosed(_ connection: TCPConnection) {
        release(connection)
    }

    package func connectionDrained(_ connection: TCPConnection) {
        let slot = connection.slot
        guard slot != Self.noSlot, peers[Int(slot)].isFull else { return }
        peers[Int(slot)].isFull = false
        router.drained(slot)
        resumeReading(connection)
        // Its RELOADs that waited go out now, not when somebody else wakes the loop.
        if router.needsStep { scheduleTurn() }
    }

    /// Lets go of a connection's slot, once, and of the connection.
    func release(_ connection: TCPConnection) {
        let slot = connection.slot
        connection.slot = Self.noSlot
        connection.close()
        guard slot != Self.noSlot else { return }
        noteArrival()
        router.closed(slot)
        _ = takeBehindWelcome(slot)
        if peers[Int(slot)].isRefused { refusedCount -= 1 }
        peers[Int(slot)].isRefused = false
        peers[Int(slot)].connection = nil
        releasedSlots.append(slot)
        openCount -= 1
        endIfEmpty()
    }
}
