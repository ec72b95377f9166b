internal import ReloadModel

/// The rules for the costs of reloads, and for counts that must add up.
extension Checker {
    private static var halfHour: Int64 { 1_800_000 }
    static var halfHours: Int { 48 }

    /// Charges the widgets that a RELOAD names, and checks spacing and budgets.
    ///
    /// As in WidgetKit, reloads are free while the app is in the foreground, during a media
    /// session, and after a significant change of location. A repeated RELOAD was charged when it
    /// was first sent. Siblings that are not named reload as well if their own budgets allow it;
    /// these charges are WidgetKit's affair, so the count here is never too high.
    ///
    /// - Returns: how many widgets were charged.
    mutating func charge(
        _ reload: borrowing SimulatedReload,
        _ causes: OpenCauses,
        _ range: Range<UInt32>,
        _ now: Int64
    ) throws(Violation) -> Int {
        if free[Int(reload.device)] != 0 || reload.cause == .location { return 0 }
        if !causes.isDisjoint(with: [.location, .repeated]) { return 0 }
        if reload.cause != .download { try judgeSpacing(reload, range, now) }
        var count = 0
        for number in reload.named {
            let widget = range.lowerBound + number
            let policy = policies[Int(widgets[Int(widget)].kind)].budget
            if !policy.isLimited { continue }
            charge(widget, now)
            try judgeBudget(widget, policy.largestAllowance())
            count += 1
        }
        return count
    }

    /// Checks that, of each kind, at least one widget is far enough from its last reload; its
    /// siblings may then come along with it.
    private func judgeSpacing(
        _ reload: borrowing SimulatedReload,
        _ range: Range<UInt32>,
        _ now: Int64
    ) throws(Violation) {
        var spaced: UInt8 = 0
        for number in reload.named {
            let record = widgets[Int(range.lowerBound + number)]
            let spacing = policies[Int(record.kind)].budget.spacing
            let isFar = now - Int64(record.chargedAt) >= spacing
            if record.chargedAt == CheckedWidget.none || isFar { spaced |= 1 << record.kind }
        }
        for number in reload.named {
            let widget = range.lowerBound + number
            let record = widgets[Int(widget)]
            if spaced & 1 << record.kind == 0 {
                let spacing = policies[Int(record.kind)].budget.spacing
                throw violation(
                    "spacing",
                    widget,
                    "is charged \(now - Int64(record.chargedAt)) ms after it was charged before; "
                        + "its kind says \(spacing) ms"
                )
            }
        }
    }

    /// Checks at the end that a widget was never charged more in 24 h than its views allow.
    ///
    /// The router learns how often a widget is looked at per day, which is at most as often as in
    /// the whole run.
    ///
    /// - Parameters:
    ///   - widget: the widget.
    ///   - views: how often it was looked at in the whole run.
    /// - Throws: `budget`.
    func spent(_ widget: UInt32, views: Int) throws(Violation) {
        let policy = policies[Int(widgets[Int(widget)].kind)].budget
        let allowance = policy.largestAllowance(views: views)
        let most = widgets[Int(widget)].most
        if policy.isLimited && Int(most) > allowance {
            throw violation(
                "budget",
                widget,
                "is charged \(most) times in 24 h; looked at \(views) times in all, it may be "
                    + "\(allowance) times"
            )
        }
    }

    private func judgeBudget(_ widget: UInt32, _ allowance: Int) throws(Violation) {
        let record = widgets[Int(widget)]
        if Int(record.used) > allowance {
            throw violation(
                "budget",
                widget,
                "is charged \(record.used) times in 24 h; its kind allows \(allowance)"
            )
        }
    }

    /// Counts a charge. A ring of 48 half hours lies within 24 h, so the count is never too high,
    /// and in the first day it is exact.
    private mutating func charge(_ widget: UInt32, _ now: Int64) {
        let index = Int(widget)
        widgets[index].chargedAt = UInt32(clamping: now)
        let half = UInt16(now / Self.halfHour)
        let base = index * Self.halfHours
        var passed = widgets[index].half
        let oldest = Int(half) - Self.halfHours
        if Int(passed) < oldest { passed = UInt16(oldest) }
        while passed < half {
            passed += 1
            let place = base + Int(passed) % Self.halfHours
            widgets[index].used -= UInt16(halves[place])
            halves[place] = 0
        }
        widgets[index].half = half
        let place = base + Int(half) % Self.halfHours
        if halves[place] < .max {
            halves[place] += 1
            widgets[index].used += 1
        }
        widgets[index].most = max(widgets[index].most, widgets[index].used)
    }

