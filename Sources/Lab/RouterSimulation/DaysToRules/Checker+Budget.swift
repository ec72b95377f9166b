internal import Basics
internal import ReloadScheduling
internal import RouterCore

/// The rules for the costs of reloads, and for counts that must add up.
extension Checker {
    private static var halfHour: Milliseconds { .minutes(30) }
    /// The number of half hours for which a widget's charges are kept: a day.
    private static var halfHours: Int { 48 }

    /// Charges the widgets that a RELOAD names, and checks spacing and budgets.
    ///
    /// As in WidgetKit, reloads are free while the app is in the foreground, during a media
    /// session, and after a significant change of location. A repeated RELOAD was charged when it
    /// was first sent. Other widgets of the kind reload as well if their own budgets allow it; they
    /// are not charged here, so the count is never too high.
    ///
    /// - Returns: how many widgets were charged.
    mutating func charge(
        _ reload: borrowing SimulatedReload,
        causes: OpenCauses,
        widgets range: Range<UInt32>,
        at now: Milliseconds
    ) throws(Violation) -> Int {
        if free[Int(reload.device)] != 0 || reload.cause == .location { return 0 }
        if !causes.isDisjoint(with: [.location, .repeated]) { return 0 }
        if reload.cause != .download { try judgeSpacing(reload, widgets: range, at: now) }
        var count = 0
        for number in reload.named {
            let widget = range.lowerBound + number
            let policy = policies[Int(widgets[Int(widget)].kind)].budget
            if !policy.isLimited { continue }
            charge(widget, at: now)
            try judgeBudget(widget, allowance: policy.largestAllowance())
            count += 1
        }
        return count
    }

    /// Checks that, of each kind, at least one widget is far enough from its last reload: the other
    /// widgets of the kind may reload together with it.
    private func judgeSpacing(
        _ reload: borrowing SimulatedReload,
        widgets range: Range<UInt32>,
        at now: Milliseconds
    ) throws(Violation) {
        var spaced: UInt8 = 0
        for number in reload.named {
            let record = widgets[Int(range.lowerBound + number)]
            let spacing = policies[Int(record.kind)].budget.spacing
            let isFar = record.chargeTime.map { now - $0 >= spacing } ?? true
            if isFar { spaced |= 1 << record.kind }
        }
        for number in reload.named {
            let widget = range.lowerBound + number
            let record = widgets[Int(widget)]
            if spaced & 1 << record.kind == 0, let chargeTime = record.chargeTime {
                let spacing = policies[Int(record.kind)].budget.spacing
                throw violation(
                    "spacing",
                    of: widget,
                    text: "is charged \(now - chargeTime) ms after it was charged before; "
                        + "its kind says \(spacing) ms"
                )
            }
        }
    }

    /// Checks at the end that a widget was never charged more in 24 h than its views allow.
    ///
    /// The allowance follows from the views per day, which are at most the views of the whole run.
    ///
    /// - Throws: `budget`.
    func judgeCharges(_ widget: UInt32, views: Int) throws(Violation) {
        let policy = policies[Int(widgets[Int(widget)].kind)].budget
        let allowance = policy.largestAllowance(views: views)
        let most = widgets[Int(widget)].most
        if policy.isLimited && most > allowance {
            throw violation(
                "budget",
                of: widget,
                text:
                    "is charged \(most) times in 24 h; looked at \(views) times in all, it may be "
                    + "\(allowance) times"
            )
        }
    }

    /// Checks that a widget was not charged more in 24 h than its allowance.
    private func judgeBudget(_ widget: UInt32, allowance: Int) throws(Violation) {
        let used = widgets[Int(widget)].charges.count
        if used > allowance {
            throw violation(
                "budget",
                of: widget,
                text: "is charged \(used) times in 24 h; its kind allows \(allowance)"
            )
        }
    }

    /// Counts a charge. The half hours that are kept cover at most 24 h, so the count is never too
    /// high; on the first day it is exact.
    private mutating func charge(_ widget: UInt32, at now: Milliseconds) {
        let half = Int(now / Self.halfHour as Int64)
        widgets[Int(widget)].chargeTime = now
        widgets[Int(widget)].charges.removeAll { $0 <= half - Self.halfHours }
        widgets[Int(widget)].charges.append(half)
        let count = widgets[Int(widget)].charges.count
        widgets[Int(widget)].most = max(widgets[Int(widget)].most, count)
    }

