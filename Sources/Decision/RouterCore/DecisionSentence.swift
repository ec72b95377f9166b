package import ReloadModel

/// Says in a sentence what a decision means for a widget of some kind.
package struct DecisionSentence: Sendable {
    private let policy: KindPolicy
    private let perSecond: Int?

    /// - Parameters:
    ///   - policy: the kind's.
    ///   - perSecond: the rate of its origin, if that has one.
    package init(_ policy: KindPolicy, perSecond: Int?) {
        self.policy = policy
        self.perSecond = perSecond
    }

    /// What a decision means.
    ///
    /// - Parameters:
    ///   - reason: what was decided.
    ///   - spent: what is spent of the budget, as a clause; nil if it is not known.
    /// - Returns: the sentence, without its full stop, with the reason's name in it.
    package func text(_ reason: DecisionReason, spent: String? = nil) -> String {
        switch reason {
        case .sent: "reloads"
        case .scheduled: "its timeline's next reload has a date (\(reason.name))"
        case .unchanged: "no reload (\(reason.name)): \(listed) as before"
        case .debounced:
            "waits (\(reason.name)): until \(durationText(policy.debounce?.wait ?? 0)) pass without "
                + "a push"
        case .spacing:
            "waits (\(reason.name)): a widget's reloads are "
                + "\(durationText(policy.budget.spacing)) apart"
        case .budget: "waits (\(reason.name)): \(spent ?? "its budget is spent")"
        case .spread:
            "waits (\(reason.name)): for its turn at \(policy.origin ?? "")"
                + (perSecond.map { ", \($0) a second" } ?? "")
        case .coalesced: "joins the reload that waits (\(reason.name))"
        case .expired: "no reload (\(reason.name)): it came too late"
        case .superseded:
            "no reload (\(reason.name)): another one, or a newer timeline, has taken its place"
        case .offline: "waits (\(reason.name)): until its device has a session"
        case .loop:
            "waits (\(reason.name)): the device asks for a reload after every reload"
        case .done: "the device has reloaded it by itself (\(reason.name))"
        case .removed:
            "no reload (\(reason.name)): the widget is gone, or shows something else now"
        }
    }

    private var listed: String {
        let names = policy.shows
        return names.count == 1 ? "\(names[0]) is" : "\(names.joined(separator: ", ")) are"
    }

    /// What is spent of a budget, as a clause.
    package static func spent(used: Int, allowance: Int, reserve: Int) -> String {
        let kept = reserve == 0 ? "" : ", \(reserve) kept for urgent pushes"
        return "\(used) of \(allowance) used in 24 h\(kept)"
    }
}

/// A time span for people: `0.3 s`, `4 min 12 s`, `3 h 2 min`.
package func durationText(_ milliseconds: Int64) -> String {
    if milliseconds < 10_000 {
        let tenths = (milliseconds + 50) / 100
        if milliseconds < 50 { return "\(milliseconds) ms" }
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
    let seconds = (milliseconds + 500) / 1_000
    if seconds < 60 { return "\(seconds) s" }
    let (minutes, second) = (seconds / 60, seconds % 60)
    if minutes < 60 { return second == 0 ? "\(minutes) min" : "\(minutes) min \(second) s" }
    let (hours, minute) = (minutes / 60, minutes % 60)
    return minute == 0 ? "\(hours) h" : "\(hours) h \(minute) min"
}
