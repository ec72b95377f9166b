internal import Basics
internal import LibuvLoop
internal import RouterCore
internal import RouterStore

/// Sessions whose WELCOME awaits its commit: no other frame may leave before it.
///
///     WELCOME waits │ what was decided with it, PONGs: kept, to a limit │ WELCOME and these leave
///                   │ RELOADs: wait in the router, and coalesce         │ and RELOADs
extension Output {
    /// Bytes of frames kept for after a WELCOME; beyond it, the peer is not read from.
    private static var afterWelcomeLimit: Int { 64 << 10 }

    /// Marks that the WELCOME of a session awaits its commit.
    func waitForWelcome(_ slot: ConnectionSlot) {
        assert(peers[slot].afterWelcome == nil, "a WELCOME of the session waits already")
        peers[slot].afterWelcome = []
        core.router.outputFilled(slot)
    }

    /// Keeps a frame until the WELCOME of its session has left; kept frames leave in order.
    func keepAfterWelcome(_ slot: ConnectionSlot, frame: ByteView) {
        peers[slot].afterWelcome! += frame.array
        core.driver!.afterWelcomeByteCount += frame.count
        let waiting = peers[slot].afterWelcome!.count
        if waiting > Self.afterWelcomeLimit { reading.pause(slot, because: .ownOutput) }
    }

    /// The WELCOME of a session has been written: appends the frames kept for after it.
    func welcomed(_ slot: ConnectionSlot) {
        guard let frames = takeAfterWelcome(slot), let connection = peers[slot].connection
        else { return }
        frames.withByteView { connection.append($0) }
        if peers[slot].hasHungUp { return }
        core.router.outputDrained(slot)
        reading.resume(connection, removing: .ownOutput)
    }

    /// Removes and returns the frames kept for after a WELCOME; nil if none awaits its commit.
    func takeAfterWelcome(_ slot: ConnectionSlot) -> [UInt8]? {
        guard let frames = peers[slot].afterWelcome else { return nil }
        peers[slot].afterWelcome = nil
        core.driver!.afterWelcomeByteCount -= frames.count
        assert(core.driver!.afterWelcomeByteCount >= 0, "more frames leave than were kept")
        return frames
    }
}
