internal import Basics
internal import ReloadScheduling
package import RouterCore

/// The reloads and other decisions of one play of a capture, kept to be compared with another play.
///
///     push      push            RELOAD           one reload: asked for at the first push,
///     ├─────────┼── spacing ──────┤              put off by the spacing, sent at the RELOAD
///     asked                      at
///
/// A reload for a date is asked for by the TIMELINE with that date.
package struct DecisionStory {
    /// One widget in a RELOAD.
    struct Reload: BitwiseCopyable {
        /// When it was sent.
        var at: WallTime
        /// When the first input came that asked for it.
        var asked: WallTime
        var widget: UInt32
        var kind: UInt32
        /// The cause of that input; `budget` only if no other is known.
        var cause: ReloadCause
        /// The last reason for which it had to wait; `sent` if it did not wait.
        var reason: DecisionReason
    }

    /// A decision that sends nothing.
    struct Note: BitwiseCopyable {
        /// When it was made.
        var at: WallTime
        /// Until when the reload waits; zero if that is not known.
        var until: WallTime
        var widget: UInt32
        var reason: DecisionReason
        var cause: ReloadCause
    }

    /// The reload that a widget is waiting for.
    private struct PendingReload: BitwiseCopyable {
        /// When the first input came that asked for the reload.
        var asked = WallTime.zero
        /// When the TIMELINE with the widget's current date came.
        var timelineAt = WallTime.zero
        var cause = ReloadCause.push
        var reason = DecisionReason.sent
        var isWaiting = false
    }

    /// The most reloads that are kept, of 32 bytes each, and the most other decisions, of 24 bytes.
    ///
    /// Further decisions are only counted; with further reloads, the story is incomplete and cannot
    /// be compared.
    package static var limit: Int { 1 << 25 }

    let directory: WidgetDirectory
    /// For each of the router's widget numbers, the directory's numbers at its last decision. Most
    /// decisions need no other look-up.
    private var known: ContiguousArray<(widget: UInt32, kind: UInt32)> = []
    private(set) var reloads: ContiguousArray<Reload> = []
    private(set) var notes: ContiguousArray<Note> = []
    private var pendingReloads: ContiguousArray<PendingReload> = []
    /// How many reloads had to wait, by the last reason; without reloads for dates.
    private(set) var postponed = DecisionCounts()
    /// The number of ms that these reloads waited in total, by the last reason.
    private var postponedTime = DecisionCounts()
    /// All decisions, by reason.
    private(set) var counts = DecisionCounts()

    /// Creates an empty story whose widgets and kinds have the numbers of `directory`.
    package init(_ directory: WidgetDirectory) { self.directory = directory }

    /// The number of all reloads, kept or not.
    var reloadCount: Int { Int(counts[.sent] + counts[.apns]) }
    /// The mean time that reloads waited for this reason last; zero if there are none.
    func meanWait(_ reason: DecisionReason) -> Milliseconds {
        Milliseconds(postponedTime[reason] / max(1, postponed[reason]))
    }

    /// True if all reloads are kept.
    package var isComplete: Bool { reloads.count == reloadCount }

    /// Adds the next decision.
    package mutating func take(_ traced: TracedDecision) {
        let decision = traced.decision
        let (widget, kind) = numbers(traced)
        while pendingReloads.count <= Int(widget) { pendingReloads.append(PendingReload()) }
        counts[decision.reason] &+= 1
        switch decision.reason {
        case .sent, .apns:
            send(widget, kind: kind, decision: decision)
            return
        case .scheduled: pendingReloads[Int(widget)].timelineAt = decision.at
        case .debounced, .spacing, .budget, .loop, .spread, .offline, .grace, .cap, .retry:
            wait(widget, decision: decision)
        case .expired: pendingReloads[Int(widget)].isWaiting = false
        case .superseded, .removed:
            // Dropping a date does not affect a reload that waits for something else.
            let pending = pendingReloads[Int(widget)]
            if pending.cause.isDate || !decision.cause.isDate {
                pendingReloads[Int(widget)].isWaiting = false
            }
        case .coalesced, .unchanged, .outdated, .done: break
        }
        if notes.count < Self.limit {
            notes.append(
                Note(
                    at: decision.at,
                    until: decision.until ?? .zero,
                    widget: widget,
                    reason: decision.reason,
                    cause: decision.cause
                )
            )
        }
    }

    /// The directory's numbers of a decision's widget and kind.
    private mutating func numbers(_ traced: TracedDecision) -> (widget: UInt32, kind: UInt32) {
        let number = traced.decision.widget.index
        if number < known.count, known[number].widget != .max {
            let (widget, kind) = known[number]
            if directory.isNumbered(traced, widget: widget, kind: kind) { return (widget, kind) }
        }
        while known.count <= number { known.append((.max, .max)) }
        known[number] = (directory.widget(traced), directory.kind(traced))
        return known[number]
    }

    /// Records that a widget's reload waits, for the reason of a decision.
    private mutating func wait(_ widget: UInt32, decision: Decision) {
        let index = Int(widget)
        if !pendingReloads[index].isWaiting {
            pendingReloads[index].isWaiting = true
            pendingReloads[index].cause = decision.cause
            pendingReloads[index].asked = asked(index, for: decision)
        }
        pendingReloads[index].reason = decision.reason
    }

    /// Returns when the input came that asked for the decision's reload.
    private func asked(_ index: Int, for decision: Decision) -> WallTime {
        decision.cause.isDate ? pendingReloads[index].timelineAt : decision.at
    }

    /// Records a reload that was sent.
    private mutating func send(_ widget: UInt32, kind: UInt32, decision: Decision) {
        let pending = pendingReloads[Int(widget)]
        pendingReloads[Int(widget)].isWaiting = false
        let reload = Reload(
            at: decision.at,
            asked: pending.isWaiting ? pending.asked : asked(Int(widget), for: decision),
            widget: widget,
            kind: kind,
            cause: pending.isWaiting ? pending.cause : decision.cause,
            reason: pending.isWaiting ? pending.reason : .sent
        )
        if reload.reason != .sent && !reload.cause.isDate {
            postponed[reload.reason] &+= 1
            postponedTime[reload.reason] &+= UInt64(max(0, (reload.at - reload.asked).rawValue))
        }
        if reloads.count < Self.limit { reloads.append(reload) }
    }
}

extension ReloadCause {
    /// True for the causes that are dates of timelines.
    var isDate: Bool { self == .after || self == .atEnd }
}
