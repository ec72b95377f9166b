import ReloadModel
import ReloadScheduling
import RouterCore
import WidgetMatching

/// What becomes of one widget in a dry run, from the first push on.
struct WidgetStory {
    /// A push that concerns the widget, and why.
    struct Match {
        /// From 1.
        var push: Int
        var explanation: MatchExplanation
    }

    /// Something that happens to the widget.
    struct Event {
        enum Happening {
            /// A decision that is no RELOAD.
            case decided(Decision)
            /// A RELOAD names the widget.
            case reloads(DryRun.Reload, cause: ReloadCause)
            /// Another of its kind reloads, and the widget with it, unless its budget is spent.
            case along(DryRun.Reload, reloads: Bool)
        }

        /// Wall time, in ms.
        var at: Int64
        var happening: Happening
        /// What the widget is debited for.
        var cost: Int
        /// The widget's budget after that.
        var budget: WidgetBudget

        /// Whether the widget reloads.
        var isReload: Bool {
            switch happening {
            case .reloads: true
            case .along(_, let reloads): reloads
            case .decided: false
            }
        }
    }

    var widget: WidgetID
    var matches: [Match]
    var events: [Event] = []

    /// When the widget first reloads from some time on; nil if it does not.
    func firstReload(from time: Int64) -> Int64? {
        events.first { $0.isReload && $0.at >= time }?.at
    }

    /// The widgets that its RELOADs let reload with it.
    var siblings: Set<WidgetID> {
        var widgets: Set<WidgetID> = []
        for case .reloads(let reload, _) in events.map(\.happening) {
            widgets.formUnion(reload.siblings.filter(\.reloads).map(\.widget))
        }
        return widgets
    }

    /// Whether a reload still waits when the dry run ends.
    var stillWaits: Bool {
        guard case .decided(let decision) = events.last?.happening else { return false }
        return switch decision.reason {
        case .debounced, .spacing, .budget, .spread, .coalesced, .offline, .loop: true
        case .sent, .scheduled, .unchanged, .expired, .superseded, .done, .removed: false
        }
    }

    /// The story of a widget.
    ///
    /// - Parameters:
    ///   - widget: the widget's number.
    ///   - matches: the pushes that concern it.
    ///   - decisions: about the widget, oldest first.
    ///   - reloads: those that name it or a sibling, oldest first.
    ///   - budget: the widget's when the first push comes.
    init(
        _ widget: WidgetID,
        _ matches: [Match],
        _ decisions: [Decision],
        _ reloads: [DryRun.Reload],
        _ budget: WidgetBudget
    ) {
        self.widget = widget
        self.matches = matches
        var budget = budget
        var next = 0
        /// Tells the reloads up to one that is decided on.
        func tellReloads(_ events: inout [Event], until decision: Decision?) {
            while next < reloads.count, reloads[next].at <= decision?.at ?? .max {
                let reload = reloads[next]
                guard let payment = reload.payment(of: widget) else { return }
                let isNamed = reload.names(widget)
                if isNamed && decision?.reason != .sent { return }
                next += 1
                budget = payment.budget
                let happening: Event.Happening =
                    isNamed
                    ? .reloads(reload, cause: decision?.cause ?? .push)
                    : .along(reload, reloads: payment.reloads)
                events.append(
                    Event(at: reload.at, happening: happening, cost: payment.cost, budget: budget)
                )
                if isNamed { return }
            }
        }
        for decision in decisions {
            tellReloads(&events, until: decision)
            if decision.reason == .sent { continue }
            events.append(
                Event(at: decision.at, happening: .decided(decision), cost: 0, budget: budget)
            )
        }
        tellReloads(&events, until: nil)
    }
}

extension DryRun.Reload {
    func names(_ widget: WidgetID) -> Bool { widgets.contains { $0.widget == widget } }

    func payment(of widget: WidgetID) -> DryRun.Payment? {
        (widgets + siblings).first { $0.widget == widget }
    }
}
