internal import ReloadModel

/// What reloads cost, and what must sum up.
extension Checker {
    private static var halfHour: Int64 { 1_800_000 }
    static var halfHours: Int { 48 }

    /// Charges the instances that a RELOAD names, and judges them.
    ///
    /// Free, as WidgetKit has it: the app in front, a media session, a significant change of
    /// location. A repeated RELOAD was charged when it was sent first. Siblings that are not named
    /// reload as well, if their own budgets allow: what they pay is between them and WidgetKit, so
    /// the count here is never too high.
    ///
    /// - Returns: how many instances were charged.
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

    /// Of each kind one instance must be far enough from its last reload; what waits for its
    /// siblings comes along.
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

    /// At the end no widget was ever charged more than it may be, as rarely as it was looked at.
    ///
    /// The router learns how often a day that is: less often than in the whole run.
    ///
    /// - Parameters:
    ///   - widget: whose charges are judged.
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

    /// The half hours that a ring of 48 holds lie within 24 h: the count is never too high, and in
    /// the first day it is exact.
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

    /// A widget that is added again has a budget of its own.
    mutating func forgetCharges(_ widget: UInt32) {
        let base = Int(widget) * Self.halfHours
        for place in base..<base + Self.halfHours { halves[place] = 0 }
    }

    // MARK: - Sums

    /// The router's ACK to a publisher says how many widgets its pushes concerned.
    func acknowledged(matched: UInt32, expected: UInt32) throws(Violation) {
        if matched != expected {
            throw Violation(
                "matches",
                "pushes concern \(expected) widgets, and the router found \(matched)"
            )
        }
    }

    /// SCHEDULED tells when the widget will be reloaded.
    func scheduled(_ widget: UInt32, at date: Int64) throws(Violation) {
        let due = widgets[Int(widget)].due
        if due != CheckedWidget.none && date < Int64(due) {
            throw violation("dates", widget, "is given a time \(Int64(due) - date) ms too early")
        }
    }

    /// What the router took has ended or is pending, and not more of it than there are widgets.
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

    /// Slots that were taken are given back or finished, or there is a widget that holds them.
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

    /// At the end a widget that is owed a reload waits for it, or every push that it is owed for was
    /// found to change nothing when it came.
    ///
    /// - Parameters:
    ///   - widget: which a push or a request asks a reload of.
    ///   - account: what the router says of it; nil if it does not know it.
    ///   - now: the end.
    /// - Returns: false if the record that would say so has made room for newer ones.
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

    /// Few of those that are owed something have lost the record that says why: one in five, and
    /// where they are few, ten.
    func settled(owed: Int, unexplained: Int) throws(Violation) {
        if unexplained > max(10, owed / 5) {
            throw Violation(
                "reasons",
                "\(unexplained) of \(owed) widgets that are owed a reload have no record why"
            )
        }
    }

    /// Whether a push or a request asks for a reload of the widget.
    func isOwed(_ widget: UInt32, at now: Int64) -> Bool {
        widgets[Int(widget)].has(CheckedWidget.exists)
            && !causes(widget, at: now).isDisjoint(with: [.push, .request])
    }
}

extension BudgetPolicy {
    /// The most reloads that a widget can have in 24 h.
    ///
    /// - Parameter views: the most views in a day.
    /// - Returns: the most reloads, while that is learnt or later.
    func largestAllowance(views: Int = .max) -> Int {
        if learningDays == 0 { return allowance(views) }
        // While that is learnt, a widget counts as looked at once a day at least.
        let learning = allowance(max(1, views)) * learningPercent / 100
        return min(BudgetPolicy.limit, max(allowance(views), learning))
    }

    /// From `seldom` for none to `daily` for one, and from there to `often`, both evenly.
    private func allowance(_ views: Int) -> Int {
        if views == 0 { return seldom }
        if views >= oftenViews { return max(seldom, daily, often) }
        let above = (often - daily) * (views - 1) / (oftenViews - 1)
        return max(seldom, daily, daily + above)
    }
}
