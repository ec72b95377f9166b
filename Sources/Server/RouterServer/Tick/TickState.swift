internal import Basics
internal import RouterCore

/// State of the present tick of the loop.
struct TickState {
    var clock: TickClock
    /// Number of the tick.
    var serial: UInt64 = 1
    /// Bytes of input in this tick; beyond `Server.tickInputLimit` the tick ends early.
    var inputByteCount = 0
    /// Connections accepted since input was last resumed.
    var acceptedCount = 0
    /// What the TLS handshakes have cost since input was last resumed, in units of `WorkCost`.
    var handshakeWork = 0
    /// Who pays for the present callback of the loop.
    var payer = CallbackPayer.none
    /// The part of the present callback for which its payer does not pay.
    var unpaid = Nanoseconds.zero
    /// True while `Server.tick` runs: it must not be entered again.
    var isStepping = false
    /// Position to which the journal must be committed before answers of this tick may leave.
    var journalEnd: UInt64 = 0

    init(clock: TickClock) { self.clock = clock }
}
