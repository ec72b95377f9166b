internal import AdminAPI
internal import Basics
internal import Cryptography
internal import LibuvLoop
internal import Logging
internal import RouterCore
internal import RouterStore

/// Which connections are accepted and read from in each tick, and which are not, and why:
/// `ReadPauses` lists the reasons to leave a peer's bytes with the kernel; a connection is read
/// from only when none applies.
final class Reading {
    /// Reasons for which no connection at all is read from.
    var pauses: ReadPauses = []
    /// True if no connection is read from because too much waits for the store.
    var waitsForStore: Bool { pauses.contains(.store) }
    /// Connections paused until the router accepts their frames.
    var waiting = PausedConnections()
    /// Publishers whose app is paused; their connections may have closed since.
    private var pausedPublishers: [ConnectionSlot] = []
    /// Connections whose handshakes wait for a tick that has work for them.
    var handshakes = PausedConnections()
    /// How fast connections begin their sessions.
    var sessionRate = SessionRate()
    /// What accepts connections.
    var listeners: [TCPListener] = []
    /// Connections accepted since input was last resumed.
    var acceptedCount = 0
    /// What the TLS handshakes have cost since input was last resumed, in units of `WorkCost`.
    var handshakeWork = 0
    let core: Core
    let peers: PeerTable
    let metrics: ServerMetrics
    /// TLS; nil if the server speaks without.
    let security: TLSServerContext?

    /// The smallest limit of a read in bytes, however many connections share the work: each read
    /// has a fixed cost.
    private static var leastRead: Int { 16 << 10 }
    /// Paused connections that are looked at in one tick; the others follow in the next.
    private static var resumedPerTick: Int { 512 }

    init(_ core: Core, peers: PeerTable, metrics: ServerMetrics, security: TLSServerContext?) {
        self.core = core
        self.peers = peers
        self.metrics = metrics
        self.security = security
    }

    /// The addresses listened on, as `HOST:PORT`.
    var addresses: [String] { listeners.map { $0.localAddress.description } }

    /// Pauses a connection until the reason is removed.
    func pause(_ slot: ConnectionSlot, because reason: ReadPauses) {
        peers[slot].pauses.insert(reason)
        // Input of a connection that is being ended is discarded, so it cannot pile up and is not
        // paused.
        if peers[slot].lingerUntil == .zero { peers[slot].connection?.pauseReading() }
    }

    /// Resumes a connection, which has a slot, after a reason of its own to pause it no longer
    /// applies (empty if a common one does not), unless another one is left.
    func resume(_ connection: TCPConnection, removing reason: ReadPauses = []) {
        let slot = connection.peerSlot
        peers[slot].pauses.subtract(reason)
        let peer = peers[slot]
        let mustWait =
            !peer.pauses.isEmpty || !pauses.subtracting(.totalInput).isEmpty
            || (pauses.contains(.totalInput) && !hasWholeFrames(connection))
        if peer.lingerUntil != .zero || !mustWait { connection.resumeReading() }
    }

    /// Pauses all connections until the reason is removed. If too much input is kept, those that
    /// are about to be offered kept frames are not paused: nothing else would free that memory.
    ///
    /// Only reading detects the end of a peer: a connection closed by its peer meanwhile keeps its
    /// descriptor until it is resumed or written to. There are never more of these than
    /// `RouterLimits.connections`.
    func pauseAll(_ reason: ReadPauses) {
        assert(!pauses.contains(reason), "all connections are paused for it already")
        pauses.insert(reason)
        for slot in peers.slots where peers[slot].lingerUntil == .zero {
            guard let connection = peers[slot].connection else { continue }
            if reason != .totalInput || !hasWholeFrames(connection) { connection.pauseReading() }
        }
    }

    /// Removes a common reason and resumes all connections without another one.
    func resumeAll(_ reason: ReadPauses) {
        assert(pauses.contains(reason), "the connections are not paused for it")
        pauses.subtract(reason)
        for slot in peers.slots {
            if let connection = peers[slot].connection { resume(connection) }
        }
    }

    /// Pauses a connection until the router accepts its frames again.
    func pauseUntilAccepted(_ connection: TCPConnection, isRefused: Bool) {
        pause(connection.peerSlot, because: .waiting)
        if isRefused { core.router.waits(connection.peerSlot) }
        waiting.append(connection.peerSlot, isRefused: isRefused)
    }

    /// Begins the round of a tick: lets connections bring input and continue handshakes, unless the
    /// tick before used up its work. Returns false if it has, and none may be resumed.
    func beginRound() -> Bool {
        waiting.endRound()
        handshakes.endRound()
        if core.router.isBusy { return false }
        waiting.wake(at: core.now.monotonic)
        takeInput()
        resumeHandshakes()
        return true
    }

