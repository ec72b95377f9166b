internal import DataStructures
internal import ReloadModel
internal import StoreFormat
internal import WidgetMatching

/// Pushes from their arrival to the input that they become.
struct PushIntake: ~Copyable {
    /// The pushes of the matcher's batch, by the `tag` that they have there.
    var queued: ContiguousArray<Push> = []
    /// Copies of their payloads, if the batch is not matched in one go.
    var keptPayloads = StoreWriter(capacity: 64)
    /// Whose pushes the batch has.
    var producer: UInt32 = 0
    /// The connection that gets the ACK of the batch.
    var owed = OwedAcknowledgement()
    /// The connections that get the ACKs of fan-outs.
    private var owedLater: ContiguousArray<OwedAcknowledgement> = []
    /// The matches of the last search, and its pushes that had no match before; `found` is nil while the
    /// matches are being committed.
    var found: MatchList? = MatchList()
    var newlyMatched: ContiguousArray<MatchedPush> = []
    /// Whether no further matches are searched for until those that were found have been applied.
    var isFull = false
    /// Whether no frame is taken until all fan-outs have ended.
    var isCalmingDown = false

    /// Bytes held from the system for what searches find, used or not; 0 while that is lent.
    var foundByteCount: Int {
        switch found {
        case .some(let list): list.byteCount
        case .none: 0
        }
    }

    /// Takes out the connection that gets the ACK of the batch.
    mutating func takeOwed() -> OwedAcknowledgement {
        var taken = OwedAcknowledgement()
        swap(&taken, &owed)
        taken.producer = producer
        return taken
    }

    /// Keeps a connection that gets its ACK when the fan-out of its producer ends.
    mutating func oweLater(_ owed: OwedAcknowledgement) { owedLater.append(owed) }

    /// Takes out the connection that gets the ACK of a producer's fan-out; a producer has one at most.
    mutating func takeOwedLater(of producer: UInt32) -> OwedAcknowledgement? {
        guard let index = owedLater.firstIndex(where: { $0.producer == producer }) else {
            return nil
        }
        return owedLater.remove(at: index)
    }

    /// The connection that an ACK goes to, and what it covers.
    struct OwedAcknowledgement: BitwiseCopyable {
        var producer: UInt32 = 0
        /// `none` if the connection has been closed.
        var connection = ConnectionRecord.none
        /// Of the connection: its slot may be another one's by then.
        var generation: UInt32 = 0
        var lastSeq: UInt64 = 0
    }

    /// A push that waits to be matched.
    struct Push {
        var isUrgent: Bool
        /// Whether the push was void when it arrived: it is judged like any other, and accepted.
        var isVoid: Bool
        var voidAt: Int64
        /// Valid until the first portion of the batch is matched; nil if nothing of it is needed.
        var payload: ByteView?
        var seq: UInt64
        /// The last RELOAD that was sent before the push came.
        var reloadsBefore: UInt64
        /// Whether a match of it has been found.
        var isMatched = false
    }
}
