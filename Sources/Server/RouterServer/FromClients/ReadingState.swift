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
