import ReloadModel
import ReloadScheduling
import RouterCore
import Times
import WidgetMatching

/// What happens to one widget in a dry run, from the first push on. `DryRunReport` prints it.
struct WidgetHistory {
    /// A push that matches the widget, and why.
    struct Match {
        /// The number of the push, from 1.
        var push: Int
        var explanation: MatchExplanation
    }

    /// Something that happens to the widget.
    struct Event {
        /// What happened.
        enum Occurrence {
            /// A decision that sends nothing, such as a wait.
            case decided(Decision)
            /// A RELOAD names the widget.
            case reloads(DryRun.Reload, cause: ReloadCause)
            /// A RELOAD names another widget of the same kind, and this one reloads along with it,
            /// unless its budget is spent.
            case along(DryRun.Reload, reloads: Bool)
        }

        /// When it happens.
        var at: WallTime
        var occurrence: Occurrence
        /// Reloads charged to the widget's budget.
        var cost: Int
        /// The widget's budget after the charge.
        var budget: WidgetBudget

        /// True if the widget reloads.
        var isReload: Bool {
            switch occurrence {
            case .reloads: true
            case .along(_, let reloads): reloads
            case .decided: false
            }
        }
    }

    var widget: WidgetID
    var matches: [Match]
    var events: [Event] = []

    /// The wall time of the widget's first reload at or after `time`; nil if there is none.
    func firstReload(from time: WallTime) -> WallTime? {
        events.first { $0.isReload && $0.at >= time }?.at
    }

    /// The widgets that reload along with this one because its RELOADs name their kind.
    var siblings: Set<WidgetID> {
        var widgets: Set<WidgetID> = []
        for case .reloads(let reload, _) in events.map(\.occurrence) {
            widgets.formUnion(reload.siblings.filter(\.reloads).map(\.widget))
        }
        return widgets
    }

    /// True if a reload is still waiting when the dry run ends.
    var stillWaits: Bool {
        guard case .decided(let decision) = events.last?.occurrence else { return false }
        return switch decision.reason {
        case .debounced, .spacing, .budget, .spread, .coalesced, .offline, .loop, .grace, .cap,
            .retry:
            true
        case .sent, .apns, .scheduled, .unchanged, .outdated, .expired, .superseded, .done,
            .removed:
            false
        }
    }

    /// Merges decisions and reloads into one story, ordered by time.
    ///
    /// - Parameters:
    ///   - widget: the widget's number.
    ///   - matches: the pushes that match the widget.
    ///   - decisions: the decisions about the widget, oldest first.
    ///   - reloads: the RELOADs that name the widget or a sibling, oldest first.
    ///   - budget: the widget's budget when the first push arrives.
    init(
        _ widget: WidgetID,
        matches: [Match],
        decisions: [Decision],
        reloads: [DryRun.Reload],
        budget: WidgetBudget
    ) {
        self.widget = widget
        self.matches = matches
        var budget = budget
        var next = 0
        /// Adds the reloads up to a decision; nil adds all that are left.
        func reportReloads(_ events: inout [Event], until decision: Decision?) {
            while next < reloads.count, reloads[next].at <= decision?.at ?? .max {
                let reload = reloads[next]
                guard let charge = reload.charge(of: widget) else { return }
                let isNamed = reload.names(widget)
                if isNamed && decision?.reason != .sent { return }
                next += 1
                budget = charge.budget
                let occurrence: Event.Occurrence =
                    isNamed
                    ? .reloads(reload, cause: decision?.cause ?? .push)
                    : .along(reload, reloads: charge.reloads)
                events.append(
                    Event(at: reload.at, occurrence: occurrence, cost: charge.cost, budget: budget)
                )
                if isNamed { return }
            }
        }
        for decision in decisions {
            reportReloads(&events, until: decision)
            if decision.reason == .sent { continue }
            events.append(
                Event(at: decision.at, occurrence: .decided(decision), cost: 0, budget: budget)
            )
        }
        reportReloads(&events, until: nil)
    }
}

extension DryRun.Reload {
    /// True if the RELOAD names the widget.
    func names(_ widget: WidgetID) -> Bool { widgets.contains { $0.widget == widget } }

    /// What the RELOAD costs a widget that it names or a sibling; nil for other widgets.
    func charge(of widget: WidgetID) -> DryRun.Charge? {
        (widgets + siblings).first { $0.widget == widget }
    }
}
