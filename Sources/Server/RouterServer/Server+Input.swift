internal import AdminAPI
internal import LibuvLoop
internal import Logging
internal import ReloadModel
internal import RouterCore

/// All input that is kept: frames that are not whole yet, and what came while the router took none.
///
///     free memory ──► a read may bring a sixteenth of it (`Loop.inputShare`), at least a page
///     none left ────► connections are ended until a quarter is free: first those that do not read
///                     their answers, then publishers of paused apps, then the oldest unfinished
///                     frames; if that is not enough, no connection is read from
///
/// The rest of what those have sent who wait for the router is offered to it all the same: so the
/// memory becomes free without anybody being read from.
extension Server {
    /// Sees to it that a read may be kept; to be called with each.
    ///
    /// - Parameter reader: who is being read from, and is not ended for it.
    func makeInputRoom(for reader: UInt32) {
        let limit = configuration.limits.totalInput
        metrics.keptInputMax = max(metrics.keptInputMax, loop.keptInputByteCount)
        if loop.keptInputByteCount < limit || reading.pauses.contains(.totalInput) { return }
        endOldestInput(but: reader, until: limit / 4 * 3)
        if loop.keptInputByteCount < limit { return }
        pauseEverybody(.totalInput)
        logger.warning(
            "nobody is read from: too much input is kept",
            metadata: ["input": "\(loop.keptInputByteCount)"]
        )
    }

    /// Reads from everybody again when a quarter of the memory is free.
    ///
    /// An unfinished frame cannot be finished while no connection is read from. So once all whole frames
    /// have been taken, connections with unfinished ones are ended, until a quarter is free.
    func limitTotalInput() {
        if !reading.pauses.contains(.totalInput) { return }
        let goal = configuration.limits.totalInput / 4 * 3
        if loop.keptInputByteCount > goal && reading.held.isEmpty && reading.held.restEnd == nil {
            endOldestInput(but: .max, until: goal)
        }
        if loop.keptInputByteCount > goal { return }
        resumeEverybody(.totalInput)
        logger.notice(
            "inputs are read again",
            metadata: ["input": "\(loop.keptInputByteCount)"]
        )
    }

    /// Whether what is kept of a connection is not just the beginning of a frame.
    func hasWholeFrames(_ connection: TCPConnection) -> Bool {
        connection.carryCount > 0 && !connection.keepsBeginning
    }

    /// Ends those whose input has been kept for longest, by the second, until little enough is left.
    ///
    /// Looks at each connection twice, and then not again before a quarter of the memory has filled.
    private func endOldestInput(but reader: UInt32, until goal: Int) {
        var byteCounts = [Int](repeating: 0, count: Self.inputAges + 1)
        for slot in peers.slots where slot != reader {
            guard let age = inputAge(slot) else { continue }
            byteCounts[age] += peers[slot].connection!.keptInputByteCount
        }
        var excess = loop.keptInputByteCount - goal
        var youngest = Self.inputAges + 1
        while youngest > 0 && excess > 0 {
            youngest -= 1
            excess -= byteCounts[youngest]
        }
        var count = 0
        for slot in peers.slots where slot != reader && loop.keptInputByteCount > goal {
            guard let age = inputAge(slot), age >= youngest else { continue }
            endInput(slot)
            count += 1
        }
        if count == 0 { return }
        metrics.refused.input &+= UInt64(count)
        logger.warning(
            "connections are ended: too much input is kept",
            metadata: ["connections": "\(count)", "input": "\(loop.keptInputByteCount)"]
        )
    }

    /// For how long input of a connection has been kept that may be thrown away, in seconds.
    ///
    /// That of a peer which does not read its answers is the oldest, and nearly as old what a paused
    /// app's publishers have sent: an operator may take hours to let the app go on.
    ///
    /// - Returns: nil if there is none.
    private func inputAge(_ slot: UInt32) -> Int? {
        guard let connection = peers[slot].connection, connection.keptInputByteCount > 0,
            peers[slot].lingerUntil == 0, !connection.isBeingLookedAt
        else { return nil }
        if peers[slot].pauses.contains(.ownOutput) && peers[slot].behindWelcome == nil {
            return Self.inputAges
        }
        if connection.carryCount == 0 { return nil }
        if router.waitsForOperator(slot) { return Self.inputAges - 1 }
        if !connection.keepsBeginning { return nil }
        let age = router.partialFrameAge(slot, now: thisTurn.clock.now()) ?? 0
        return min(Self.inputAges - 2, Int(age / 1_000))
    }

    private func endInput(_ slot: UInt32) {
        guard let connection = peers[slot].connection else { return }
        if peers[slot].pauses.contains(.ownOutput) { return release(connection) }
        router.evictInput(slot, now: thisTurn.clock.now())
        connection.discardInput()
        scheduleTurn()
    }

    /// Seconds that are told apart; whatever is older is as old.
    private static var inputAges: Int { 64 }
}
