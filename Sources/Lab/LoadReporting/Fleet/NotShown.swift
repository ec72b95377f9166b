package import Basics

/// Widgets that pushes had changed and that had not displayed that by a run's end, for one cause.
package struct NotShown: Codable, Equatable, Sendable {
    /// What kept a change from being displayed.
    package enum Cause: String, Codable, CaseIterable, Sendable {
        /// The router puts the reload off, for `reason`.
        case putOff
        /// The device was offline, or connecting to the router again, or APNs had kept its push
        /// while it was offline.
        case deviceOffline
        /// The device delayed the reload: its own budget was spent, or it had ended the widget's
        /// extension.
        case deviceBudget
        /// The provider had been called, but had not answered yet.
        case provider
        /// The RELOAD was on its way.
        case underWay
        /// The router has decided that no reload is needed, for `reason`.
        case settled
        /// The router has neither a reload nor a reason for having none.
        case lost
        /// No RELOAD had arrived, and the router was not asked, or did not answer in time.
        case unknown

        /// The cause for people.
        var text: String {
            switch self {
            case .putOff: "put off"
            case .deviceOffline: "device offline"
            case .deviceBudget: "device's budget spent"
            case .provider: "provider not done"
            case .underWay: "RELOAD under way"
            case .settled: "no reload needed"
            case .lost: "lost"
            case .unknown: "unknown, the router has not said"
            }
        }

        /// True if only the router can say how many there are.
        var isRouters: Bool { [.putOff, .underWay, .settled, .lost].contains(self) }
    }

    /// What kept the changes from being displayed.
    package let cause: Cause
    /// The router's reason, as explanations name it: `spacing`; nil for what it did not decide.
    package let reason: String?
    /// The widgets.
    package var widgets = 0
    /// How long after the end the last of them reloads at the latest, if the router puts them off;
    /// nil if that is not known.
    package var waitMilliseconds: Double?

    /// Makes a count of no widgets.
    package init(_ cause: Cause, reason: String? = nil) {
        (self.cause, self.reason) = (cause, reason)
    }

    /// Counts a widget, which waits for so long after the end.
    package mutating func count(waiting wait: Milliseconds?) {
        widgets += 1
        guard let wait else { return }
        waitMilliseconds = max(waitMilliseconds ?? 0, Double(wait.rawValue))
    }
}

extension FleetReport {
    /// What changed and was not displayed by the end, by cause; nil if everything was.
    var notShownTable: ReportTable? {
        if notShown.isEmpty { return nil }
        let rows = notShown.map { entry in
            let reason = entry.reason.map { ": \($0)" } ?? ""
            let wait = entry.waitMilliseconds.map { "\(FigureText.milliseconds($0)) after the end" }
            return [entry.cause.text + reason, FigureText.grouped(entry.widgets), wait ?? ""]
        }
        let total = ["all", FigureText.grouped(notShown.widgetCount), ""]
        return ReportTable(
            ["Changed, not shown by the end", "widgets", "until"],
            rows: rows + [total]
        )
    }

    /// The widgets of every cause, also of those that there were not. What only the router can say
    /// is not measured while it has not said it of all widgets; no cause is in a report of an
    /// earlier version, which lacks them though changes were missed.
    var causeFigures: [ReportFigure] {
        let isUncounted = notShown.widgetCount < reloads.missed
        let isUnknown = notShown.contains { $0.cause == .unknown && $0.widgets > 0 }
        return NotShown.Cause.allCases.map { cause in
            if isUncounted || isUnknown && cause.isRouters {
                return ReportFigure(part: "Not shown", name: cause.text, text: "–", number: nil)
            }
            let count = notShown.filter { $0.cause == cause }.widgetCount
            return ReportFigure(cause.text, of: "Not shown", count: count)
        }
    }
}

extension [NotShown] {
    /// The widgets of all causes; a damaged report may have more than an `Int` can count.
    fileprivate var widgetCount: Int {
        Int(clamping: reduce(0 as Int128) { $0 + Int128($1.widgets) })
    }
}