    // MARK: - Balances

    /// Checks the number of matches in an ACK to a publisher.
    func acknowledged(matched: UInt32, expected: UInt32) throws(Violation) {
        if matched != expected {
            throw Violation(
                "matches",
                text: "pushes concern \(expected) widgets, and the router found \(matched)"
            )
        }
    }

    /// Checks that SCHEDULED gives no date before the one that the timeline asked for.
    func scheduled(_ widget: UInt32, at date: Milliseconds) throws(Violation) {
        if let due = widgets[Int(widget)].dueTime, date < due {
            throw violation("dates", of: widget, text: "is scheduled \(due - date) ms too early")
        }
    }

    /// Checks that all reload requests that the router accepted have ended or are pending, and that
    /// no more of them are pending than there are widgets.
    func balanced(_ counts: DecisionSums) throws(Violation) {
        let most = max(counts.rest, counts.pending ?? 0)
        if most > UInt64(widgetCount) {
            throw Violation("bounded", text: "\(most) causes of \(widgetCount) widgets wait")
        }
        if let pending = counts.pending, pending != counts.rest {
            throw Violation(
                "reasons",
                text: "\(counts.accepted) causes were taken; \(counts.ended.total) have ended and "
                    + "\(pending) wait"
            )
        }
    }

    /// Checks that all assigned slots were released, have finished, or belong to a widget now.
    func balanced(_ slots: SlotCounters, used: Int) throws(Violation) {
        if slots.pending != used {
            throw Violation(
                "slots",
                text: "\(slots.assigned) slots were assigned; \(slots.released) were released, "
                    + "\(slots.finished) are finished and widgets have \(used)"
            )
        }
    }

    /// Checks at the end of the run that a widget with an open cause (`isReloadOpen`) has a pending
    /// reload, or that no push that opened the cause changed an observed field. The account is nil
    /// if the router does not know the widget. Returns false if the decision that would explain the
    /// missing reload has made way for newer ones in the router's log.
    ///
    /// - Throws: `reasons`.
    func settled(
        _ widget: UInt32,
        account: ReloadAccount?,
        at now: Milliseconds
    ) throws(Violation) -> Bool {
        guard let account else {
            throw violation("reasons", of: widget, text: "is not known to the router")
        }
        if account.isPending { return true }
        if widgets[Int(widget)].marks.contains(.requested) {
            throw violation(
                "reasons",
                of: widget,
                text: "has no reload for what its app asked for, and nothing is waiting"
            )
        }
        let times = pushTimes(widget, at: now).filter { !account.unchangedAt.contains($0) }
        if let lost = times.first(where: { $0 >= account.since }) {
            throw violation(
                "reasons",
                of: widget,
                text: "has no reload for a push \(now - lost) ms ago: none waits, and it changed "
                    + "something"
            )
        }
        return times.isEmpty
    }

    /// Checks that few of the widgets with an open cause lack a recorded decision that explains the
    /// missing reload: at most one in five, or ten if that is more.
    func settled(openCount: Int, unexplained: Int) throws(Violation) {
        if unexplained > max(10, openCount / 5) {
            throw Violation(
                "reasons",
                text:
                    "\(unexplained) of \(openCount) widgets without a reload lack a recorded reason"
            )
        }
    }

    /// Returns true if a push or a request asks for a reload of the widget now.
    func isReloadOpen(_ widget: UInt32, at now: Milliseconds) -> Bool {
        widgets[Int(widget)].marks.contains(.exists)
            && !causes(widget, at: now).isDisjoint(with: [.push, .request])
    }
}

extension BudgetPolicy {
    /// The most reloads that a widget with at most `views` views per day can have in 24 h, in the
    /// learning period or after it.
    func largestAllowance(views: Int = .max) -> Int {
        if learningDays == 0 { return allowance(views) }
        // In the learning period, a widget counts as looked at once a day or more.
        let learning = allowance(max(1, views)) * learningPercent / 100
        return min(BudgetPolicy.limit, max(allowance(views), learning))
    }

    /// Returns the allowance after the learning period: `seldom` without views, `daily` for one
    /// view per day, and rising evenly from there to `often` at `oftenViews`.
    private func allowance(_ views: Int) -> Int {
        if views == 0 { return seldom }
        if views >= oftenViews { return max(seldom, daily, often) }
        let above = (often - daily) * (views - 1) / (oftenViews - 1)
        return max(seldom, daily, daily + above)
    }
}
