internal import Basics
internal import StoreFormat
internal import WidgetMatching

/// The pushes that have arrived, until their matches have been found and applied as inputs (see
/// `Router.commitMatches`).
struct PushIntake: ~Copyable {
    /// Scans payloads, and refuses those that cannot be matched.
    var scanner: Boxed<PayloadScanner>
    /// The pushes of the matcher's batch, by their tags (`WidgetMatch.tag`), which are their
    /// numbers in the batch.
    var queued: ContiguousArray<Push> = []
    /// Of a batch that a home forwards: the number up to which all of the home's pushes are
    /// evaluated once this batch is.
    var floor: UInt64 = 0
    /// Copies of the payloads that are needed after the first search of the batch.
    var keptPayloads = StoreWriter(capacity: 64)
    /// Where the batch comes from: all its pushes are of one producer.
    var source = PushSource.producer(.first)
    /// The ACK to be sent when the batch has been matched.
    var unsent = UnsentAcknowledgement()
    /// The ACKs to be sent when fan-outs have ended, at most one for each producer.
    private var unsentLater: ContiguousArray<UnsentAcknowledgement> = []
    /// The matches of the last search; nil while `commitMatches` applies them.
    var found: MatchList? = MatchList()
    /// The pushes that the last search has matched for the first time.
    var newlyMatched: ContiguousArray<MatchedPush> = []
    /// What becomes of the batch's pushes; nil if their publisher does not ask, or once the matches
    /// of a fan-out are searched for.
    var outcomes: OutcomeBatch?
    /// Whether the search is stopped until all matches found so far have been applied, because
    /// there are `RouterLimits.fanOutMatches` of them.
    var isFull = false
    /// Whether no frame is accepted until all fan-outs have ended.
    var isFinishingFanOuts = false

    /// An intake without pushes. Nothing depends on the key of the hash tables.
    init(hashKey: HashKey) { scanner = Boxed(PayloadScanner(hashKey: hashKey)) }

    /// Bytes allocated for scanning, and for the matches of a search; without the latter while
    /// `commitMatches` applies them.
    var byteCount: Int {
        switch found {
        case .some(let list): scanner.value.byteCount + list.byteCount
        case .none: scanner.value.byteCount
        }
    }

    /// Removes and returns the ACK of the batch.
    mutating func takeUnsent() -> UnsentAcknowledgement {
        var taken = UnsentAcknowledgement()
        swap(&taken, &unsent)
        taken.source = source
        return taken
    }

    /// Keeps an ACK until the fan-out of its producer ends.
    mutating func sendLater(_ unsent: UnsentAcknowledgement) { unsentLater.append(unsent) }

    /// Removes and returns the ACK of a producer's fan-out; nil if the connection to which it would
    /// go was closed before all matches were found.
    mutating func takeUnsentLater(of source: PushSource) -> UnsentAcknowledgement? {
        guard let index = unsentLater.firstIndex(where: { $0.source == source }) else {
            return nil
        }
        return unsentLater.remove(at: index)
    }

    /// An ACK that waits until the matches of its pushes have been found or applied.
    struct UnsentAcknowledgement: BitwiseCopyable {
        /// Where the pushes come from that it covers.
        var source = PushSource.producer(.first)
        /// The session to which it goes; `none` if that has been closed.
        var session = FrontSession.none
        /// The highest sequence number that it covers.
        var lastSeq: UInt64 = 0
    }

    /// A push in the matcher's batch.
    struct Push {
        var isUrgent: Bool
        /// Whether it had expired when it arrived: it is matched and acknowledged like any other,
        /// but reloads nothing.
        var isExpired: Bool
        /// When it expires; `.max` for never.
        var expiresAt: WallTime
        /// The payload; nil if no kind of the app observes or inlines fields, or if the push has
        /// expired. It lies in the connection's input until the first search of the batch, and then
        /// in `keptPayloads`.
        var payload: ByteView?
        /// Its sequence number or, if a home forwards it, its number there.
        var seq: UInt64
        /// The number of the last RELOAD made before it arrived.
        var reloadsBefore: UInt64
        /// The matches that have been found of it so far.
        var matched: UInt32 = 0
        /// Where the first of them is in the log of pushes (`LoggedPush.firstMatch`).
        var firstMatch: UInt64 = 0
    }
}
