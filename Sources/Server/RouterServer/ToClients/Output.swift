internal import AdminAPI
internal import Basics
internal import LibuvLoop
internal import Logging
internal import RouterCore
internal import RouterStore

/// The output to clients: frames of a tick (`Output+Frames`), and the limit of all output: bytes
/// that peers have not read, answers awaiting commit, and answers of this tick.
///
///     one connection at its share ──► its RELOADs wait, it is paused ──► until half is gone
///     all together at the limit ────► RELOADs wait, all are paused ────► until a quarter is free
///         for more than 5 s ────────► those with most output are closed, until half is free
///
/// A share is at most a sixteenth of the free output memory. So a few peers that do not read cannot
/// fill it, and peers that read are not affected; only thousands of slow peers can fill it.
final class Output {
    let core: Core
    let peers: PeerTable
    let reading: Reading
    let metrics: ServerMetrics
    let admission: SessionAdmission
    /// Publishers over HTTP, whose frames are not written to a connection.
    let sessions: PushSessions
    /// The frames of the present tick, while they are sent.
    var frames = OutgoingFrames()
    /// When the output of all connections reached its limit; valid while `Reading.pauses` contains
    /// `totalOutput`.
    private var limitedSince = MonotonicTime.zero

    /// Bytes of output that may wait for a peer however little memory is free.
    private static var leastOutputShare: Int { 4_096 }
    /// How long the total output may stay at its limit before connections are closed.
    private static var outputPatience: Milliseconds { .seconds(5) }

    init(_ reading: Reading, admission: SessionAdmission, sessions: PushSessions) {
        core = reading.core
        peers = reading.peers
        metrics = reading.metrics
        self.reading = reading
        self.admission = admission
        self.sessions = sessions
    }

    /// Bytes of output that wait: for peers, for commits, or for the end of the tick.
    var waiting: Int {
        core.loop.outputByteCount + (core.driver?.waitingByteCount ?? 0)
            + core.router.outbox.allowance.answerByteCount
    }

    /// Bytes of output that may wait for one peer at present.
    private var outputShare: Int {
        let limits = core.limits
        let share = (limits.totalOutput - waiting) / 16
        return min(limits.connectionOutput, max(Self.leastOutputShare, share))
    }

    /// Sets how many bytes of answers the router may produce for frames of one connection before
    /// the next tick; nil stands for pushes over HTTP, whose answers are not written to a
    /// connection.
    func setAnswerLimit(_ slot: ConnectionSlot?) {
        var free = core.limits.totalOutput - waiting
        if let slot, let connection = peers[slot].connection {
            let own = connection.outputByteCount + peers[slot].uncommittedByteCount
            free = min(free, outputShare - own)
        }
        core.router.outbox.allowance.answerLimit =
            core.router.outbox.allowance.answerByteCount + max(1, free)
    }

    /// Sets how many bytes of RELOADs the next step may produce.
    func setReloadLimit() {
        let free = core.limits.totalOutput - waiting
        core.router.outbox.allowance.reloadLimit =
            reading.pauses.contains(.totalOutput) ? 0 : max(0, free)
    }

    /// Pauses a connection whose waiting output exceeds its share: its RELOADs wait in the router
    /// and coalesce, and it is not read from, so that answers to it do not grow either.
    func limit(_ connection: TCPConnection) {
        let slot = connection.peerSlot
        if slot.isNone { return }
        let waiting = connection.outputByteCount + peers[slot].uncommittedByteCount
        if peers[slot].pauses.contains(.ownOutput) {
            if waiting <= connection.drainThreshold { drained(connection) }
            return
        }
        if waiting <= Self.leastOutputShare { return }
        let share = outputShare
        if waiting <= share { return }
        core.router.outputFilled(slot)
        reading.pause(slot, because: .ownOutput)
        connection.reportDrained(at: share / 2)
    }

    /// Resumes a paused connection whose output has drained, unless answers awaiting commit keep it
    /// full.
    func drained(_ connection: TCPConnection) {
        let peer = peers[connection.peerSlot]
        guard peer.pauses.contains(.ownOutput), peer.afterWelcome == nil,
            connection.outputByteCount + peer.uncommittedByteCount <= connection.drainThreshold
        else { return }
        core.router.outputDrained(connection.peerSlot)
        reading.resume(connection, removing: .ownOutput)
        // Its waiting RELOADs leave now, not only when something else wakes the loop.
        if core.router.needsStep { core.scheduleTick() }
    }

    /// Pauses all reading and all RELOADs while the total output is at its limit, and resumes when
    /// a quarter is free.
    func limitTotal() {
        let total = waiting
        let limit = core.limits.totalOutput
        if !reading.pauses.contains(.totalOutput) {
            if total < limit { return setReloadLimit() }
            reading.pauseAll(.totalOutput)
            limitedSince = core.now.monotonic
            core.logger.warning(
                "no connection is read: too much output waits",
                metadata: ["output": "\(total)"]
            )
        } else if total <= limit / 4 * 3 {
            reading.resumeAll(.totalOutput)
            core.logger.notice("inputs are read again", metadata: ["output": "\(total)"])
            if core.phase == .serving { core.scheduleTick() }
        }
        setReloadLimit()
    }

    /// Records the highest output so far.
    func recordLargest() {
        metrics.loop.outputMax = max(metrics.loop.outputMax, waiting)
    }

    /// Closes the connections with most output when the total has been at its limit for too long:
    /// otherwise no connection would be served until their peers read.
    ///
    /// They get no ERROR: it would queue after the output that they do not read.
    func closeLargest(of all: @autoclosure () -> [OutputHolder]) {
        guard reading.pauses.contains(.totalOutput),
            core.now.monotonic - limitedSince >= Self.outputPatience
        else { return }
        let holders = all().filter { $0.byteCount > 0 }
        var excess = core.loop.outputByteCount - core.limits.totalOutput / 2
        // Sums, by the number of binary digits of a connection's output.
        var byteCounts = [Int](repeating: 0, count: Int.bitWidth + 1)
        for (waiting, _) in holders {
            byteCounts[Int.bitWidth - waiting.leadingZeroBitCount] += waiting
        }
        var least = byteCounts.count
        var above = 0
        while least > 1 && above < excess {
            least -= 1
            above += byteCounts[least]
        }
        var count = 0
        for (waiting, close) in holders where excess > 0 {
            if Int.bitWidth - waiting.leadingZeroBitCount < least { continue }
            excess -= waiting
            count += 1
            close()
        }
        if count == 0 { return }
        metrics.loop.refused.output &+= UInt64(count)
        core.logger.warning(
            "connections are closed: their peers do not read",
            metadata: ["connections": "\(count)"]
        )
    }
}

/// A connection, the bytes of output that its peer has yet to read, and what closes it.
typealias OutputHolder = (byteCount: Int, close: () -> Void)
