internal import AdminAPI
internal import LibuvLoop
internal import Logging
internal import ReloadModel
internal import RouterCore
internal import RouterStore

/// All output: what peers have not taken, what waits for the store, and answers of this turn.
///
///     one connection at its share ──► its RELOADs wait, it is not read from ──► until half is gone
///     all together at the limit ────► RELOADs wait, nobody is read from ──► until a quarter is free
///         for more than 5 s ────────► those who hold most are closed, until half is free
///
/// A share is at most a sixteenth of what is free. So a few who do not read cannot bring the sum to
/// its limit, and who reads goes on beside them; only thousands of them can.
extension Server {
    /// Bytes that wait for peers.
    var waitingOutput: Int {
        loop.outputByteCount + (driver?.waitingByteCount ?? 0) + router.outbox.room.answerByteCount
    }

    /// Bytes that may wait for one peer.
    private var outputShare: Int {
        let limits = configuration.limits
        let share = (limits.totalOutput - waitingOutput) / 16
        return min(limits.connectionOutput, max(Self.leastOutputShare, share))
    }

    /// Says how much the router may make before the next turn for the frames of one connection.
    ///
    /// - Parameter slot: the connection's; nil for pushes over HTTP, whose answers stay here.
    func setAnswerRoom(_ slot: UInt32?) {
        var room = configuration.limits.totalOutput - waitingOutput
        if let slot, let connection = peers[slot].connection {
            let own = connection.outputByteCount + peers[slot].uncommittedByteCount
            room = min(room, outputShare - own)
        }
        router.outbox.room.answerLimit = router.outbox.room.answerByteCount + max(1, room)
    }

    /// Says how much the next step may make of RELOADs.
    func setReloadRoom() {
        let room = configuration.limits.totalOutput - waitingOutput
        router.outbox.room.reloadLimit = reading.pauses.contains(.totalOutput) ? 0 : max(0, room)
    }

    /// A peer that does not read gets no more RELOADs (they wait, and coalesce), and is not read
    /// from, so that what it is owed in answers does not grow either.
    func limitOutput(_ connection: TCPConnection) {
        let slot = connection.slot
        if slot == UInt32.max { return }
        let waiting = connection.outputByteCount + peers[slot].uncommittedByteCount
        if peers[slot].pauses.contains(.ownOutput) {
            if waiting <= connection.drainThreshold { outputDrained(connection) }
            return
        }
        if waiting <= Self.leastOutputShare { return }
        let share = outputShare
        if waiting <= share { return }
        router.filled(slot)
        pauseReading(slot, .ownOutput)
        connection.tellDrained(at: share / 2)
    }

    /// Goes on with a peer that was full, unless answers that wait for the store keep it so.
    func outputDrained(_ connection: TCPConnection) {
        let peer = peers[connection.slot]
        guard peer.pauses.contains(.ownOutput), peer.behindWelcome == nil,
            connection.outputByteCount + peer.uncommittedByteCount <= connection.drainThreshold
        else { return }
        router.drained(connection.slot)
        resumeReading(connection, .ownOutput)
        // Its RELOADs that waited go out now, not when somebody else wakes the loop.
        if router.needsStep { scheduleTurn() }
    }

    /// While all output together is at its limit, nobody is read from and no RELOADs are made.
    func limitTotalOutput() {
        let total = waitingOutput
        let limit = configuration.limits.totalOutput
        if !reading.pauses.contains(.totalOutput) {
            if total < limit { return setReloadRoom() }
            pauseEverybody(.totalOutput)
            reading.totalOutputSince = thisTurn.clock.now().monotonic
            logger.warning(
                "nobody is read from: too much output waits",
                metadata: ["output": "\(total)"]
            )
        } else if total <= limit / 4 * 3 {
            resumeEverybody(.totalOutput)
            logger.notice("inputs are read again", metadata: ["output": "\(total)"])
            if phase == .serving { scheduleTurn() }
        }
        setReloadRoom()
    }

    /// What waits at this moment, if it is more than ever.
    func noteOutput() {
        metrics.outputMax = max(metrics.outputMax, waitingOutput)
    }

    /// Closes the connections that hold most of the output when that has stood at its limit for too
    /// long: nobody else would be heard for as long as they do not read.
    ///
    /// They are not told why: it would have to wait behind what they do not read.
    func closeWhoHoldsMost() {
        guard reading.pauses.contains(.totalOutput),
            thisTurn.clock.now().monotonic - reading.totalOutputSince >= Self.outputPatience
        else { return }
        var excess = loop.outputByteCount - configuration.limits.totalOutput / 2
        // By the number of binary digits of what they hold.
        var byteCounts = [Int](repeating: 0, count: Int.bitWidth + 1)
        for slot in peers.slots {
            guard let held = peers[slot].connection?.outputByteCount, held > 0 else { continue }
            byteCounts[Int.bitWidth - held.leadingZeroBitCount] += held
        }
        var least = byteCounts.count
        var above = 0
        while least > 1 && above < excess {
            least -= 1
            above += byteCounts[least]
        }
        var count = 0
        for slot in peers.slots where excess > 0 {
            guard let connection = peers[slot].connection else { continue }
            let held = connection.outputByteCount
            if held == 0 || Int.bitWidth - held.leadingZeroBitCount < least { continue }
            excess -= held
            count += 1
            release(connection)
        }
        if count == 0 { return }
        metrics.refused.output &+= UInt64(count)
        logger.warning(
            "connections are closed: their peers do not read",
            metadata: ["connections": "\(count)"]
        )
    }

    /// Bytes that may wait for a peer however little is free.
    static var leastOutputShare: Int { 4_096 }
    /// How long all output may stand at its limit before connections are closed, in ms.
    static var outputPatience: Int64 { 5_000 }
}
