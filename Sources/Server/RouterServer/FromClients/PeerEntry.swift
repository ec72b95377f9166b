internal import Basics
internal import LibuvLoop

/// The server's state of one connection, or of a publisher over HTTP, which has no connection.
/// `PeerTable` has one for each slot.
struct PeerEntry {
    /// The connection to the peer; nil for a publisher over HTTP, and after it was released.
    var connection: TCPConnection?
    /// The network of the peer's address; nil for a publisher over HTTP.
    var network: PeerNetwork?
    /// When the connection was opened.
    var openedAt = WallTime.zero
    /// True while the slot is in `PeerTable.dirty`, to be flushed at the end of the tick.
    var isDirty = false
    /// Why this peer is paused, apart from the reasons that apply to all peers.
    var pauses: ReadPauses = []
    /// Bytes of the frames to it that await their commit.
    var uncommittedByteCount = 0
    /// The number of connections that have used the slot, this one included; it distinguishes them.
    var serial: UInt32 = 0
    /// Frames that leave right after its WELCOME, while that awaits its commit; nil at other times.
    var afterWelcome: [UInt8]?
    /// What let it in: an index into the entries of `Gatekeeper.table`; -1 for nothing.
    var entry: Int32 = -1
    /// From when on its own signed token or certificate is no longer good; `max` for never.
    var tokenEnd = WallTime.max
    /// When its own signed token was signed; nil if it does not say so, or is no signed one.
    var tokenIssued: WallTime?
    /// True once its WELCOME was sent or awaits its commit.
    var hasSession = false
    /// True once an ERROR was sent that refuses the session; counted by `PeerTable.refusedCount`.
    var isRefused = false
    /// True if the peer has ended its side (half-close) while answers to it are outstanding.
    var hasHungUp = false
    /// Number of the frames to it that await their commit.
    var uncommittedCount = 0
    /// Serial number of the last tick in which the router received bytes from it.
    var inputTick: UInt64 = 0
    /// Bytes of its frames that the router has consumed.
    var inputByteCount: UInt64 = 0
    /// True in a drain, once its last output was queued, after which the router shuts its end of
    /// the connection.
    var isLeaving = false
    /// When a lingering connection is closed, if its peer has not closed it before: even if the
    /// ERROR to it still awaits its commit then. Zero if the connection does not linger. Input of a
    /// lingering connection is discarded.
    var lingerUntil = MonotonicTime.zero
}
