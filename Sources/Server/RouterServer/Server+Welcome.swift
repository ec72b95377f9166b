internal import DataStructures
internal import LibuvLoop
internal import RouterCore
internal import RouterStore

/// Sessions whose WELCOME is held: until it has left, nothing else may.
///
///     WELCOME held │ what was decided with it, PONGs: kept, up to a limit │ WELCOME and these leave
///                  │ RELOADs: wait in the router, and coalesce            │ and RELOADs
extension Server {
    /// The WELCOME of a session is held from now on.
    func waitForWelcome(_ slot: UInt32) {
        peers[slot].behindWelcome = []
        router.filled(slot)
    }

    /// Keeps a frame until the WELCOME of its session has left, in the order of those like it.
    func keepBehindWelcome(_ slot: UInt32, _ frame: ByteView) {
        peers[slot].behindWelcome! += frame.array
        driver!.behindWelcomeByteCount += frame.count
        let waiting = peers[slot].behindWelcome!.count
        if waiting > Self.behindWelcomeLimit { pauseReading(slot, .ownOutput) }
    }

    /// The WELCOME of a session leaves: what has waited for it follows.
    func welcomed(_ slot: UInt32) {
        guard let frames = takeBehindWelcome(slot), let connection = peers[slot].connection
        else { return }
        frames.withByteView { connection.append($0) }
        if peers[slot].hasHungUp { return }
        router.drained(slot)
        resumeReading(connection, .ownOutput)
    }

    /// Nil if no WELCOME is held.
    func takeBehindWelcome(_ slot: UInt32) -> [UInt8]? {
        guard let frames = peers[slot].behindWelcome else { return nil }
        peers[slot].behindWelcome = nil
        driver!.behindWelcomeByteCount -= frames.count
        return frames
    }
}
