internal import AdminAPI
internal import Basics
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// The limit of all kept input: incomplete frames, and bytes that arrived while the router accepted
/// none.
///
///     free memory ──► a read may bring a sixteenth of it (`Loop.inputShare`), at least a page
///     none left ────► connections are ended until a quarter is free: first those that do not read
///                     their answers, then publishers of paused apps, then the oldest unfinished
///                     frames; if that is not enough, no connection is read from
///
/// Kept bytes of connections that wait for the router are still offered to it then, so the memory
/// becomes free although nothing is read.
extension Reading {
    /// Makes sure that the bytes of a read may be kept; to be called with each read. The connection
    /// being read is never ended to free memory. `release` closes one.
    func makeInputRoom(for reader: ConnectionSlot, release: (TCPConnection) -> Void) {
        let limit = core.limits.totalInput
        metrics.loop.keptInputMax = max(metrics.loop.keptInputMax, core.loop.keptInputByteCount)
        if core.loop.keptInputByteCount < limit || pauses.contains(.totalInput) { return }
        endOldestInput(but: reader, until: limit / 4 * 3, release: release)
        if core.loop.keptInputByteCount < limit { return }
        pauseAll(.totalInput)
        core.logger.warning(
            "no connection is read: too much input is kept",
            metadata: ["input": "\(core.loop.keptInputByteCount)"]
        )
    }

    /// Resumes reading when a quarter of the memory is free.
    ///
    /// An incomplete frame cannot be completed while no connection is read from. So once all
    /// complete frames have been consumed, connections with incomplete ones are ended until a
    /// quarter is free.
    func limitTotalInput(release: (TCPConnection) -> Void) {
        if !pauses.contains(.totalInput) { return }
        let goal = core.limits.totalInput / 4 * 3
        if core.loop.keptInputByteCount > goal && waiting.isEmpty && waiting.restEnd == nil {
            endOldestInput(but: .none, until: goal, release: release)
        }
        if core.loop.keptInputByteCount > goal { return }
        resumeAll(.totalInput)
        core.logger.notice(
            "inputs are read again",
            metadata: ["input": "\(core.loop.keptInputByteCount)"]
        )
    }

    /// True if kept bytes of a connection contain complete frames.
    func hasWholeFrames(_ connection: TCPConnection) -> Bool {
        connection.partialFrameCount > 0 && !connection.keepsPartialFrame
    }

    /// Ends the connections whose input has been kept longest (in whole seconds) until `goal` bytes
    /// or fewer are kept.
    ///
    /// Visits each connection twice. It runs again only after a quarter of the memory has filled.
    private func endOldestInput(
        but reader: ConnectionSlot,
        until goal: Int,
        release: (TCPConnection) -> Void
    ) {
        assert(core.loop.keptInputByteCount > goal, "no input need be discarded")
        var byteCounts = [Int](repeating: 0, count: Self.inputAges + 1)
        for slot in peers.slots where slot != reader {
            guard let age = inputAge(slot) else { continue }
            byteCounts[age] += peers[slot].connection!.keptInputByteCount
        }
        var excess = core.loop.keptInputByteCount - goal
        var youngest = Self.inputAges + 1
        while youngest > 0 && excess > 0 {
            youngest -= 1
            excess -= byteCounts[youngest]
        }
        var count = 0
        for slot in peers.slots where slot != reader && core.loop.keptInputByteCount > goal {
            guard let age = inputAge(slot), age >= youngest else { continue }
            endInput(slot, release: release)
            count += 1
        }
        if count == 0 { return }
        metrics.loop.refused.input &+= UInt64(count)
        core.logger.warning(
            "connections are ended: too much input is kept",
            metadata: ["connections": "\(count)", "input": "\(core.loop.keptInputByteCount)"]
        )
    }

    /// How long the discardable input of a connection has been kept, in seconds, at most
    /// `inputAges`; nil if it keeps none. A peer that does not read its answers counts as the
    /// oldest, a publisher of a paused app as the next: an operator may leave the app paused for
    /// hours.
    private func inputAge(_ slot: ConnectionSlot) -> Int? {
        guard let connection = peers[slot].connection, connection.keptInputByteCount > 0,
            peers[slot].lingerUntil == .zero, !connection.isInputOffered
        else { return nil }
        if peers[slot].pauses.contains(.ownOutput) && peers[slot].afterWelcome == nil {
            return Self.inputAges
        }
        if connection.partialFrameCount == 0 { return nil }
        if core.router.waitsForOperator(slot) { return Self.inputAges - 1 }
        if !connection.keepsPartialFrame { return nil }
        let age = core.router.partialFrameAge(slot, now: core.now) ?? .zero
        return min(Self.inputAges - 2, Int(age.wholeSeconds))
    }

    /// Ends a connection to free its input.
    private func endInput(_ slot: ConnectionSlot, release: (TCPConnection) -> Void) {
        guard let connection = peers[slot].connection else { return }
        assert(!connection.isInputOffered, "the router looks at the input")
        if peers[slot].pauses.contains(.ownOutput) { return release(connection) }
        core.router.evictInput(slot, now: core.now)
        connection.discardInput()
        core.scheduleTick()
    }

    /// The largest result of `inputAge`. The two largest have special meanings; input that has been
    /// kept for longer than `inputAges - 2` seconds counts as that old.
    private static var inputAges: Int { 64 }
}
