internal import Basics
internal import FrameCodec

/// What a partition leaves for its front, besides frames, until the front takes it.
struct FromPartition {
    /// Pushes that are accepted.
    var accepted: ContiguousArray<AcceptedPushes> = []
    /// What searches for matches have cost that continue after the frames were taken.
    var searches: ContiguousArray<Search> = []
    /// The sessions that the last input has ended because a newer one replaced them, or because
    /// their app is no longer declared.
    var evicted: ContiguousArray<Eviction> = []

    /// Whether there is no message.
    @inline(__always)
    var isEmpty: Bool { accepted.isEmpty && searches.isEmpty && evicted.isEmpty }

    /// Pushes all of whose matches have been found and applied: an ACK is due.
    struct AcceptedPushes: BitwiseCopyable {
        /// Where they come from.
        var session: FrontSession
        /// The highest of their numbers.
        var lastSeq: UInt64
        /// The widgets that they match, without those of expired pushes.
        var matched: UInt32
        /// When they arrived; see `Outbox.arrival`.
        var arrival: ExactTime
    }

    /// A part of a search for the matches of a connection's pushes.
    struct Search: BitwiseCopyable {
        /// Where the pushes come from.
        var session: FrontSession
        /// The cost, in units of `WorkCost`.
        var work: Int
    }

    /// A session that another input has ended, and the ERROR for its peer.
    struct Eviction {
        var connection: ConnectionSlot
        var error: ProtocolError
    }
}
