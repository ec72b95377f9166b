internal import Basics
internal import ReloadScheduling
internal import StoreFormat

/// When widgets may reload: their dates and budgets, and the origins to whose capacity reloads are
/// paced.
///
///     date ─► takeSlot ─► [ releaseSlot ] ─► finishSlot        a second of the origin's ledger
///     beginGrants ─► acquirePermit … ─► endGrants              a share of this second
///     charge                                                   a reload of the widget's budget
///
/// It knows widgets by their numbers alone. The time and a kind's rules are passed in.
struct Schedules: ~Copyable {
    /// The dates and budgets of the widgets, by the same numbers as `DeliveryTable.widgets`.
    var widgets = TrackedSlab<WidgetID, WidgetSchedule>()
    var origins = OriginTable()
    /// Which partition this is: it has a share of each origin's rate.
    let partition: Partition
    /// The apps that an operator has paused.
    var paused = PausedApps()
    private let passing = PassedByAddress()

    init(of partition: Partition) { self.partition = partition }

    // MARK: - Slots

    /// Takes a slot at a kind's origin for a widget's date; nil if the rules do not spread dates.
    /// If they spread them evenly, the hash says where in the window the slot is. A fixed slot must
    /// stay where it is when others are released. Windows that have grown are counted.
    mutating func takeSlot(
        for widget: WidgetID,
        by rules: KindRules,
        earliest: ScheduleTime,
        hash: UInt64,
        isFixed: Bool,
        now: ScheduleTime,
        into out: inout Outbox
    ) -> Slot? {
        switch rules.mode {
        case .none: return nil
        case .uniform:
            return origins[rules.origin].ledger.assignUniform(
                earliest: earliest,
                window: rules.window,
                hash: hash
            )
        case .ledger:
            let before = origins[rules.origin].ledger.counters.windowsGrown
            let slot = origins[rules.origin].ledger.assign(
                widget,
                earliest: earliest,
                window: rules.window,
                isFixed: isFixed,
                now: now
            )
            let grown = origins[rules.origin].ledger.counters.windowsGrown - before
            out.observer.counters.windowsGrown &+= UInt64(grown)
            return slot
        }
    }

    /// Releases a widget's slot at an origin, if it has one. Returns a widget that the ledger has
    /// moved to it; its date is still the former slot's.
    mutating func releaseSlot(
        of widget: WidgetID,
        at origin: OriginID,
        now: ScheduleTime
    ) -> MovedSlot? {
        let slot = widgets[widget].slot
        if slot.isNone { return nil }
        widgets[widget].slot = .none
        guard let moved = origins[origin].ledger.release(slot, now: now) else { return nil }
        widgets[moved.widget].slot = moved.slot.position
        return moved
    }

    /// Marks a widget's slot at an origin as used, because its reload is due.
    mutating func finishSlot(of widget: WidgetID, at origin: OriginID, now: ScheduleTime) {
        let slot = widgets[widget].slot
        if slot.isNone { return }
        widgets[widget].slot = .none
        origins[origin].ledger.finish(slot, now: now)
    }

    // MARK: - Pending reloads

    /// When the widget's pending reload expires; `.max` for never.
    func expiresAt(_ widget: WidgetID, in delivery: borrowing DeliveryTable) -> WallTime {
        let isNever = delivery.widgets[widget].privileges.contains(.hasDate)
        return isNever ? .max : widgets[widget].expiresAt
    }

    /// The time until the widget's debounce window ends.
    func debounceRemaining(
        of widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        now: MonotonicTime
    ) -> Milliseconds {
        min(
            widgets[widget].debounceEnd.wait(from: now),
            delivery.widgets[widget].debounceLimit.wait(from: now)
        )
    }

    // MARK: - Permits

    /// Begins a pass: decisions on a row of at most `demand` widgets, such as the matches of a
    /// push.
    ///
    /// During a pass, an origin that has permits for all these widgets gives each a permit at once.
    /// At any other origin the widgets queue, and get permits in the order of the queue.
    mutating func beginGrants(_ demand: Int) {
        origins.pass &+= 1
        origins.demand = demand
    }

    /// Ends the pass. Outside of a pass, every widget that needs a permit has to queue.
    mutating func endGrants() { beginGrants(.max) }

    /// Takes a permit of an origin, if that has enough for all widgets of the pass that
    /// `beginGrants` began. Returns whether it was taken; if not, the widget has to queue.
    mutating func acquirePermit(of origin: OriginID, now: ScheduleTime) -> Bool {
        if paused.has(origin: origin) { return false }
        if origins[origin].pass != origins.pass {
            origins[origin].pass = origins.pass
            let permits = origins[origin].ledger.permits(at: now)
            let isEnough = origins[origin].queue.isEmpty && permits >= origins.demand
            origins[origin].permits = isEnough ? permits : 0
        }
        if origins[origin].permits == 0 { return false }
        origins[origin].permits -= 1
        origins[origin].ledger.spend(1, at: now)
        return true
    }

    /// Makes the origins forget seconds that are over. A queue may have many more entries than
    /// there are widgets: those of reloads that no longer wait here are removed if there are many.
    mutating func passOrigins(
        widgets widgetCount: Int,
        in delivery: borrowing DeliveryTable,
        now: ScheduleTime
    ) {
        for origin in origins.ids {
            origins[origin].ledger.pass(now)
            if origins[origin].queue.count <= 2 * widgetCount + 64 { continue }
            origins[origin].queue.compact(idEnd: delivery.widgets.end) {
                delivery.widgets[$0].stage == .queued
            }
        }
    }

