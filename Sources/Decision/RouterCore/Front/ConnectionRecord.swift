internal import Basics
internal import FrameCodec

/// What the router keeps of a connection apart from the state: its protocol session, the ACK that
/// is due, and its liveness.
struct ConnectionRecord: BitwiseCopyable {
    var session = Session()
    /// Counts the connections that have had this slot, so that a reference to an earlier one is
    /// recognised as stale.
    var generation: UInt32 = 0
    /// The number of the connection's session; 0 until its HELLO is accepted.
    var number: UInt64 = 0
    var isOpen = false
    /// Whether its HELLO awaits the driver's verdict.
    var awaitsVerdict = false
    /// Whether its publisher gets an OUTCOME for each push.
    var wantsOutcomes = false
    /// Whether it gets an OUTCOME at least for each push that has come before.
    var wantsDuplicates = false
    /// Whether an ACK is sent at the end of the step.
    var ackIsDue = false
    /// The PINGs sent since the last whole frame.
    var pingsUnanswered: UInt8 = 0
    /// The matches of the pushes that the next ACK covers.
    var matched: UInt32 = 0
    /// The highest sequence number that the next ACK covers.
    var ackSeq: UInt64 = 0
    /// When the first frame arrived that the next ACK covers; see `Outbox.arrival`.
    var ackArrival = ExactTime.none
    /// The whole frames that were accepted from it.
    var frames: UInt64 = 0
    /// The start of its silence: when its last whole frame arrived or it was opened, moved forward
    /// by the times in which the driver did not read from it.
    var lastFrameAt = MonotonicTime.zero
    /// When the incomplete frame at the end of its input began, moved forward like `lastFrameAt`; 0
    /// for none.
    var partialSince = MonotonicTime.zero
    /// When the session is ended because what let it in is no longer good; `max` for never.
    var admittedUntil = WallTime.max
    /// What the connection may spend of the loop's work.
    var work = WorkAccount()
    /// With which others it shares that work.
    var group = WorkGroup.none

    /// Makes the next ACK cover the frames up to `seq`; returns whether that ACK was due already.
    @inline(__always)
    mutating func cover(upTo seq: UInt64) -> Bool {
        if seq > ackSeq { ackSeq = seq }
        return ackIsDue
    }
}

extension Session.Phase {
    /// Whether the HELLO was accepted and the session has not ended.
    var isEstablished: Bool {
        switch self {
        case .publisher, .device, .gateway: true
        case .awaitingHello, .ended: false
        }
    }
}
