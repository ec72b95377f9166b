internal import ChangeDetection
internal import DataStructures
internal import ReloadModel
internal import ReloadScheduling
internal import WidgetMatching

/// When a wish becomes a RELOAD.
///
///     wish ─► storm over? ─► budget and spacing ─► its turn at the origin ─► pending chain
///
/// A reload is contentless and idempotent, so a widget has at most one that waits (`stage`): further
/// wishes join it, the latest but for dates names the cause, and the earliest time stays.
extension ReloadState {
    mutating func want(_ widget: WidgetID, _ wish: ReloadWish, _ out: inout Outbox) {
        let stage = delivery.widgets[widget].stage
        let rank = delivery.widgets[widget].rank
        let rights = delivery.widgets[widget].rights
        join(widget, wish, isFirst: stage == .idle)
        out.observer.counters.wishes &+= 1
        if stage != .idle { out.observer.counters.endings[.coalesced] &+= 1 }
        switch stage {
        case .idle:
            if debounces(widget, wish) {
                beginStorm(widget, &out)
            } else {
                decide(widget, wish.burst, &out)
            }
        case .debounced:
            if debounces(widget, wish) {
                prolongStorm(widget, &out)
            } else if wish.cause == .request && isLooping(widget) {
                note(widget, .coalesced, &out)
            } else {
                decide(widget, wish.burst, &out)
            }
        case .deferred:
            // A view may have raised the allowance.
            if rights == delivery.widgets[widget].rights && wish.cause != .visible {
                note(widget, .coalesced, &out)
            } else if !rights.contains(.isNoRequest) && debounces(widget, wish) {
                // Only a loop has held it back.
                beginStorm(widget, &out)
            } else {
                decide(widget, wish.burst, &out)
            }
        case .queued:
            if wish.isUrgent && rank != .urgent { enqueue(widget, burst: wish.burst, &out) }
            note(widget, .coalesced, &out)
        case .held:
            note(widget, .coalesced, &out)
        case .ready:
            note(widget, .coalesced, &out)
            makeReady(widget, &out)
        }
    }

    /// Adds a wish to what is known of the reload that waits.
    private mutating func join(_ widget: WidgetID, _ wish: ReloadWish, isFirst: Bool) {
        delivery.widgets[widget].cause = wish.cause
        if isFirst {
            delivery.widgets[widget].rights = wish.rights
            delivery.schedules[widget].voidAt = wish.voidAt
        } else {
            delivery.widgets[widget].rights.formUnion(wish.joiningRights)
        }
        if wish.voidAt > delivery.schedules[widget].voidAt {
            delivery.schedules[widget].voidAt = wish.voidAt
        }
        let isVisible = delivery.widgets[widget].has(WidgetRecord.visible)
        let rank: ReloadRank = wish.isUrgent ? .urgent : isVisible ? .visible : .other
        if isFirst || rank.rawValue < delivery.widgets[widget].rank.rawValue {
            delivery.widgets[widget].rank = rank
        }
    }

    @inline(__always)
    func rules(of widget: WidgetID) -> KindRules {
        catalog.kinds[Int(delivery.widgets[widget].kind)].rules
    }

    // MARK: - Storms

    private func debounces(_ widget: WidgetID, _ wish: ReloadWish) -> Bool {
        if case .push = wish.cause {
            return !wish.isUrgent && rules(of: widget).debounceWait > 0
        }
        return false
    }

    private mutating func beginStorm(_ widget: WidgetID, _ out: inout Outbox) {
        let limit = clock.now.monotonic + rules(of: widget).debounceLongest
        delivery.widgets[widget].stormLimit = StormTime(limit)
        delivery.setStage(widget, .debounced)
        prolongStorm(widget, &out)
    }

    private mutating func prolongStorm(_ widget: WidgetID, _ out: inout Outbox) {
        let end = clock.now.monotonic + rules(of: widget).debounceWait
        delivery.schedules[widget].stormEnd = StormTime(end)
        arm(widget, &out)
        note(widget, .debounced, until: clock.now.monotonic + stormWait(widget), &out)
    }

    /// How long until the widget's storm is over, in ms.
    func stormWait(_ widget: WidgetID) -> Int64 {
        min(
            delivery.schedules[widget].stormEnd.wait(from: clock.now.monotonic),
            delivery.widgets[widget].stormLimit.wait(from: clock.now.monotonic)
        )
    }

    // MARK: - Budget and spacing

    /// Moves a widget's reload on from wherever it waits, as far as it may go now.
    ///
    /// - Parameters:
    ///   - widget: whose.
    ///   - burst: see `ReloadWish`.
    ///   - hasSlot: whether it has had its turn at the origin.
    ///   - wasPutOff: whether it goes because the time has come that it was put off to.
    ///   - out: collects frames, timers and counts that result.
    mutating func decide(
        _ widget: WidgetID,
        _ burst: UInt64,
        hasSlot: Bool = false,
        wasPutOff: Bool = false,
        _ out: inout Outbox
    ) {
        out.work.charge(WorkCost.decision)
        if voidAt(widget) <= clock.now.wall { return expire(widget, &out) }
        if !delivery.isAttached(delivery.devices[delivery.widgets[widget].device]) {
            return hold(widget, &out)
        }
        let (time, reason) = earliest(widget)
        if time > clock.now.monotonic {
            delivery.setStage(widget, .deferred)
            note(widget, reason, until: time, &out)
            return arm(widget, &out)
        }
        if wasPutOff && !isExempt(widget) { delivery.widgets[widget].cause = .budget }
        if !hasSlot && waitsForTurn(widget) && !takesTurn(widget) {
            enqueue(widget, burst: burst, &out)
        } else {
            makeReady(widget, &out)
        }
    }

