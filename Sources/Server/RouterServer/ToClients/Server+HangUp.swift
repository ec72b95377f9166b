internal import Basics
internal import LibuvLoop
internal import RouterCore

/// A connection whose peer has ended its side while answers to it are outstanding.
struct HungUpConnection {
    let slot: ConnectionSlot
    /// Distinguishes this connection from others that used the slot.
    let serial: UInt32
}

/// Peers that end their side of the connection (half-close) before they have read their answers:
/// `printf … | nc` does, and so does a publisher that sends a batch and reads until the end.
///
///     HELLO, pushes, end ──► answers wait for the commit ──► WELCOME, ACK ──► the connection ends
///                        no RELOAD is sent to it any more ───────────────────┘
///
/// The session lives until its answers have left; RELOADs for its devices wait for their next
/// session. If the peer no longer exists, its system resets the connection when the first answer
/// arrives, and that ends the connection.
extension Server {
    /// Keeps a connection whose peer has ended its side, while answers to it are outstanding.
    /// Returns false if there are none, and the connection can be closed.
    func hangUp(_ connection: TCPConnection) -> Bool {
        let slot = connection.peerSlot
        if slot.isNone || core.phase == .ended
            || !hasOutstandingOutput(slot, connection: connection)
        {
            return false
        }
        assert(!peers[slot].hasHungUp, "the peer has ended its side already")
        peers[slot].hasHungUp = true
        peers.hungUp.append(HungUpConnection(slot: slot, serial: peers[slot].serial))
        core.setArrivalTime()
        core.router.outputFilled(slot)
        if peers[slot].lingerUntil == .zero {
            peers[slot].lingerUntil = core.now.monotonic + Self.hangUpTime
        }
        // What was decided for it in this tick leaves in this tick.
        core.scheduleTick()
        return true
    }

    /// True if output for the connection is queued, awaits a commit, or may still be decided.
    private func hasOutstandingOutput(_ slot: ConnectionSlot, connection: TCPConnection) -> Bool {
        let peer = peers[slot]
        return connection.outputByteCount > 0 || peer.uncommittedCount > 0
            || peer.afterWelcome != nil || peer.inputTick == ticks.serial
            || core.router.hasUnsentAcknowledgement(slot)
    }

    /// Closes the hung-up connections whose answers have all left; called at the end of a tick.
    func releaseAnswered() {
        if peers.hungUp.isEmpty { return }
        var waiting: ContiguousArray<HungUpConnection> = []
        for entry in peers.hungUp {
            // Another connection may have the slot by now.
            guard peers[entry.slot].serial == entry.serial,
                let connection = peers[entry.slot].connection
            else { continue }
            if hasOutstandingOutput(entry.slot, connection: connection) {
                waiting.append(entry)
            } else {
                release(connection)
                // The end of its session must be written to the journal.
                if core.phase != .ended { core.scheduleTick() }
            }
        }
        peers.hungUp = waiting
    }
}
