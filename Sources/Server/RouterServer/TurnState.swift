/// What the server knows of the present turn of the loop.
struct TurnState {
    var clock: TurnClock
    /// Counts the turns.
    var serial: UInt64 = 1
    /// Bytes of input; beyond `Server.turnInputLimit` the turn ends early.
    var inputByteCount = 0
    /// Connections that were accepted.
    var acceptedCount = 0
    var isStepping = false
    /// Up to where the journal must be committed before its answers may leave.
    var journalEnd: UInt64 = 0

    init(clock: TurnClock) {
        self.clock = clock
    }
}
