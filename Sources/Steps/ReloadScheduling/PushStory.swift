package import Basics

/// What became of a push for one widget, as it follows from the decisions on its device.
///
///     own: made for this push        later, for whatever else
///     debounced ─────────────────► spacing ─────────► sent      sent, at the time of the last one
///     unchanged                                                 unchanged: the end
///     (none: sent at once, or queued) ──────────────► sent      sent
///     budget ──────────────────────────►                        what its reload waits for now
///
/// Decisions are added in their order. Those that are not kept any more are missing at the front.
package struct PushStory {
    /// What became of the push.
    package enum End: Equatable {
        /// This decision says it.
        case decided(Decision)
        /// The widget's reload is pending; if there is none, it is not known.
        case waits
        /// The decision is not kept any more.
        case unknown
    }

    private let push: LoggedPush
    private let number: UInt64
    /// The decision that was made when the push was applied to the widget; nil if none was made or
    /// it is not kept.
    package private(set) var own: Decision?
    /// The first decision since the push came that ends a pending reload; once `own` is found,
    /// since then.
    private var ending: Decision?
    /// The RELOAD that answered the push before it was applied in a late portion.
    private var earlier: Decision?
    /// Whether there may have been decisions since the push that are not kept any more.
    private var mayMiss = false
    private var hasBegun = false
    private let widget: WidgetID

    /// Begins the story of a push, which has this fan-out number, and of a widget that it matches.
    package init(_ push: LoggedPush, number: UInt64, widget: WidgetID) {
        self.push = push
        self.number = number
        self.widget = widget
    }

    /// Adds the next decision on the widget's device. `isFull` says that as many are kept as can
    /// be; the log has the push, and later ones with its mark.
    package mutating func add(_ decision: Decision, isFull: Bool, of log: borrowing PushLog) {
        if !hasBegun { mayMiss = isFull && decision.at >= push.at }
        hasBegun = true
        if decision.widget != widget || decision.at < push.at { return }
        if own == nil, decision.push == PushMark(ofPush: number),
            log.number(of: decision) == number
        {
            own = decision
            if decision.reason == .coalesced && push.isFanOut { earlier = ending }
            ending = nil
        } else if ending == nil, decision.endsReload {
            ending = decision
        }
    }

    /// What became of the push.
    package var end: End {
        if let own, own.endsPush { return .decided(own) }
        if own == nil && mayMiss { return .unknown }
        return if let decision = earlier ?? ending { .decided(decision) } else { .waits }
    }
}

extension Decision {
    /// Whether a decision that was made for a push says that the push leads to no reload.
    fileprivate var endsPush: Bool {
        switch reason {
        case .unchanged, .outdated, .expired: true
        default: false
        }
    }

    /// Whether a pending reload ends with the decision, whatever has requested it.
    fileprivate var endsReload: Bool {
        switch reason {
        case .sent, .apns, .superseded, .done, .removed: true
        // A push that had expired when it came says nothing of the reload of another one.
        case .expired: push == .none
        default: false
        }
    }
}
