/// State of the present tick of the loop.
struct TurnState {
    var clock: TurnClock
    /// Number of the tick.
    var serial: UInt64 = 1
    /// Bytes of input; beyond `Server.turnInputLimit` the tick ends early.
    var inputByteCount = 0
    /// Connections accepted since input was last resumed.
    var acceptedCount = 0
    /// True while `Server.turn` runs: it must not be entered again.
    var isStepping = false
    /// Position to which the journal must be committed before answers of this tick may leave.
    var journalEnd: UInt64 = 0

    init(clock: TurnClock) {
        self.clock = clock
    }
}
