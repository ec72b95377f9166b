internal import LibuvLoop

/// What the server keeps of a connection, or of a publisher over HTTP, which has none.
struct PeerEntry {
    var connection: TCPConnection?
    /// Who is at its other end; nil for none.
    var network: PeerNetwork?
    /// In ms since 1970.
    var openedAt: Int64 = 0
    var isDirty = false
    /// Why this peer is not read from, beside the reasons that all have.
    var pauses: ReadPauses = []
    /// Bytes of its answers that wait for the store.
    var uncommittedByteCount = 0
    /// Counts the connections that had the slot.
    var serial: UInt32 = 0
    /// Frames that leave right behind its WELCOME, while that is held; nil if it is not.
    var behindWelcome: [UInt8]?
    /// Its WELCOME was sent, or is held.
    var hasSession = false
    /// It was told why it gets no session; counted by `PeerTable.refusedCount`.
    var isRefused = false
    /// Its peer has ended its side, and is still owed answers.
    var hasHungUp = false
    /// Its frames that wait for a commit.
    var uncommittedCount = 0
    /// The last turn in which the router was given frames of it.
    var inputTurn: UInt64 = 0
    /// Bytes of frames that the router has taken.
    var inputByteCount: UInt64 = 0
    /// The server is draining, and has sent it everything.
    var isLeaving = false
    /// Being ended: its input is thrown away until it closes its end, or until this time (ms,
    /// monotonic), also if its ERROR is still held then; 0 while it is not being ended.
    var lingerUntil: Int64 = 0
}
