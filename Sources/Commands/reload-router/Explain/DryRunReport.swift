import Basics
import CommandSupport
import ReloadScheduling
import RouterCore

/// Formats the story of a dry run, as lines for people and as JSON for programs.
struct DryRunReport: ~Copyable {
    let app: AppDeclaration
    /// When the first push came; times are counted from there.
    let start: WallTime
    let run: DryRun

    // MARK: - For people

    /// A widget's story, one line for each event; the time is printed where it changes.
    func lines(_ widget: DryRunStory.Widget) -> [String] {
        var lines: [String] = []
        var label = ""
        func add(_ text: String, at next: String) {
            let shown = next == label ? "" : next
            label = next
            let gap = max(16 - shown.count, shown.isEmpty ? 0 : 2)
            lines.append("    " + shown + String(repeating: " ", count: gap) + text)
        }
        for event in widget.events {
            let distance = event.decision.at - start
            add(
                text(event, of: widget),
                at: distance == .zero ? "now" : "+\(durationText(distance))"
            )
        }
        if widget.waits { add("still waiting", at: "+\(durationText(DryRun.horizon))") }
        return lines
    }

    private func text(_ event: DryRunStory.Event, of widget: DryRunStory.Widget) -> String {
        let decision = event.decision
        if decision.reason == .sent {
            let cause = decision.cause == .push ? "" : ", cause \(decision.cause.rawValue)"
            return "reloads\(date(decision.at))\(cause): \(cost(event, of: widget))"
        }
        let policy = app.kinds.first { $0.kind == widget.kind }?.policy ?? KindPolicy()
        let origin = app.origins.first { $0.origin == policy.origin }
        let now = run.instant(decision.at)
        return DecisionSentence(policy, kind: widget.kind, perSecond: origin?.perSecond).text(
            decision.reason,
            spent: event.budget.map {
                DecisionSentence.spent(
                    used: $0.used(at: now),
                    allowance: $0.allowance(at: now) ?? 0,
                    reserve: $0.reserve(at: now)
                )
            }
        )
    }

    /// The date of an event that is a minute or more after the first push; else nothing.
    private func date(_ time: WallTime) -> String {
        if time - start < .minutes(1) { return "" }
        let (date, first) = (WallDate(time), WallDate(start))
        return date.day == first.day ? " at \(date.time)" : " on \(date.day) at \(date.time)"
    }

    /// What a reload costs the widget's budget.
    private func cost(_ event: DryRunStory.Event, of widget: DryRunStory.Widget) -> String {
        let now = run.instant(event.decision.at)
        guard let budget = event.budget, let allowance = budget.allowance(at: now) else {
            return "costs nothing, the kind's budget is unlimited"
        }
        if let reason = run.state(of: widget.device)?.freeBecause {
            return "costs nothing, \(reason)"
        }
        return "costs 1, then \(budget.used(at: now)) of \(allowance) used in 24 h"
    }

    /// Counts the widgets that reload at once, later, and not at all.
    func summary(_ widgets: [DryRunStory.Widget]) -> String {
        let atOnce = widgets.count { $0.isReloadedAtOnce == true }
        let later = widgets.count { $0.isReloadedAtOnce == false }
        return "\(atOnce) reload at once, \(later) later, "
            + "\(widgets.count - atOnce - later) not at all"
    }

    // MARK: - For programs

    /// A widget's story as one line of JSON.
    func line(_ widget: DryRunStory.Widget) -> String {
        let bytes = JSONWriter.object { json in
            json.member("device", value: widget.device)
            json.member("widget", value: widget.id)
            json.member("kind", value: widget.kind)
            json.list("events", of: widget.events) { event, json in
                write(event, of: widget, to: &json)
            }
            json.member("waits", value: widget.waits)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(
        _ event: DryRunStory.Event,
        of widget: DryRunStory.Widget,
        to json: inout JSONWriter
    ) {
        let decision = event.decision
        let now = run.instant(decision.at)
        let allowance = event.budget?.allowance(at: now)
        json.beginObject()
        json.member("at", value: decision.at)
        json.member("after", value: decision.at - start)
        json.member("reason", value: decision.reason.name)
        json.member("cause", value: decision.cause.rawValue)
        if let until = decision.until { json.member("until", value: until) }
        if decision.reason == .sent {
            let isFree = allowance == nil || run.state(of: widget.device)?.freeBecause != nil
            let cost = isFree ? 0 : 1
            json.member("cost", value: cost)
            json.member("used", value: event.budget?.used(at: now))
            json.member("allowance", value: allowance)
        }
        json.endObject()
    }
}
