import CommandSupport
import ReloadModel
import ReloadScheduling
import RouterCore
import StrictJSON
import Times

/// Formats what happens to widgets in a dry run, as lines for people and as JSON for programs.
struct DryRunReport {
    /// The policy of each kind, by the kind's name.
    private let policies: [String: KindPolicy]
    /// Reloads per second of each origin, by its name.
    private let origins: [String: Int]
    /// The times of the pushes.
    private let pushes: [WallTime]
    /// The time on the run's clocks when the wall clock showed 1970.
    private let epoch: Instant

    init(_ app: AppDeclaration, run: borrowing DryRun) {
        policies = Dictionary(
            app.kinds.map { ($0.kind, $0.policy) },
            uniquingKeysWith: { first, _ in first }
        )
        origins = Dictionary(
            app.origins.map { ($0.origin, $0.perSecond) },
            uniquingKeysWith: { first, _ in first }
        )
        pushes = run.pushTimes
        epoch = run.instant(.zero)
    }

    /// When the first push arrived; times are reported relative to it.
    private var start: WallTime { pushes.first ?? .zero }

    private func instant(_ wall: WallTime) -> Instant {
        Instant(monotonic: epoch.monotonic + (wall - epoch.wall), wall: wall)
    }

    // MARK: - For people

    /// A widget's story, one line for each event; the time is printed where it changes.
    func lines(_ history: WidgetHistory, using registered: borrowing RegisteredWidgets) -> [String]
    {
        var lines: [String] = []
        var label = ""
        func report(_ next: String, text: String) {
            let shown = next == label ? "" : next
            label = next
            lines.append("    " + padded(shown, to: 16) + text)
        }
        let known = registered.device(of: history.widget).known
        for event in history.events {
            let time = self.label(event.at)
            switch event.occurrence {
            case .decided(let decision):
                report(
                    time,
                    text: sentence(
                        decision,
                        budget: event.budget,
                        widget: history.widget,
                        using: registered
                    )
                )
            case .reloads(let reload, let cause):
                report(
                    time,
                    text: "reloads\(date(event.at))\(cause == .push ? "" : ", cause \(cause)")"
                )
                report(
                    time,
                    text: cost(event.cost, budget: event.budget, at: event.at, known: known)
                )
                for sibling in reload.siblings {
                    report(
                        time,
                        text: self.sibling(sibling, at: event.at, known: known, using: registered)
                    )
                }
            case .along(let reload, let reloads):
                report(
                    time,
                    text: along(
                        event,
                        reload: reload,
                        reloads: reloads,
                        known: known,
                        using: registered
                    )
                )
            }
        }
        if history.stillWaits { report("+\(durationText(DryRun.horizon))", text: "still waiting") }
        return lines
    }

    /// The time of an event since the first push, and which push came then if there are several.
    private func label(_ time: WallTime) -> String {
        let distance = time - start
        let span = distance == .zero ? "now" : "+\(durationText(distance))"
        guard pushes.count > 1, let push = pushes.firstIndex(of: time) else { return span }
        return "push \(push + 1), \(span)"
    }

    /// The date of an event that is a minute or more after the first push; else nothing.
    private func date(_ time: WallTime) -> String {
        if time - start < .minutes(1) { return "" }
        let (date, first) = (WallDate(time), WallDate(start))
        return date.day == first.day ? " at \(date.time)" : " on \(date.day) at \(date.time)"
    }

    /// Explains a decision that sends nothing, such as a wait, and names its reason.
    private func sentence(
        _ decision: Decision,
        budget: WidgetBudget,
        widget: WidgetID,
        using registered: borrowing RegisteredWidgets
    ) -> String {
        let kind = registered.widget(widget).kind
        let policy = policies[kind] ?? KindPolicy()
        let rate = origins[policy.origin ?? ""]
        let now = instant(decision.at)
        return DecisionSentence(policy, kind: kind, perSecond: rate).text(
            decision.reason,
            spent: DecisionSentence.spent(
                used: budget.used(at: now),
                allowance: budget.allowance(at: now) ?? 0,
                reserve: budget.reserve(at: now)
            )
        )
    }

    /// Says what a reload costs the widget's budget.
    private func cost(
        _ cost: Int,
        budget: WidgetBudget,
        at time: WallTime,
        known: KnownState
    ) -> String {
        guard let allowance = budget.allowance(at: instant(time)) else {
            return "costs nothing: the kind's budget is unlimited"
        }
        if cost == 0 {
            return "costs nothing: \(known.freeBecause ?? "it is not counted")"
        }
        return "costs \(cost), then \(budget.used(at: instant(time))) of \(allowance) used in 24 h"
    }

