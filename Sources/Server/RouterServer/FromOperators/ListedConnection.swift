internal import Basics
internal import RouterCore

/// A connection: the router's view of it, and what only the server knows.
struct ListedConnection: Sendable {
    /// The router's view of the connection.
    let view: ConnectionView
    /// The peer's address; nil for a publisher over HTTP.
    let peer: String?
    /// When it was opened.
    let openedAt: WallTime
    /// When its last frame arrived or it was opened, as a date; see
    /// `ConnectionView.lastFrameAt`.
    let lastFrameAt: WallTime
    /// Bytes of frames that the router has consumed.
    let inputBytes: UInt64
    /// Bytes of output so far, sent or still waiting.
    let outputBytes: UInt64
    /// Bytes of output that the system has not accepted yet.
    let unsentBytes: Int
    /// True if it is paused until its peer has read enough output.
    let isFull: Bool
}
