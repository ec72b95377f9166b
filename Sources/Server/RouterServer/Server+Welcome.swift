internal import DataStructures
internal import LibuvLoop
internal import RouterCore
internal import RouterStore

/// Sessions whose WELCOME awaits its commit: no other frame may leave before it.
///
///     WELCOME waits │ what was decided with it, PONGs: kept, to a limit │ WELCOME and these leave
///                   │ RELOADs: wait in the router, and coalesce         │ and RELOADs
extension Server {
    /// Marks that the WELCOME of a session awaits its commit.
    func waitForWelcome(_ slot: UInt32) {
        peers[slot].behindWelcome = []
        router.filled(slot)
    }

    /// Keeps a frame until the WELCOME of its session has left; kept frames leave in order.
    func keepBehindWelcome(_ slot: UInt32, _ frame: ByteView) {
        peers[slot].behindWelcome! += frame.array
        driver!.behindWelcomeByteCount += frame.count
        let waiting = peers[slot].behindWelcome!.count
        if waiting > Self.behindWelcomeLimit { pauseReading(slot, .ownOutput) }
    }

    /// The WELCOME of a session has been written: appends the frames kept for after it.
    func welcomed(_ slot: UInt32) {
        guard let frames = takeBehindWelcome(slot), let connection = peers[slot].connection
        else { return }
        frames.withByteView { connection.append($0) }
        if peers[slot].hasHungUp { return }
        router.drained(slot)
        resumeReading(connection, .ownOutput)
    }

    /// Removes and returns the frames kept for after a WELCOME; nil if none awaits its commit.
    func takeBehindWelcome(_ slot: UInt32) -> [UInt8]? {
        guard let frames = peers[slot].behindWelcome else { return nil }
        peers[slot].behindWelcome = nil
        driver!.behindWelcomeByteCount -= frames.count
        return frames
    }
}
