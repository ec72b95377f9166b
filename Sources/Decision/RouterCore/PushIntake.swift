internal import ByteStorage
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
    /// What the last search has found, and those of its pushes that have not been found for before;
    /// nil while they are lent.
    var found: MatchList? = MatchList()
    var newlyMatched: ContiguousArray<MatchedPush> = []
    /// Whether no more is found until what was found has been handed out.
    var isFull = false
    /// Whether no frame is taken until nothing is to be handed out.
    var isCalmingDown = false

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
