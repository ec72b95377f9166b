internal import Basics
internal import RouterCore

/// State of the present tick of the loop.
struct TickState {
    /// Number of the tick.
    var serial: UInt64 = 1
    /// Bytes of input in this tick; beyond `Server.tickInputLimit` the tick ends early.
    var inputByteCount = 0
    /// True while `Server.tick` runs: it must not be entered again.
    var isStepping = false
}