    // MARK: - Budgets

    /// Charges a widget's budget for a reload, if WidgetKit counts it, and keeps its time for the
    /// spacing of reloads.
    @inline(__always)
    mutating func charge(
        _ widget: WidgetID,
        by policy: BudgetPolicy,
        isCounted: Bool,
        now: MonotonicTime
    ) {
        if policy.isLimited && isCounted {
            widgets[widget].budget.charge(at: now, phase: Self.phase(widget))
        }
        if policy.isLimited || policy.spacing > .zero { widgets[widget].setLastReload(now) }
    }

    /// Charges the widget's budget for a reload, unless such a reload is not counted, or was
    /// charged when it was sent before. Returns whether the reload is counted.
    mutating func chargeBudget(
        _ widget: WidgetID,
        by policy: BudgetPolicy,
        in delivery: borrowing DeliveryTable,
        now: MonotonicTime
    ) -> Bool {
        let record = delivery.widgets[widget]
        let isCounted = !record.has(WidgetRecord.resent) && !delivery.isExempt(record)
        charge(widget, by: policy, isCounted: isCounted, now: now)
        return isCounted
    }

    /// Charges a reload that the router has not decided, because the device made it or another
    /// widget of the kind brings it about. Beyond the budget WidgetKit does not reload, and nothing
    /// is charged. Returns whether the budget allows the reload; if not, the widget is not
    /// reloaded.
    @discardableResult
    mutating func chargeUnrequested(
        _ widget: WidgetID,
        by policy: BudgetPolicy,
        isCounted: Bool,
        in delivery: borrowing DeliveryTable,
        now: MonotonicTime
    ) -> Bool {
        let device = delivery.devices[delivery.widgets[widget].device]
        let isCounted = isCounted && !device.isExempt
        if policy.isLimited && isCounted {
            let time = widgets[widget].budget.earliest(
                policy,
                mayUseReserve: true,
                at: now,
                phase: Schedules.phase(widget)
            )
            if time > now { return false }
        }
        charge(widget, by: policy, isCounted: isCounted, now: now)
        return true
    }

    /// The offset of the widget's budget days, so that not all widgets' budgets are renewed
    /// at the same time.
    @inline(__always)
    static func phase(_ widget: WidgetID) -> Milliseconds {
        Milliseconds((UInt64(widget.rawValue &* 0x9e37_79b1) * 86_400_000) >> 32)
    }
}

// MARK: - Checks

extension Schedules {
    /// What has become of the slots of all origins.
    var slotCounters: SlotCounters {
        var sum = SlotCounters()
        for origin in origins.ids {
            let part = origins[origin].ledger.counters
            sum.assigned += part.assigned
            sum.released += part.released
            sum.finished += part.finished
            sum.windowsGrown += part.windowsGrown
        }
        return sum
    }

    /// Checks the tables; there must be a schedule for each widget's number below `end`.
    func checkInvariants(widgets end: UInt32, now: ScheduleTime) throws(InvariantViolation) {
        try checkPart("Schedules.widgets", by: widgets.checkInvariants())
        try origins.checkInvariants()
        try checkInvariant(
            widgets.end == end,
            otherwise: "\(end) widgets have \(widgets.end) schedules"
        )
        for origin in origins.ids {
            try checkInvariant(
                origins[origin].ledger.time
                    <= max(.zero, now),
                otherwise: "origin \(origin) is in a second that has not come"
            )
        }
    }

    /// Checks a widget's budget, date and slot.
    func check(
        _ widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog,
        now: MonotonicTime
    ) throws(InvariantViolation) {
        let schedule = widgets[widget]
        do throws(InvariantViolation) {
            try schedule.budget.checkInvariants(
                at: now,
                phase: Self.phase(widget)
            )
        } catch {
            throw InvariantViolation(of: error.table, problem: "widget \(widget): \(error.problem)")
        }
        if schedule.slot.isNone {
            return try checkInvariant(
                !delivery.widgets[widget].has(WidgetRecord.displaced),
                otherwise: "widget \(widget) reloads at its slot, and has none"
            )
        }
        let origin = catalog.rules(of: widget, in: delivery).origin
        try checkInvariant(
            schedule.slot.isWithoutGroup
                || origins[origin].ledger.member(at: schedule.slot) == widget,
            otherwise: "widget \(widget) has a slot of origin \(origin) that is not its own"
        )
        try checkInvariant(
            schedule.timelineAt != .max,
            otherwise: "widget \(widget) has a slot and no date"
        )
    }

    // MARK: - Restoring

    /// Checks that each slot in the origins' ledgers belongs to a widget.
    func checkSlots(_ counted: Int) throws(StoreError) {
        let assigned = slotCounters.pending
        if counted != assigned {
            throw StoreError.corrupt("\(assigned) slots are assigned, and widgets have \(counted)")
        }
        for origin in origins.ids where origins[origin].ledger.unnamedCount > 0 {
            let count = origins[origin].ledger.unnamedCount
            throw StoreError.corrupt("\(count) slots of origin \(origin) are no widget's")
        }
    }

    /// Checks that no origin's ledger is ahead of the clock.
    func checkClocks(now: ScheduleTime) throws(StoreError) {
        for origin in origins.ids
        where origins[origin].ledger.time > max(.zero, now) {
            throw StoreError.corrupt("origin \(origin) is in a second that has not come")
        }
    }
}
