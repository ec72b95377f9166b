internal import LibuvLoop
internal import Logging
internal import ReloadModel
internal import RouterCore

/// From whom is read: there are four reasons to leave a peer's bytes with the kernel for a while,
/// and only when none is left they are taken again.
extension Server {
    /// Reads from a connection again, unless there is another reason not to.
    func resumeReading(_ connection: TCPConnection) {
        let slot = connection.slot
        let peer = peers[Int(slot)]
        let mustWait =
            peer.isFull || peer.isHeld || inputsPaused
            || (publishersPaused && router.isPublisher(slot))
        // What comes from a peer that is being ended is thrown away, and nothing piles up.
        if peer.lingerUntil != 0 || !mustWait { connection.resumeReading() }
    }

    // MARK: - A busy router

    /// Does not read from a connection until the router takes its frames again.
    func hold(_ connection: TCPConnection, isRefused: Bool) {
        connection.pauseReading()
        peers[Int(connection.slot)].isHeld = true
        held.append(connection.slot, isRefused: isRefused)
        if router.isBusy { loop.readLimit = Self.busyReadLimit }
    }

    /// Reads again from those that were held, and whose frames the router takes.
    func releaseHeld() {
        if held.isEmpty || router.isBusy { return }
        loop.readLimit = Loop.slabBytes
        for slot in held.removeAll() {
            // Another connection may have the slot by now.
            guard peers[Int(slot)].isHeld, let connection = peers[Int(slot)].connection else {
                continue
            }
            if router.isPausedPublisher(slot) {
                waitForResume(slot)
                continue
            }
            if router.holds(slot) {
                held.append(slot, isRefused: true)
                continue
            }
            peers[Int(slot)].isHeld = false
            router.heardAgain(slot, now: clock.now())
            resumeReading(connection)
        }
    }

    // MARK: - Much output

    /// A peer that does not read gets no more RELOADs (they wait, and coalesce), and is not read
    /// from, so that what it is owed in answers does not grow either.
    func limitOutput(_ connection: TCPConnection) {
        let slot = connection.slot
        guard connection.outputByteCount > configuration.limits.connectionOutput,
            slot != UInt32.max, !peers[Int(slot)].isFull
        else { return }
        peers[Int(slot)].isFull = true
        router.filled(slot)
        if peers[Int(slot)].lingerUntil == 0 { connection.pauseReading() }
    }

    /// While all output together is above its limit, publishers are not read from.
    func limitTotalOutput() {
        let total = loop.outputByteCount
        let limit = configuration.limits.totalOutput
        if !publishersPaused && total > limit {
            publishersPaused = true
            forEachPublisher { $0.pauseReading() }
            logger.warning("publishers are not read from", metadata: ["output": "\(total)"])
        } else if publishersPaused && total < limit / 2 {
            publishersPaused = false
            forEachPublisher { resumeReading($0) }
            logger.notice("publishers are read from again", metadata: ["output": "\(total)"])
        }
    }

    private func forEachPublisher(_ body: (TCPConnection) -> Void) {
        for slot in peers.indices {
            guard let connection = peers[slot].connection, peers[slot].lingerUntil == 0,
                router.isPublisher(UInt32(slot))
            else { continue }
            body(connection)
        }
    }
}
