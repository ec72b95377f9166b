internal import Basics
internal import FrameCodec

/// The pushes of one batch whose publisher asks what becomes of them.
///
/// A class, so that it is passed by reference; no batch of another publisher has one.
final class OutcomeBatch {
    /// Who gets the OUTCOMEs.
    let session: FrontSession
    /// The producer of the pushes.
    let producer: ProducerID
    /// The number of the session that has sent them.
    let number: UInt64
    /// The pushes, by their tags (`WidgetMatch.tag`).
    private(set) var pushes: ContiguousArray<Push> = []
    /// What the pushes say, until the first search for their matches has ended; then empty.
    var contents: ContiguousArray<Content> = []
    /// The matches whose outcome is known at the end of the step.
    private(set) var undecided: ContiguousArray<Undecided> = []
    /// Whether all matches have been applied, so that the step reports the batch.
    var isDue = false
    /// Whether the widget nearest to one of the pushes was searched for.
    private(set) var hasSearched = false

    init(_ session: FrontSession, producer: ProducerID, number: UInt64) {
        self.session = session
        self.producer = producer
        self.number = number
    }

    /// What a push says.
    struct Content: BitwiseCopyable {
        let payload: ByteView
        /// The kinds to which it is narrowed; nil if it is not.
        let kinds: KindNames?
    }

    /// What became of a push so far.
    struct Push {
        /// Its number.
        let seq: UInt64
        /// When it expires; `.max` for never.
        let expiresAt: WallTime
        /// Whether it had expired when it arrived.
        let isExpired: Bool
        /// The number of the last RELOAD made before it arrived.
        let reloadsBefore: UInt64
        /// Whether it matches a widget.
        fileprivate(set) var hasMatch = false
        /// How many widgets have each outcome, by the raw value of the reason.
        fileprivate(set) var counts = InlineArray<24, UInt32>(repeating: 0)
        /// The first widgets that it matches.
        fileprivate(set) var widgets: [Widget] = []
        /// For a push without a match, the number of its app's registered widgets; else nil.
        var registered: Int?
        /// For a push without a match, the widget that came nearest; nil if none was found.
        var nearest: OutcomeMessage.Nearest?

        /// The number of matches that have been applied and decided.
        var widgetCount: UInt32 { counts.indices.reduce(0) { $0 &+ counts[$1] } }

        /// How many widgets have an outcome.
        subscript(reason: DecisionReason) -> UInt32 { counts[Int(reason.rawValue)] }
    }

    /// A widget that an OUTCOME names, as it was when the push matched it.
    struct Widget {
        let widget: WidgetID
        let kindNumber: KindID
        let device: String
        let name: String
        let kind: String
        /// What became of the push; nil until that is known.
        var outcome: (reason: DecisionReason, until: WallTime?)?
    }

    /// A match without a decision: its reload is ready, or waits for a permit.
    struct Undecided: BitwiseCopyable {
        let widget: WidgetID
        let tag: UInt32
        /// The index of its entry in the push's `widgets`; -1 if it has none.
        let entry: Int32
    }

    // MARK: - Changes

    /// Adds the batch's next push, and what it says.
    func append(_ push: Push, payload: ByteView, kinds: KindNames?) {
        pushes.append(push)
        contents.append(Content(payload: payload, kinds: kinds))
    }

    /// Whether the OUTCOME of a push names further widgets.
    func namesMore(_ tag: UInt32) -> Bool {
        pushes[Int(tag)].widgets.count < RouterLimits.outcomeWidgets
    }

    /// Counts a match, or keeps it until its outcome is known (nil if nothing was decided). `named`
    /// is the entry that the OUTCOME has for the widget; nil for none.
    func add(
        _ widget: WidgetID,
        tag: UInt32,
        outcome: (reason: DecisionReason, until: WallTime?)?,
        named: Widget?
    ) {
        pushes[Int(tag)].hasMatch = true
        var entry: Int32 = -1
        if var named {
            entry = Int32(pushes[Int(tag)].widgets.count)
            named.outcome = outcome
            pushes[Int(tag)].widgets.append(named)
        }
        if let outcome {
            count(outcome.reason, tag: tag)
        } else {
            undecided.append(Undecided(widget: widget, tag: tag, entry: entry))
        }
    }

    /// Gives each undecided match its outcome.
    func decide(_ outcome: (Undecided, Push) -> (reason: DecisionReason, until: WallTime?)) {
        for match in undecided {
            let found = outcome(match, pushes[Int(match.tag)])
            count(found.reason, tag: match.tag)
            if match.entry >= 0 { pushes[Int(match.tag)].widgets[Int(match.entry)].outcome = found }
        }
        undecided.removeAll(keepingCapacity: true)
    }

    /// Records how many widgets the app of a push without a match has.
    func setRegistered(_ count: Int, of tag: Int) { pushes[tag].registered = count }

    /// Records which widget came nearest to a push without a match; nil if none was found.
    func setNearest(_ nearest: OutcomeMessage.Nearest?, of tag: Int) {
        pushes[tag].nearest = nearest
        hasSearched = true
    }

    private func count(_ reason: DecisionReason, tag: UInt32) {
        pushes[Int(tag)].counts[Int(reason.rawValue)] &+= 1
    }
}