    private func sibling(
        _ charge: DryRun.Charge,
        at time: WallTime,
        known: KnownState,
        using registered: borrowing RegisteredWidgets
    ) -> String {
        let name = registered.widget(charge.widget).id
        if !charge.reloads {
            return "\(name), of the same kind, does not: its budget is spent"
        }
        let cost = cost(charge.cost, budget: charge.budget, at: time, known: known)
        return "\(name), of the same kind, reloads too: \(cost)"
    }

    /// Describes a reload along with another widget, or says why the widget is left out of it.
    private func along(
        _ event: WidgetHistory.Event,
        reload: DryRun.Reload,
        reloads: Bool,
        known: KnownState,
        using registered: borrowing RegisteredWidgets
    ) -> String {
        let names = reload.widgets.map { registered.widget($0.widget).id }
        let others = names.joined(separator: ", ")
        if !reloads {
            return "does not reload with \(others), of the same kind: the budget is spent"
        }
        let cost = cost(event.cost, budget: event.budget, at: event.at, known: known)
        return "reloads\(date(event.at)) with \(others), of the same kind: \(cost)"
    }

    private func padded(_ text: String, to width: Int) -> String {
        let gap = max(width - text.count, text.isEmpty ? 0 : 2)
        return text + String(repeating: " ", count: gap)
    }

    // MARK: - Sums

    /// Counts the widgets that reload at once, later, and not at all, and the siblings that reload
    /// with them.
    func summary(_ histories: [WidgetHistory]) -> String {
        var (atOnce, later) = (0, 0)
        var siblings: Set<WidgetID> = []
        for history in histories {
            assert(!history.matches.isEmpty, "no push matched the widget")
            let push = pushes[history.matches[0].push - 1]
            guard let first = history.firstReload(from: push) else { continue }
            if first == push { atOnce += 1 } else { later += 1 }
            siblings.formUnion(history.siblings)
        }
        siblings.subtract(histories.map(\.widget))
        let not = histories.count - atOnce - later
        let along =
            switch siblings.count {
            case 0: ""
            case 1: "; 1 sibling reloads with them"
            default: "; \(siblings.count) siblings reload with them"
            }
        return "\(atOnce) reload at once, \(later) later, \(not) not at all\(along)"
    }

    // MARK: - For programs

    /// Adds a widget's events to a JSON object that has been begun.
    func write(
        _ history: WidgetHistory?,
        using registered: borrowing RegisteredWidgets,
        to writer: inout JSONWriter
    ) {
        writer.key("events")
        writer.beginArray()
        for event in history?.events ?? [] { write(event, using: registered, to: &writer) }
        writer.endArray()
        writer.member("waits", value: history?.stillWaits ?? false)
    }

    private func write(
        _ event: WidgetHistory.Event,
        using registered: borrowing RegisteredWidgets,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.member("at", value: event.at)
        writer.member("after", value: event.at - start)
        switch event.occurrence {
        case .decided(let decision):
            writer.member("reason", value: decision.reason.name)
            writer.member("cause", value: decision.cause.rawValue)
            if let until = decision.until {
                writer.member("until", value: until)
            }
        case .reloads(let reload, let cause):
            writer.member("reason", value: DecisionReason.sent.name)
            writer.member("cause", value: cause.rawValue)
            write(event.cost, budget: event.budget, at: event.at, to: &writer)
            write(reload.siblings, at: reload.at, using: registered, to: &writer)
        case .along(let reload, _):
            writer.key("with")
            writer.beginArray()
            for other in reload.widgets { writer.string(registered.widget(other.widget).id) }
            writer.endArray()
            write(event.cost, budget: event.budget, at: event.at, to: &writer)
        }
        writer.endObject()
    }

    private func write(
        _ siblings: [DryRun.Charge],
        at time: WallTime,
        using registered: borrowing RegisteredWidgets,
        to writer: inout JSONWriter
    ) {
        writer.key("siblings")
        writer.beginArray()
        for sibling in siblings {
            writer.beginObject()
            writer.member("widget", value: registered.widget(sibling.widget).id)
            writer.member("reloads", value: sibling.reloads)
            write(sibling.cost, budget: sibling.budget, at: time, to: &writer)
            writer.endObject()
        }
        writer.endArray()
    }

    private func write(
        _ cost: Int,
        budget: WidgetBudget,
        at time: WallTime,
        to writer: inout JSONWriter
    ) {
        writer.member("cost", value: cost)
        writer.member("used", value: budget.used(at: instant(time)))
        writer.key("allowance")
        if let allowance = budget.allowance(at: instant(time)) {
            writer.integer(Int64(allowance))
        } else {
            writer.null()
        }
    }
}
