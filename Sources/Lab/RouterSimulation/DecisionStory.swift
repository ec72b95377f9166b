internal import ReloadModel
internal import ReloadScheduling
package import RouterCore

/// Numbers the widgets and kinds of captures, equally for all stories that share it.
package final class WidgetDirectory {
    /// The names of a widget.
    package struct Widget: Hashable, Sendable {
        package var app: String
        package var device: String
        package var widget: String
    }

    /// The names of a kind.
    package struct Kind: Hashable, Sendable {
        package var app: String
        package var kind: String
    }

    private var widgetNumbers: [Widget: UInt32] = [:]
    private var kindNumbers: [Kind: UInt32] = [:]
    package private(set) var widgets: [Widget] = []
    package private(set) var kinds: [Kind] = []

    package init() {}

    /// The number of a decision's widget, which is assigned at its first use.
    func widget(_ traced: TracedDecision) -> UInt32 {
        let name = Widget(app: traced.app, device: traced.device, widget: traced.widget)
        if let number = widgetNumbers[name] { return number }
        let number = UInt32(widgets.count)
        widgetNumbers[name] = number
        widgets.append(name)
        return number
    }

    /// True if a number is that of the decision's widget.
    func isWidget(_ number: UInt32, _ traced: TracedDecision) -> Bool {
        let name = widgets[Int(number)]
        return name.device == traced.device && name.widget == traced.widget
            && name.app == traced.app
    }

    /// True if a number is that of the decision's kind.
    func isKind(_ number: UInt32, _ traced: TracedDecision) -> Bool {
        kinds[Int(number)].kind == traced.kind && kinds[Int(number)].app == traced.app
    }

    /// The number of a decision's kind, which is assigned at its first use.
    func kind(_ traced: TracedDecision) -> UInt32 {
        let name = Kind(app: traced.app, kind: traced.kind)
        if let number = kindNumbers[name] { return number }
        let number = UInt32(kinds.count)
        kindNumbers[name] = number
        kinds.append(name)
        return number
    }
}

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
        /// When it was sent, in ms since 1970.
        var at: Int64
        /// When the first input came that asked for it, in ms since 1970.
        var asked: Int64
        var widget: UInt32
        var kind: UInt32
        /// The cause of that input; `budget` only if no other is known.
        var cause: ReloadCause
        /// The last reason for which it had to wait; `sent` if it did not wait.
        var reason: DecisionReason
    }

    /// A decision that sends nothing.
    struct Note: BitwiseCopyable {
        /// When it was made, in ms since 1970.
        var at: Int64
        /// In ms since 1970; 0 if it is not known.
        var until: Int64
        var widget: UInt32
        var reason: DecisionReason
        var cause: ReloadCause
    }

    /// The reload that a widget is waiting for.
    private struct Wait: BitwiseCopyable {
        /// When the first input came that asked for the reload.
        var asked: Int64 = 0
        /// When the TIMELINE with the widget's current date came.
        var timelineAt: Int64 = 0
        var cause = ReloadCause.push
        var reason = DecisionReason.sent
        var isWaiting = false
    }

    /// Most reloads that are kept, and most other decisions: 24 bytes each.
    ///
    /// Further decisions are only counted; with further reloads, the story is incomplete and cannot
    /// be compared.
    package static var limit: Int { 1 << 25 }

    let directory: WidgetDirectory
    /// For each number of the router, the last numbers in the directory: most decisions concern
    /// names that are known.
    private var known: ContiguousArray<(widget: UInt32, kind: UInt32)> = []
    private(set) var reloads: ContiguousArray<Reload> = []
    private(set) var notes: ContiguousArray<Note> = []
    private var waits: ContiguousArray<Wait> = []
    /// Reloads that had to wait, by the last reason.
    private(set) var putOff = DecisionCounts()
    /// How long these waited in all, in ms.
    private(set) var putOffTime = DecisionCounts()
    /// All decisions, by reason.
    package private(set) var counts = DecisionCounts()

    package init(_ directory: WidgetDirectory) {
        self.directory = directory
    }

    /// All reloads, kept or not.
    package var reloadCount: Int { Int(counts[.sent]) }
    /// True if all reloads are kept.
    package var isComplete: Bool { reloads.count == reloadCount }

    /// Adds the next decision.
    package mutating func take(_ traced: TracedDecision) {
        let decision = traced.decision
        let (widget, kind) = numbers(traced)
        while waits.count <= Int(widget) { waits.append(Wait()) }
        counts[decision.reason] &+= 1
        switch decision.reason {
        case .sent:
            send(widget, kind, decision)
            return
        case .scheduled:
            waits[Int(widget)].timelineAt = decision.at
        case .debounced, .spacing, .budget, .loop, .spread, .offline:
            wait(widget, decision)
        case .expired:
            waits[Int(widget)].isWaiting = false
        case .superseded, .removed:
            // Dropping a date does not affect a reload that waits for something else.
            let wait = waits[Int(widget)]
            if wait.cause.isDate || !decision.cause.isDate { waits[Int(widget)].isWaiting = false }
        case .coalesced, .unchanged, .done:
            break
        }
        if notes.count < Self.limit {
            notes.append(
                Note(
                    at: decision.at,
                    until: decision.until ?? 0,
                    widget: widget,
                    reason: decision.reason,
                    cause: decision.cause
                )
            )
        }
    }

    private mutating func numbers(_ traced: TracedDecision) -> (widget: UInt32, kind: UInt32) {
        let number = Int(traced.decision.widget)
        if number < known.count, known[number].widget != .max {
            let (widget, kind) = known[number]
            if directory.isWidget(widget, traced) && directory.isKind(kind, traced) {
                return (widget, kind)
            }
        }
        while known.count <= number { known.append((.max, .max)) }
        known[number] = (directory.widget(traced), directory.kind(traced))
        return known[number]
    }

    private mutating func wait(_ widget: UInt32, _ decision: Decision) {
        let index = Int(widget)
        if !waits[index].isWaiting {
            waits[index].isWaiting = true
            waits[index].cause = decision.cause
            waits[index].asked = asked(index, decision)
        }
        waits[index].reason = decision.reason
    }

    /// When the input came that a decision is about.
    private func asked(_ index: Int, _ decision: Decision) -> Int64 {
        decision.cause.isDate ? waits[index].timelineAt : decision.at
    }

    private mutating func send(_ widget: UInt32, _ kind: UInt32, _ decision: Decision) {
        let wait = waits[Int(widget)]
        waits[Int(widget)].isWaiting = false
        let reload = Reload(
            at: decision.at,
            asked: wait.isWaiting ? wait.asked : asked(Int(widget), decision),
            widget: widget,
            kind: kind,
            cause: wait.isWaiting ? wait.cause : decision.cause,
            reason: wait.isWaiting ? wait.reason : .sent
        )
        if reload.reason != .sent && !reload.cause.isDate {
            putOff[reload.reason] &+= 1
            putOffTime[reload.reason] &+= UInt64(max(0, reload.at - reload.asked))
        }
        if reloads.count < Self.limit { reloads.append(reload) }
    }
}

extension ReloadCause {
    /// True for the causes that are dates of timelines.
    var isDate: Bool { self == .after || self == .atEnd }
}
