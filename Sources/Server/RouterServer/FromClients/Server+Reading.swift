internal import Basics
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// Pausing and resuming connections. `ReadPauses` lists the reasons to leave a peer's bytes with
/// the kernel; a connection is read from only when none applies.
extension Server {
    /// Pauses a connection until the reason is removed.
    func pauseReading(_ slot: ConnectionSlot, because reason: ReadPauses) {
        peers[slot].pauses.insert(reason)
        // Input of a connection that is being ended is discarded, so it cannot pile up and is not
        // paused.
        if peers[slot].lingerUntil == .zero { peers[slot].connection?.pauseReading() }
    }

    /// Resumes a connection, which has a slot, after a reason of its own to pause it no longer
    /// applies (empty if a common one does not), unless another one is left.
    func resumeReading(_ connection: TCPConnection, removing reason: ReadPauses = []) {
        let slot = slot(of: connection)
        peers[slot].pauses.subtract(reason)
        let peer = peers[slot]
        let mustWait =
            !peer.pauses.isEmpty || !reading.pauses.subtracting(.totalInput).isEmpty
            || (reading.pauses.contains(.totalInput) && !hasWholeFrames(connection))
        if peer.lingerUntil != .zero || !mustWait { connection.resumeReading() }
    }

    /// Pauses all connections until the reason is removed. If too much input is kept, those that
    /// are about to be offered kept frames are not paused: nothing else would free that memory.
    ///
    /// Only reading detects the end of a peer: a connection closed by its peer meanwhile keeps its
    /// descriptor until it is resumed or written to. There are never more of these than
    /// `RouterLimits.connections`.
    func pauseAllReading(_ reason: ReadPauses) {
        assert(!reading.pauses.contains(reason), "all connections are paused for it already")
        reading.pauses.insert(reason)
        for slot in peers.slots where peers[slot].lingerUntil == .zero {
            guard let connection = peers[slot].connection else { continue }
            if reason != .totalInput || !hasWholeFrames(connection) { connection.pauseReading() }
        }
    }

    /// Removes a common reason and resumes all connections without another one.
    func resumeAllReading(_ reason: ReadPauses) {
        assert(reading.pauses.contains(reason), "the connections are not paused for it")
        reading.pauses.subtract(reason)
        for slot in peers.slots {
            if let connection = peers[slot].connection { resumeReading(connection) }
        }
    }

    // MARK: - A busy router

    /// Pauses a connection until the router accepts its frames again.
    func pauseUntilAccepted(_ connection: TCPConnection, isRefused: Bool) {
        pauseReading(slot(of: connection), because: .waiting)
        if isRefused { core.router.waits(slot(of: connection)) }
        reading.waiting.append(slot(of: connection), isRefused: isRefused)
    }

    /// Resumes paused connections whose frames the router accepts now: a limited number, those that
    /// have waited longest first.
    ///
    /// If the tick before used up its work, no more are resumed than can have a whole share in this
    /// one: the kernel chooses the order in which they are read, and otherwise the last ones might
    /// always be the same.
    func resumePaused() {
        reading.waiting.endRound()
        reading.handshakes.endRound()
        if core.router.isBusy { return }
        reading.waiting.wake(at: core.now.monotonic)
        takeInput()
        resumeHandshakes()
        publishing.listener?.resumeDeferred()
        let most = min(Self.resumedPerTick, core.router.sharesOfTick ?? .max)
        for _ in 0..<min(reading.waiting.count, most) {
            let slot = reading.waiting.removeFirst()
            // Another connection may have the slot by now.
            guard peers[slot].pauses.contains(.waiting),
                let connection = peers[slot].connection
            else { continue }
            if peers[slot].lingerUntil != .zero {
                resumeReading(connection, removing: .waiting)
                continue
            }
            if core.router.isPausedPublisher(slot) {
                waitForResume(slot)
                continue
            }
            if let end = core.router.restEnd(slot) {
                reading.waiting.rest(slot, until: end)
                continue
            }
            if core.router.isPaused(slot) {
                reading.waiting.append(slot, isRefused: true)
                continue
            }
            resumeReading(connection, removing: .waiting)
        }
    }

    /// Limits the next read of a connection to what the router can process within its share of the
    /// work: more would have to be kept and offered again.
    func adaptReadLimit(of connection: TCPConnection, took count: Int, of total: Int) {
        assert(count <= total, "more was consumed than had arrived")
        if !peers[slot(of: connection)].hasSession { return }
        if total - count > count / 4 && peers[slot(of: connection)].pauses.contains(.waiting) {
            connection.readLimit = max(Self.leastRead, count)
        } else if total >= connection.readLimit {
            let more = connection.readLimit / 8 + Self.leastRead
            connection.readLimit = min(Loop.slabBytes, connection.readLimit + more)
        }
    }

    /// Lets connections bring as much input as the next tick has work for.
    private func takeInput() {
        // Limits reads to what one connection may spend; more would have to be kept.
        core.loop.readLimit = min(
            Loop.slabBytes,
            max(Self.leastRead, core.router.workShare / WorkCost.scannedByte)
        )
        thisTick.acceptedCount = 0
        thisTick.handshakeWork = 0
        core.loop.takesHandshakes = true
        if core.loop.takesInput && core.loop.accepts { return }
        core.loop.takesInput = true
        core.loop.accepts = !holdsBackConnections
        for listener in handles.listeners { listener.acceptWaiting() }
    }
}