    /// When the widget may reload, on the monotonic clock, and what keeps it until then.
    func earliest(_ widget: WidgetID) -> (time: Int64, reason: DecisionReason) {
        earliest(widget, as: delivery.widgets[widget])
    }

    /// The same, were this the widget's record.
    @inline(__always)
    func earliest(
        _ widget: WidgetID,
        as record: WidgetRecord
    ) -> (time: Int64, reason: DecisionReason) {
        var time = clock.now.monotonic
        var reason = DecisionReason.sent
        if record.has(WidgetRecord.resent) { return (time, reason) }
        let isRequest = !record.rights.contains(.isNoRequest)
        if isRequest, let end = loopEnd(widget), end > time { (time, reason) = (end, .loop) }
        if isExempt(record) { return (time, reason) }
        let policy = rules(of: widget).budget
        if policy.spacing > 0 && !record.rights.contains(.skipsSpacing),
            let last = delivery.schedules[widget].lastReload(asOf: clock.now.monotonic),
            last + policy.spacing > time
        {
            (time, reason) = (last + policy.spacing, .spacing)
        }
        if policy.isLimited {
            let paid = delivery.schedules[widget].budget.earliest(
                policy,
                mayUseReserve: record.rights.contains(.mayUseReserve),
                at: clock.now.monotonic,
                phase: phase(widget)
            )
            if paid > time { (time, reason) = (paid, .budget) }
        }
        return (time, reason)
    }

    /// Whether a reload of the widget would not be counted now.
    func isExempt(_ widget: WidgetID) -> Bool { isExempt(delivery.widgets[widget]) }

    @inline(__always)
    private func isExempt(_ record: WidgetRecord) -> Bool {
        record.rights.contains(.isFree) || delivery.devices[record.device].isExempt
    }

    /// Moves the borders of the widget's days, so that not all widgets' budgets come back together.
    @inline(__always)
    func phase(_ widget: WidgetID) -> Int64 {
        Int64((UInt64(widget &* 0x9e37_79b1) * 86_400_000) >> 32)
    }

    /// Pays for a reload, if it is one that is counted; one that is sent again has been paid for.
    ///
    /// - Returns: whether it is counted.
    mutating func pay(_ widget: WidgetID) -> Bool {
        let policy = rules(of: widget).budget
        let isPaid = delivery.widgets[widget].has(WidgetRecord.resent)
        let isCounted = !isPaid && !isExempt(widget)
        if policy.isLimited && isCounted {
            delivery.schedules[widget].budget.charge(at: clock.now.monotonic, phase: phase(widget))
        }
        if policy.isLimited || policy.spacing > 0 {
            delivery.schedules[widget].setLastReload(clock.now.monotonic)
        }
        return isCounted
    }

    // MARK: - Loops

    /// Requests within this after a RELOAD, in ms, are taken for its echo.
    private static var echoTime: Int64 { 5_000 }
    /// Echoes in a row that make a loop.
    private static var loopLength: UInt8 { 3 }
    /// The longest that a looping device's request waits, in ms.
    private static var loopWaitLimit: Int64 { 3_600_000 }

    /// Counts the RELOADs in a row that a request has followed at once.
    mutating func countEcho(_ device: DeviceID) {
        // An app may ask for each of its kinds: the first one counts.
        if delivery.devices[device].has(DeviceRecord.asked) { return }
        delivery.devices[device].flags |= DeviceRecord.asked
        let last = delivery.devices[device].lastReloadAt
        if last == 0 || clock.now.monotonic - last > Self.echoTime {
            delivery.devices[device].loopCount = 0
        } else if delivery.devices[device].loopCount < 100 {
            delivery.devices[device].loopCount += 1
        }
    }

    /// The device has not asked again after its last RELOAD; if it has had the time to, it does not
    /// loop any more.
    mutating func endLoop(_ device: DeviceID) {
        if clock.now.monotonic - delivery.devices[device].lastReloadAt > Self.echoTime {
            delivery.devices[device].loopCount = 0
        }
    }

    private func isLooping(_ widget: WidgetID) -> Bool {
        loopEnd(widget).map { $0 > clock.now.monotonic } ?? false
    }

    /// Until when the requests of a device that loops wait; nil if it does not.
    private func loopEnd(_ widget: WidgetID) -> Int64? {
        let device = delivery.devices[delivery.widgets[widget].device]
        if device.loopCount < Self.loopLength { return nil }
        let spacing = max(rules(of: widget).budget.spacing, BudgetPolicy.widget.spacing)
        let doublings = Int64(min(device.loopCount - Self.loopLength, 12))
        return device.lastReloadAt + min(spacing << doublings, Self.loopWaitLimit)
    }

