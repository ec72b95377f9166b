internal import LibuvLoop
internal import ReloadModel
internal import RouterCore

/// A connection whose peer has ended its side and is still owed answers.
struct HungUpConnection {
    let slot: UInt32
    /// Which of the connections that had the slot.
    let serial: UInt32
}

/// Peers that end their side of the connection (half-close) before they have read their answers:
/// `printf … | nc` does, and so does a publisher that sends a batch and reads until the end.
///
///     HELLO, pushes, end ──► answers wait for the commit ──► WELCOME, ACK ──► the connection ends
///                       no RELOAD is sent to it any more ───────────────────┘
///
/// The session lives on until the answers have left, because they are its; but RELOADs for its
/// devices wait, and go to the next session. A peer that is gone altogether resets the connection
/// when the first answer reaches it, or at once, and that ends it.
extension Server {
    /// Keeps a connection whose peer has ended its side for as long as it is owed something.
    ///
    /// - Returns: false if it is owed nothing.
    func hangUp(_ connection: TCPConnection) -> Bool {
        let slot = connection.slot
        if slot == UInt32.max || phase == .ended || !isOwed(slot, connection) { return false }
        peers[slot].hasHungUp = true
        peers.hungUp.append(HungUpConnection(slot: slot, serial: peers[slot].serial))
        noteArrival()
        router.filled(slot)
        if peers[slot].lingerUntil == 0 {
            peers[slot].lingerUntil = thisTurn.clock.now().monotonic + Self.hangUpTime
        }
        // What was decided for it in this turn leaves in this turn.
        scheduleTurn()
        return true
    }

    /// Whether something is still to be written to a connection, or may be.
    private func isOwed(_ slot: UInt32, _ connection: TCPConnection) -> Bool {
        let peer = peers[slot]
        return connection.outputByteCount > 0 || peer.uncommittedCount > 0
            || peer.behindWelcome != nil || peer.inputTurn == thisTurn.serial
            || router.owesAcknowledgement(slot)
    }

    /// Lets go of those that have been sent everything; at the end of a turn.
    func releaseAnswered() {
        if peers.hungUp.isEmpty { return }
        var waiting: ContiguousArray<HungUpConnection> = []
        for entry in peers.hungUp {
            // Another connection may have the slot by now.
            guard peers[entry.slot].serial == entry.serial,
                let connection = peers[entry.slot].connection
            else { continue }
            if isOwed(entry.slot, connection) {
                waiting.append(entry)
            } else {
                release(connection)
                // The end of its session goes into the journal.
                if phase != .ended { scheduleTurn() }
            }
        }
        peers.hungUp = waiting
    }
}
