internal import Basics
internal import ChangeDetection
internal import ReloadScheduling
internal import WidgetMatching

/// Totals for operators, made from counts that are kept, without visiting devices or widgets.
extension Router {
    /// The present totals.
    ///
    /// - Complexity: proportional to the apps and origins, and to the groups that the ledgers of at
    ///   most `originLimit` of them have in their next `ledgerSeconds`; independent of what is
    ///   stored and connected.
    package var totals: RouterTotals {
        var totals = RouterTotals()
        totals.pending = pendingTotals
        totals.roles = roles
        totals.stored = storedCounts
        totals.undeclaredWidgets = state.matcher.index.undeclaredCount
        totals.revocations = revocationCount
        totals.storedBytesLimit = limits.storedBytes
        totals.readyDevices = outbox.agenda.ready.count + outbox.agenda.urgent.count
        totals.pushesWaiting = outbox.agenda.lanes.deviceCount
        totals.deadTokens = state.reloads.apns.endedTokens.count
        totals.fanOutMatches = state.fanOuts.matchCount
        totals.timers = outbox.agenda.timerCount
        totals.memory = memoryTotals
        totals.apps = appTotals
        totals.pausedApps = state.reloads.schedules.paused.apps.count
        totals.origins = originTotals
        totals.hotKeys = hotKeys(limit: RouterTotals.keyLimit)
        return totals
    }

    /// The pending reloads by their stage.
    package var pendingTotals: PendingTotals {
        var pending = PendingTotals()
        pending.debounced = state.reloads.delivery.stages[.debounced]
        pending.deferred = state.reloads.delivery.stages[.deferred]
        pending.queued = state.reloads.delivery.stages[.queued]
        pending.awaitingSession = state.reloads.delivery.stages[.awaitingSession]
        pending.ready = state.reloads.delivery.stages[.ready]
        return pending
    }

    /// The keys by which the most pushes have found widgets in about the last minute, the hottest
    /// first.
    package func hotKeys(limit: Int) -> [HotKeyTotals] {
        state.matcher.hotKeys(limit: limit).map { key in
            let kind = state.reloads.catalog.kinds[key.kind]
            return HotKeyTotals(
                app: state.reloads.catalog.apps[kind.app].declaration.app,
                kind: unsafe state.reloads.delivery.names.view(kind.name, count: kind.nameCount)
                    .string,
                key: key.text,
                pushes: key.pushes,
                matched: key.matched
            )
        }
    }

    private var memoryTotals: MemoryTotals {
        var memory = MemoryTotals()
        memory.index = state.matcher.index.keyByteCount
        memory.widgets =
            state.matcher.tableByteCount - memory.index + intake.byteCount
            + state.reloads.delivery.widgets.byteCount
            + state.reloads.delivery.devices.byteCount + state.reloads.delivery.names.byteCount
            + state.reloads.delivery.deviceIndex.byteCount + state.reloads.apns.byteCount
        memory.schedules = state.reloads.schedules.widgets.byteCount + outbox.agenda.timerByteCount
        memory.fields = state.reloads.fields.widgets.byteCount
        memory.decisions =
            outbox.observer.decisions.byteCount + outbox.observer.pushes.byteCount
        memory.connections =
            connectionByteCount + state.reloads.delivery.sessions.byteCount
            + state.reloads.delivery.deviceSessions.byteCount
            + state.publishers.producers.byteCount
        return memory
    }

    private var appTotals: [AppTotals] {
        var totals: [AppTotals] = []
        var others: AppTotals?
        for app in state.reloads.catalog.apps.ids {
            let name = state.reloads.catalog.apps[app].declaration.app
            if app.index < RouterTotals.appLimit && name != RouterTotals.others {
                var named = AppTotals(app: name)
                named.counts = outbox.observer.appMetrics[app]
                named.isPaused = state.reloads.schedules.paused.has(app)
                named.used = state.use(of: app)
                named.quotas = state.reloads.catalog.quotas(of: app, defaults: limits.appQuotas)
                totals.append(named)
            } else {
                others = others ?? AppTotals(app: RouterTotals.others)
                others!.counts += outbox.observer.appMetrics[app]
                others!.used = others!.used.adding(state.use(of: app))
            }
        }
        if let others { totals.append(others) }
        return totals
    }

    private var originTotals: [OriginTotals] {
        var totals: [OriginTotals] = []
        var others: OriginTotals?
        var groupsLeft = SlotLedger.useGroupLimit
        for origin in state.reloads.schedules.origins.ids {
            let app = state.reloads.catalog.apps[state.reloads.catalog.originKeys[origin].app]
                .declaration
                .app
            if origin.index < RouterTotals.originLimit && app != RouterTotals.others {
                totals.append(self.totals(of: origin, app: app, groupsLeft: &groupsLeft))
            } else {
                let name = RouterTotals.others
                others = others ?? OriginTotals(app: name, origin: name)
                others!.waiting += state.reloads.schedules.origins[origin].queue.count
            }
        }
        if let others { totals.append(others) }
        return totals
    }

    private func totals(of origin: OriginID, app: String, groupsLeft: inout Int) -> OriginTotals {
        let name = String(decoding: state.reloads.catalog.originKeys[origin].name, as: UTF8.self)
        var totals = OriginTotals(app: app, origin: name)
        totals.waiting = state.reloads.schedules.origins[origin].queue.count
        if state.reloads.schedules.origins[origin].ledger.isUsed {
            let use = state.reloads.schedules.origins[origin].ledger.use(
                from: state.reloads.clock.schedule.now,
                seconds: RouterTotals.ledgerSeconds,
                groupsLeft: &groupsLeft
            )
            totals.peakRequested = Int(use.peakRequested)
            totals.peakAssigned = Int(use.peakAssigned)
        }
        return totals
    }
}

// MARK: - Hot keys

/// When the sampling of keys for `hotKeys` was last adapted, and when the counts are halved next.
struct KeyWatch {
    /// When the sampling was last adapted.
    var lookedAt = MonotonicTime.zero
    /// The number of pushes that had been accepted by then.
    var pushes: UInt64 = 0
    /// When all counts are halved next.
    var fadesAt = MonotonicTime.max
    /// The time between two halvings.
    static var fadeInterval: Milliseconds { .minutes(1) }
    /// The shortest time between two adaptations.
    static var interval: Milliseconds { .seconds(1) }
}

extension Router {
    /// Adapts the number of pushes whose keys are counted to the rate of pushes, and lets old keys
    /// fade.
    mutating func watchKeys() {
        let elapsed = state.reloads.clock.now.monotonic - outbox.observer.keyWatch.lookedAt
        if elapsed < KeyWatch.interval { return }
        let pushes = outbox.observer.counters.pushesAccepted &- outbox.observer.keyWatch.pushes
        state.matcher.sampleKeys(pushesPerSecond: pushes &* 1_000 / UInt64(elapsed.rawValue))
        outbox.observer.keyWatch.lookedAt = state.reloads.clock.now.monotonic
        outbox.observer.keyWatch.pushes = outbox.observer.counters.pushesAccepted
        if outbox.observer.keyWatch.fadesAt == .max {
            outbox.observer.keyWatch.fadesAt =
                state.reloads.clock.now.monotonic + KeyWatch.fadeInterval
        }
        if state.reloads.clock.now.monotonic < outbox.observer.keyWatch.fadesAt { return }
        outbox.observer.keyWatch.fadesAt += KeyWatch.fadeInterval
        state.matcher.fadeHotKeys()
    }
}
