package import Basics

/// Explains decisions on the widgets of one kind to operators.
package struct DecisionSentence: Sendable {
    private let kind: String?
    private let policy: KindPolicy
    private let perSecond: Int?

    /// The kind's name is nil if it is not known; `perSecond` is the rate of its origin, nil if
    /// that has none.
    package init(_ policy: KindPolicy, kind: String?, perSecond: Int?) {
        self.kind = kind
        self.policy = policy
        self.perSecond = perSecond
    }

    /// Explains a decision by a sentence without a capital letter and full stop; where it names no
    /// subject, that is the widget. It contains the reason's name in parentheses, except for
    /// `sent`. `spent` is what `spent(used:allowance:reserve:)` says; nil if that is not known.
    package func text(_ reason: DecisionReason, spent: String? = nil) -> String {
        let reasons = why(reason, spent: spent).map { ": \($0)" } ?? ""
        return switch reason {
        case .sent: "reloads"
        case .scheduled: "its timeline's next reload has a date (\(reason.name))"
        case .apns: "goes by APNs (\(reason.name)): \(pushClause)"
        case .debounced, .spacing, .budget, .spread, .offline, .loop, .grace, .cap, .retry:
            "waits (\(reason.name))\(reasons)"
        case .unchanged, .outdated, .expired, .superseded, .removed:
            "no reload (\(reason.name))\(reasons)"
        case .coalesced: "joins a reload that is already waiting (\(reason.name))"
        case .done: "the device has reloaded it by itself (\(reason.name))"
        }
    }

    /// Why a decision was made, as a phrase that can stand after the reason's name; nil if the
    /// reason says everything. `spent` says how much of the budget is used; nil if that is not
    /// known.
    package func why(_ reason: DecisionReason, spent: String? = nil) -> String? {
        switch reason {
        case .unchanged: "\(observedFieldsClause) as before"
        case .outdated: outdatedClause
        case .debounced: "until \(durationText(policy.debounce?.wait ?? .zero)) pass without a push"
        case .spacing: "a widget's reloads are \(durationText(policy.budget.spacing)) apart"
        case .budget: spent ?? "its budget is spent"
        case .spread:
            "for a permit at \(policy.origin ?? "")" + (perSecond.map { ", \($0) a second" } ?? "")
        case .expired: "the push expired before it could be sent"
        case .superseded: "another one, or a newer timeline, has taken its place"
        case .offline: "until its device has a session"
        case .loop: "the device asks for a reload after every reload"
        case .removed: "the widget is gone, or shows something else now"
        case .grace: "the device may begin a session again"
        case .cap: "the device has had its pushes of the day"
        case .retry: "APNs wants the push to be repeated later"
        case .sent, .scheduled, .coalesced, .done, .apns: nil
        }
    }

    /// What a push by APNs reloads.
    private var pushClause: String {
        if policy.isControl { return "WidgetKit reloads this control alone" }
        let asked = kind.map { "kind \(quotation($0))" } ?? "its kind"
        return "asked for \(asked), WidgetKit reloads all of the app's widgets on the device, or "
            + "the app in background those of the kinds that the push names"
    }

    /// By what a push is older than another; the policy may have changed since the decision.
    private var outdatedClause: String {
        let field = policy.newest.map { " by \(quotation($0))" } ?? ""
        return "the push is older than another one" + field
    }

    /// The observed fields with their verb: `hp is`, `hp, level are`.
    ///
    /// The policy may have changed since the decision, and observe nothing any more.
    private var observedFieldsClause: String {
        let names = policy.observes
        if names.isEmpty { return "the observed fields are" }
        return names.count == 1 ? "\(names[0]) is" : "\(names.joined(separator: ", ")) are"
    }

    /// How much of a budget is used: `9 of 40 used in 24 h, 4 kept for urgent pushes`.
    package static func spent(used: Int, allowance: Int, reserve: Int) -> String {
        let kept = reserve == 0 ? "" : ", \(reserve) kept for urgent pushes"
        return "\(used) of \(allowance) used in 24 h\(kept)"
    }
}

/// A duration, rounded for people: `0.3 s`, `4 min 12 s`, `3 h 2 min`.
package func durationText(_ duration: Milliseconds) -> String {
    let milliseconds = duration.rawValue
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
