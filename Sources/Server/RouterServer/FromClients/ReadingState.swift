internal import Basics

/// Which connections the server does not read from, and why.
struct ReadingState {
    /// Reasons for which no connection at all is read from.
    var pauses: ReadPauses = []
    /// True if no connection is read from because too much waits for the store.
    var waitsForStore: Bool { pauses.contains(.store) }
    /// Connections paused until the router accepts their frames.
    var waiting = PausedConnections()
    /// Publishers whose app is paused; their connections may have closed since.
    var pausedPublishers: [ConnectionSlot] = []
    /// Connections whose handshakes wait for a tick that has work for them.
    var handshakes = PausedConnections()
    /// How fast connections begin their sessions.
    var sessionRate = SessionRate()
    /// When the output of all connections reached its limit; valid while `pauses` contains
    /// `totalOutput`.
    var totalOutputSince = MonotonicTime.zero
}

/// The reasons for which a connection is paused: its bytes stay with the kernel until no reason is
/// left.
///
/// A reason belongs either to one peer (`PeerEntry.pauses`) or to all of them
/// (`ReadingState.pauses`). Code that adds a reason pauses the connection; code that removes one
/// calls `Server.resumeReading`, which alone decides whether another reason is left.
struct ReadPauses: OptionSet {
    let rawValue: UInt8

    /// One peer: it does not read its output, or too many frames wait for its WELCOME.
    static var ownOutput: ReadPauses { ReadPauses(rawValue: 1 << 0) }
    /// One peer: the router accepts no frames of it now. Its slot is in `ReadingState.waiting`, or
    /// in `ReadingState.pausedPublishers` while its app is paused.
    static var waiting: ReadPauses { ReadPauses(rawValue: 1 << 1) }
    /// One peer: its token is being verified.
    static var verdict: ReadPauses { ReadPauses(rawValue: 1 << 5) }
    /// One peer: its handshake waits. Its slot is in `ReadingState.handshakes`.
    static var handshake: ReadPauses { ReadPauses(rawValue: 1 << 6) }
    /// All peers: too much waits for the store.
    static var store: ReadPauses { ReadPauses(rawValue: 1 << 2) }
    /// All peers: the output of all connections together is at its limit.
    static var totalOutput: ReadPauses { ReadPauses(rawValue: 1 << 3) }
    /// All peers: the input kept for all connections together is at its limit.
    static var totalInput: ReadPauses { ReadPauses(rawValue: 1 << 4) }
}
