internal import LibuvLoop
internal import Logging
internal import ReloadModel
internal import RouterCore

/// From whom is read: `ReadPauses` has the reasons to leave a peer's bytes with the kernel for a
/// while, and only when none is left they are taken again.
extension Server {
    /// Does not read from a connection until the reason is gone.
    func pauseReading(_ slot: UInt32, _ reason: ReadPauses) {
        peers[slot].pauses.insert(reason)
        // What comes from a peer that is being ended is thrown away, and nothing piles up.
        if peers[slot].lingerUntil == 0 { peers[slot].connection?.pauseReading() }
    }

    /// Reads from a connection again, unless another reason not to is left.
    ///
    /// - Parameters:
    ///   - connection: one with a slot.
    ///   - reason: its own that is gone; none if it was one that all had.
    func resumeReading(_ connection: TCPConnection, _ reason: ReadPauses = []) {
        let slot = connection.slot
        peers[slot].pauses.subtract(reason)
        let peer = peers[slot]
        let mustWait =
            !peer.pauses.isEmpty || !reading.pauses.subtracting(.totalInput).isEmpty
            || (reading.pauses.contains(.totalInput) && !hasWholeFrames(connection))
        if peer.lingerUntil != 0 || !mustWait { connection.resumeReading() }
    }

    /// Reads from nobody until the reason is gone.
    ///
    /// The end of a peer is seen only by who reads: whoever goes meanwhile keeps its descriptor until
    /// inputs are read again, or something is written to it. These are never more than
    /// `RouterLimits.connections`.
    func pauseEverybody(_ reason: ReadPauses) {
        reading.pauses.insert(reason)
        for slot in peers.slots where peers[slot].lingerUntil == 0 {
            peers[slot].connection?.pauseReading()
        }
    }

    /// Reads from everybody again for whom no other reason is left.
    func resumeEverybody(_ reason: ReadPauses) {
        reading.pauses.subtract(reason)
        for slot in peers.slots {
            if let connection = peers[slot].connection { resumeReading(connection) }
        }
    }

    // MARK: - A busy router

    /// Takes no more input in this turn of the loop when its work is done.
    func limitWork() {
        if router.isBusy { loop.takesInput = false }
    }

    /// Does not read from a connection until the router takes its frames again.
    func hold(_ connection: TCPConnection, isRefused: Bool) {
        pauseReading(connection.slot, .held)
        if isRefused { router.waits(connection.slot) }
        reading.held.append(connection.slot, isRefused: isRefused)
    }

    /// Reads again from those that were held, and whose frames the router takes: a number of them,
    /// those that have waited longest first.
    ///
    /// After a tick that was spent no more than this one has a whole share for: in which order they
    /// are read from is the kernel's affair, and the last ones might always be the same.
    func releaseHeld() {
        reading.held.endRound()
        if router.isBusy { return }
        reading.held.wake(at: thisTurn.clock.now().monotonic)
        takeInput()
        let most = min(Self.releasedPerTurn, router.sharesOfTick ?? .max)
        for _ in 0..<min(reading.held.count, most) {
            let slot = reading.held.removeFirst()
            // Another connection may have the slot by now.
            guard peers[slot].pauses.contains(.held),
                let connection = peers[slot].connection
            else { continue }
            if peers[slot].lingerUntil != 0 {
                resumeReading(connection, .held)
                continue
            }
            if router.isPausedPublisher(slot) {
                waitForResume(slot)
                continue
            }
            if let end = router.restEnd(slot) {
                reading.held.rest(slot, until: end)
                continue
            }
            if router.holds(slot) {
                reading.held.append(slot, isRefused: true)
                continue
            }
            resumeReading(connection, .held)
        }
    }

    /// Has the next read of a connection bring about what its share of the work pays for: the rest would
    /// be kept, and looked at again.
    func fitReads(of connection: TCPConnection, took count: Int, of total: Int) {
        if !peers[connection.slot].hasSession { return }
        if total - count > count / 4 && peers[connection.slot].pauses.contains(.held) {
            connection.readLimit = max(Self.leastRead, count)
        } else if total >= connection.readLimit {
            let more = connection.readLimit / 8 + Self.leastRead
            connection.readLimit = min(Loop.slabBytes, connection.readLimit + more)
        }
    }

    /// Lets connections bring what the next turn has work for.
    private func takeInput() {
        // What one of them may not spend at once would have to be kept.
        loop.readLimit = min(
            Loop.slabBytes,
            max(Self.leastRead, router.workShare / WorkCost.scannedByte)
        )
        thisTurn.acceptedCount = 0
        if loop.takesInput && loop.accepts { return }
        loop.takesInput = true
        loop.accepts = true
        for listener in handles.listeners { listener.acceptWaiting() }
    }
}