    /// Resets the charges of a widget that is added again, which gets a new budget.
    mutating func forgetCharges(_ widget: UInt32) {
        let base = Int(widget) * Self.halfHours
        for place in base..<base + Self.halfHours { halves[place] = 0 }
    }

    // MARK: - Balances

    /// Checks the ACK to a publisher, which counts the widgets that its pushes concerned.
    func acknowledged(matched: UInt32, expected: UInt32) throws(Violation) {
        if matched != expected {
            throw Violation(
                "matches",
                "pushes concern \(expected) widgets, and the router found \(matched)"
            )
        }
    }

    /// Checks that SCHEDULED gives no date before the one that the timeline asked for.
    func scheduled(_ widget: UInt32, at date: Int64) throws(Violation) {
        let due = widgets[Int(widget)].due
        if due != CheckedWidget.none && date < Int64(due) {
            throw violation("dates", widget, "is given a time \(Int64(due) - date) ms too early")
        }
    }

    /// Checks that all causes that the router accepted have ended or are pending, and that these
    /// are at most as many as widgets.
    func balanced(_ counts: DecisionSums) throws(Violation) {
        let most = max(counts.rest, counts.pending ?? 0)
        if most > UInt64(widgetCount) {
            throw Violation("bounded", "\(most) causes of \(widgetCount) widgets wait")
        }
        if let pending = counts.pending, pending != counts.rest {
            throw Violation(
                "reasons",
                "\(counts.accepted) causes were taken; \(counts.endedTotal) have ended and "
                    + "\(pending) wait"
            )
        }
    }

    /// Checks that all assigned slots were released, are finished, or belong to a widget.
    func balanced(_ slots: SlotSums) throws(Violation) {
        let sum = slots.givenBack + slots.finished + slots.held
        if slots.taken != sum {
            throw Violation(
                "slots",
                "\(slots.taken) slots were taken; \(slots.givenBack) were given back, "
                    + "\(slots.finished) are finished and widgets hold \(slots.held)"
            )
        }
    }

    /// Checks at the end that a widget with an open cause has a pending reload, or that every push
    /// that opened it changed nothing when it came.
    ///
    /// - Parameters:
    ///   - widget: a widget for which `isOwed` is true.
    ///   - account: what the router knows of it; nil if it does not know the widget.
    ///   - now: the end of the run.
    /// - Returns: false if the record that would explain it was dropped for newer ones.
    /// - Throws: `reasons`.
    func settled(
        _ widget: UInt32,
        _ account: ReloadAccount?,
        at now: Int64
    ) throws(Violation) -> Bool {
        guard let account else { throw violation("reasons", widget, "is not known to the router") }
        if account.isPending { return true }
        if widgets[Int(widget)].has(CheckedWidget.requested) {
            throw violation("reasons", widget, "is owed what its app asked for, and nothing waits")
        }
        let times = pushTimes(widget, at: now).filter { !account.unchangedAt.contains($0) }
        if let lost = times.first(where: { $0 >= account.since }) {
            throw violation(
                "reasons",
                widget,
                "is owed a reload by a push \(now - lost) ms ago: nothing waits, and it changed "
                    + "something"
            )
        }
        return times.isEmpty
    }

    /// Checks that few widgets with an open cause have lost the record that explains it: at most
    /// one in five, or ten if they are few.
    func settled(owed: Int, unexplained: Int) throws(Violation) {
        if unexplained > max(10, owed / 5) {
            throw Violation(
                "reasons",
                "\(unexplained) of \(owed) widgets that are owed a reload have no record why"
            )
        }
    }

    /// True if a push or a request asks for a reload of the widget.
    func isOwed(_ widget: UInt32, at now: Int64) -> Bool {
        widgets[Int(widget)].has(CheckedWidget.exists)
            && !causes(widget, at: now).isDisjoint(with: [.push, .request])
    }
}

extension BudgetPolicy {
    /// The most reloads that a widget can have in 24 h.
    ///
    /// - Parameter views: the most views per day.
    /// - Returns: the most reloads, in the learning period or after it.
    func largestAllowance(views: Int = .max) -> Int {
        if learningDays == 0 { return allowance(views) }
        // In the learning period, a widget counts as looked at once a day or more.
        let learning = allowance(max(1, views)) * learningPercent / 100
        return min(BudgetPolicy.limit, max(allowance(views), learning))
    }

    /// The allowance after the learning period: `seldom` without views, `daily` for one view per
    /// day, and rising evenly from there to `often`.
    private func allowance(_ views: Int) -> Int {
        if views == 0 { return seldom }
        if views >= oftenViews { return max(seldom, daily, often) }
        let above = (often - daily) * (views - 1) / (oftenViews - 1)
        return max(seldom, daily, daily + above)
    }
}