    // MARK: - Ends

    /// When the widget's reload is void, in ms of wall time.
    func voidAt(_ widget: WidgetID) -> Int64 {
        let isNever = delivery.widgets[widget].rights.contains(.hasDate)
        return isNever ? .max : delivery.schedules[widget].voidAt
    }

    /// Puts the widget in its device's pending chain.
    mutating func makeReady(_ widget: WidgetID, _ out: inout Outbox) {
        let record = delivery.widgets[widget]
        delivery.markReady(
            widget,
            record.cause,
            isUrgent: record.isUrgent,
            voidAt: voidAt(widget),
            &out.agenda
        )
        if record.stage == .debounced || record.stage == .deferred { arm(widget, &out) }
    }

    /// Lets a widget wait until a session of its device begins.
    mutating func hold(_ widget: WidgetID, _ out: inout Outbox) {
        let stage = delivery.widgets[widget].stage
        delivery.setStage(widget, .held)
        note(widget, .offline, &out)
        if stage == .debounced || stage == .deferred { arm(widget, &out) }
    }

    /// Drops a reload that came too late; the widget is stale from now on.
    mutating func expire(_ widget: WidgetID, _ out: inout Outbox) {
        let stage = delivery.widgets[widget].stage
        delivery.setStage(widget, .idle)
        delivery.widgets[widget].flags |= WidgetRecord.stale
        delivery.widgets[widget].flags &= ~WidgetRecord.resent
        if rules(of: widget).hasFields {
            let kind = delivery.widgets[widget].kind
            fields.widgets.forgetShown(widget, kind: kind, catalog: fields.catalog)
        }
        out.observer.counters.reloadsVoid += 1
        out.observer.counters.endings[.expired] &+= 1
        note(widget, .expired, &out)
        if stage == .debounced || stage == .deferred { arm(widget, &out) }
    }

    // MARK: - Timers

    /// Sets the widget's one timer to whatever comes first: its timeline's date, or what its reload
    /// waits for.
    mutating func arm(_ widget: WidgetID, _ out: inout Outbox) {
        if !out.agenda.isKept { return }
        let schedule = delivery.schedules[widget]
        var time = Int64.max
        if schedule.timelineAt != .max { time = dateTime(widget) }
        switch delivery.widgets[widget].stage {
        case .debounced:
            time = min(time, clock.schedule.now + stormWait(widget))
        case .deferred:
            time = min(time, clock.schedule.schedule(monotonic: earliest(widget).time))
        case .idle, .queued, .held, .ready:
            break
        }
        out.agenda.setTimer(widget, time)
    }

    /// Sets the timers of all widgets, and counts where they wait: of a router that comes from its
    /// store.
    ///
    /// - Returns: how many reloads are pending.
    mutating func armAll(_ out: inout Outbox) -> Int {
        var stages = StageCounts()
        for device in 0..<delivery.devices.end where delivery.isStored(device) {
            var widget = delivery.devices[device].firstWidget
            while widget != WidgetRecord.none {
                arm(widget, &out)
                stages.move(from: .idle, to: delivery.widgets[widget].stage)
                widget = delivery.widgets[widget].nextOfDevice
            }
        }
        delivery.setStages(stages)
        return stages.pending
    }

    mutating func fireTimers(_ widgets: Span<WidgetID>, _ out: inout Outbox) {
        beginTurns(widgets.count)
        for index in widgets.indices {
            prefetchTimers(widgets, behind: index)
            timerFired(widgets[index], &out)
        }
        endTurns()
    }

    /// Brings what the next timers need close: widgets first, then their devices.
    @inline(__always)
    private func prefetchTimers(_ fired: Span<WidgetID>, behind index: Int) {
        if index + 2 * Self.prefetchDistance < fired.count {
            let widget = fired[index + 2 * Self.prefetchDistance]
            delivery.widgets.prefetch(widget)
            delivery.schedules.prefetch(widget)
        }
        if index + Self.prefetchDistance < fired.count {
            let widget = fired[index + Self.prefetchDistance]
            delivery.devices.prefetch(delivery.widgets[widget].device)
        }
    }

    /// So far ahead, memory has come when it is needed.
    static var prefetchDistance: Int { 8 }

    private mutating func timerFired(_ widget: WidgetID, _ out: inout Outbox) {
        if isRestored(widget) { restoreDate(widget, &out) }
        if isDateDue(widget) {
            dateHasCome(widget, &out)
            return arm(widget, &out)
        }
        switch delivery.widgets[widget].stage {
        // A clock may have jumped: whether it may go now is asked again.
        case .deferred: decide(widget, 0, wasPutOff: true, &out)
        case .debounced where stormWait(widget) == 0: decide(widget, 0, &out)
        case .idle, .debounced, .queued, .held, .ready: return arm(widget, &out)
        }
        if delivery.schedules[widget].timelineAt != .max { arm(widget, &out) }
    }
}