    /// Resumes paused connections whose frames the router accepts now: a limited number, those that
    /// have waited longest first.
    ///
    /// If the tick before used up its work, no more are resumed than can have a whole share in this
    /// one: the kernel chooses the order in which they are read, and otherwise the last ones might
    /// always be the same.
    func resumeWaiting() {
        let most = min(Self.resumedPerTick, core.router.sharesOfTick ?? .max)
        for _ in 0..<min(waiting.count, most) {
            let slot = waiting.removeFirst()
            // Another connection may have the slot by now.
            guard peers[slot].pauses.contains(.waiting),
                let connection = peers[slot].connection
            else { continue }
            if peers[slot].lingerUntil != .zero {
                resume(connection, removing: .waiting)
                continue
            }
            if core.router.isPausedPublisher(slot) {
                waitForResume(slot)
                continue
            }
            if let end = core.router.restEnd(slot) {
                waiting.rest(slot, until: end)
                continue
            }
            if core.router.isPaused(slot) {
                waiting.append(slot, isRefused: true)
                continue
            }
            resume(connection, removing: .waiting)
        }
    }

    /// Limits the next read of a connection to what the router can process within its share of the
    /// work: more would have to be kept and offered again.
    func adaptReadLimit(of connection: TCPConnection, took count: Int, of total: Int) {
        assert(count <= total, "more was consumed than had arrived")
        if !peers[connection.peerSlot].hasSession { return }
        if total - count > count / 4 && peers[connection.peerSlot].pauses.contains(.waiting) {
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
        acceptedCount = 0
        handshakeWork = 0
        core.loop.takesHandshakes = true
        if core.loop.takesInput && core.loop.accepts { return }
        core.loop.takesInput = true
        core.loop.accepts = !holdsBackConnections
        for listener in listeners { listener.acceptWaiting() }
    }

    /// Sets a paused app's publisher aside until its app resumes.
    private func waitForResume(_ slot: ConnectionSlot) {
        assert(peers[slot].pauses.contains(.waiting), "the publisher is read from")
        pausedPublishers.append(slot)
        // Slots of closed connections are removed from the list only here and by
        // `requeuePausedPublishers`.
        if pausedPublishers.count > 2 * peers.slots.count + 64 {
            pausedPublishers = Set(pausedPublishers).sorted()
        }
    }

    /// Queues the publishers set aside, so that they are read from again. Those whose app is still
    /// paused will be set aside again.
    func requeuePausedPublishers() {
        var slots: [ConnectionSlot] = []
        swap(&slots, &pausedPublishers)
        for slot in slots { waiting.append(slot, isRefused: true) }
        core.scheduleTick()
    }

    /// Refuses a request while the store does not keep up and no connection is read from.
    ///
    /// - Throws: `busy`.
    func requireStoreRoom() throws(AdminProblem) {
        if waitsForStore {
            throw .busy("the store does not keep up: nothing is accepted until it does")
        }
    }

    /// Pauses all reading and refuses connections while too much waits for the store.
    func limit(by driver: CommitDriver) {
        if !waitsForStore && !driver.hasRoom {
            pauseAll(.store)
            core.logger.warning(
                "no connection is read: too much waits for the store",
                metadata: [
                    "journal": "\(driver.waitingJournalByteCount)",
                    "answers": "\(driver.waitingByteCount)",
                ]
            )
        } else if waitsForStore && driver.hasRoomAgain {
            resumeAll(.store)
            core.logger.notice("inputs are read again")
        }
    }
}

/// The reasons for which a connection is paused: its bytes stay with the kernel until no reason is
/// left.
///
/// A reason belongs either to one peer (`PeerEntry.pauses`) or to all of them
/// (`Reading.pauses`). Code that adds a reason pauses the connection; code that removes one
/// calls `Reading.resume`, which alone decides whether another reason is left.
struct ReadPauses: OptionSet {
    let rawValue: UInt8

    /// One peer: it does not read its output, or too many frames wait for its WELCOME.
    static var ownOutput: ReadPauses { ReadPauses(rawValue: 1 << 0) }
    /// One peer: the router accepts no frames of it now. Its slot is in `Reading.waiting`, or
    /// in `Reading.pausedPublishers` while its app is paused.
    static var waiting: ReadPauses { ReadPauses(rawValue: 1 << 1) }
    /// One peer: its token is being verified.
    static var verdict: ReadPauses { ReadPauses(rawValue: 1 << 5) }
    /// One peer: its handshake waits. Its slot is in `Reading.handshakes`.
    static var handshake: ReadPauses { ReadPauses(rawValue: 1 << 6) }
    /// All peers: too much waits for the store.
    static var store: ReadPauses { ReadPauses(rawValue: 1 << 2) }
    /// All peers: the output of all connections together is at its limit.
    static var totalOutput: ReadPauses { ReadPauses(rawValue: 1 << 3) }
    /// All peers: the input kept for all connections together is at its limit.
    static var totalInput: ReadPauses { ReadPauses(rawValue: 1 << 4) }
}
