import CommandSupport
import ReloadRouterClient

/// What became of a push, in words for people.
///
///     seq 2: matched 1 · put off until 01:12:08 (spacing: a widget's reloads are 5 min apart): …
struct PushOutcomeText {
    private let outcome: PushOutcome
    /// The present time, in seconds since 1970; nil for that of the clock.
    private let now: Int64?

    init(_ outcome: PushOutcome, now: Int64? = nil) {
        self.outcome = outcome
        self.now = now
    }

    /// One line, or several if the push had different outcomes for different widgets.
    var lines: [String] {
        let start = "seq \(outcome.seq): "
        if outcome.isDuplicate {
            return [start + "no effect: a push of this number was accepted before"]
        }
        let groups = groups
        if groups.isEmpty { return [start + miss] }
        let matched = start + "matched \(widgetCount)"
        if groups.count == 1 { return ["\(matched) · \(groups[0])"] }
        return [matched] + groups.map { "  " + $0 }
    }

    /// The widgets with any outcome; more than `matched` if the push had expired on arrival.
    private var widgetCount: UInt64 { outcome.counts.values.reduce(0, +) }

    // MARK: - Matches

    /// The named widgets by their outcome, and the number of the others.
    private var groups: [String] {
        var groups: [(phrase: String, widgets: [String])] = []
        for widget in outcome.widgets {
            let phrase = OutcomePhrase(
                outcome: widget.outcome,
                joins: widget.joins,
                until: widget.until,
                why: widget.why,
                now: now
            ).text
            let name = "\(widget.widget) on \(widget.device)"
            if let index = groups.firstIndex(where: { $0.phrase == phrase }) {
                groups[index].widgets.append(name)
            } else {
                groups.append((phrase, [name]))
            }
        }
        let texts = groups.map { "\($0.phrase): \($0.widgets.joined(separator: ", "))" }
        return texts + (others.map { [$0] } ?? [])
    }

    /// The widgets that are not named, by their outcome; nil if all are named.
    private var others: String? {
        var left = outcome.counts
        for widget in outcome.widgets { left[widget.outcome]? -= 1 }
        let counts = left.filter { $0.value > 0 }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if counts.isEmpty { return nil }
        let sum = counts.reduce(0) { $0 + $1.value }
        let more = outcome.widgets.isEmpty ? "" : " more"
        return "\(sum)\(more): \(counts.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
    }

    // MARK: - No match

    /// Why the push matches no widget.
    private var miss: String {
        guard let registered = outcome.registered else { return "matched no widget" }
        if registered == 0 { return "matched no widget: the app has no registered widget" }
        let count =
            registered == 1 ? "the app's only widget" : "any of the app's \(registered) widgets"
        guard let nearest = outcome.nearest else { return "did not match \(count)" }
        let name = "\(nearest.widget) on \(nearest.device) (\(nearest.kind))"
        let intro = registered == 1 ? ", \(name)" : "; the nearest is \(name)"
        return "did not match \(count)\(intro): \(nearest.text)"
    }
}

/// What became of a push for one widget, as a phrase.
struct OutcomePhrase {
    let outcome: String
    /// For `coalesced`, the outcome of the reload that the push has joined.
    var joins: String?
    /// When the wait ends, in ms since 1970.
    var until: Int64?
    /// Why, as the router words it.
    var why: String?
    /// The present time, in seconds since 1970; nil for that of the clock.
    var now: Int64?

    var text: String {
        switch outcome {
        case "sent": return "sent"
        case "coalesced":
            guard let joins, joins != "sent" else {
                return "joined a reload that is being sent (coalesced)"
            }
            return "joined the reload \(wait(joins))"
        case "apns": return "goes by APNs (\(reason(outcome)))"
        case "debounced", "spacing", "budget", "spread", "loop", "offline", "grace", "cap", "retry":
            return wait(outcome)
        case "ready": return "is about to be sent"
        case "undecided": return "not decided yet"
        case "unknown": return "not known any more"
        default: return "no reload (\(reason(outcome)))"
        }
    }

    private func wait(_ name: String) -> String {
        let until = until.map { " until \(time($0))" } ?? ""
        return "put off\(until) (\(reason(name)))"
    }

    private func reason(_ name: String) -> String { why.map { "\(name): \($0)" } ?? name }

    private func time(_ date: Int64) -> String {
        if let now { return LocalTime.text(date, now: now) }
        return LocalTime.text(date)
    }
}
