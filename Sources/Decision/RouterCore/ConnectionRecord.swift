internal import FrameCodec

/// The router's record of a connection, which is no part of the state: frames that came, and the ACK that
/// is due.
struct ConnectionRecord: BitwiseCopyable {
    static var none: UInt32 { UInt32.max }

    var session = Session()
    /// Counts the connections that had this slot, so that what was kept of an earlier one is known
    /// to be stale.
    var generation: UInt32 = 0
    /// The session that was begun on it; 0 before HELLO.
    var number: UInt64 = 0
    var isOpen = false
    /// False while the connection's output is above its limit: RELOADs wait and coalesce.
    var isWritable = true
    var ackIsDue = false
    var pingsUnanswered: UInt8 = 0
    /// Widgets that the pushes of the next ACK concern.
    var matched: UInt32 = 0
    var ackSeq: UInt64 = 0
    /// When the first frame came that the next ACK covers, in ns of the driver's clock.
    var ackArrival: Int64 = 0
    /// Whole frames that have come.
    var frames: UInt64 = 0
    /// When the last whole frame arrived, or the connection was opened; ms, monotonic.
    var lastFrameAt: Int64 = 0
    /// When the incomplete frame at the end of the input began; 0 for none.
    var partialSince: Int64 = 0
    /// What the connection may spend of a tick's work.
    var work = WorkAccount()
}

extension Session.Phase {
    /// Whether HELLO was accepted and the session has not ended.
    var isEstablished: Bool {
        switch self {
        case .publisher, .device, .gateway: true
        case .awaitingHello, .ended: false
        }
    }
}
