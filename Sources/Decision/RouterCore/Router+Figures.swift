internal import ChangeDetection
internal import DataStructures
internal import ReloadModel
internal import ReloadScheduling
internal import RouterMetrics
internal import WidgetMatching

/// What operators are told: counts that are kept, so that nothing is gone through.
extension Router {
    /// How the router does now.
    ///
    /// - Complexity: in proportion to the apps and origins, and to what the ledgers of `originLimit`
    ///   of them have in their next `ledgerSeconds`; whatever is stored and connected.
    package var figures: RouterFigures {
        var figures = RouterFigures()
        figures.pending = pendingFigures
        figures.roles = sessions.roles
        figures.stored = storedCounts
        figures.storedBytesLimit = limits.storedBytes
        figures.readyDevices = outbox.agenda.ready.count + outbox.agenda.urgent.count
        figures.fanOutMatches = state.fanOuts.matchCount
        figures.timers = outbox.agenda.timerCount
        figures.memory = memoryFigures
        figures.apps = appFigures
        figures.pausedApps = state.paused.apps.count
        figures.origins = originFigures
        figures.hotKeys = hotKeys(limit: RouterFigures.keyLimit)
        return figures
    }

    /// Reloads that wait, by their stage.
    package var pendingFigures: PendingFigures {
        var pending = PendingFigures()
        pending.debounced = state.delivery.stages[.debounced]
        pending.deferred = state.delivery.stages[.deferred]
        pending.queued = state.delivery.stages[.queued]
        pending.held = state.delivery.stages[.held]
        pending.ready = state.delivery.stages[.ready]
        return pending
    }

    /// The keys by which most pushes have found widgets in the last minute or so.
    package func hotKeys(limit: Int) -> [HotKeyFigures] {
        state.matcher.hotKeys(limit: limit).map { key in
            let kind = state.catalog.kinds[Int(key.kind)]
            return HotKeyFigures(
                app: state.catalog.apps[Int(kind.app)].declaration.app,
                kind: state.delivery.names.view(kind.name, kind.nameCount).string,
                key: key.text,
                pushes: key.pushes,
                matched: key.matched
            )
        }
    }

    private var memoryFigures: MemoryFigures {
        var memory = MemoryFigures()
        memory.index = state.matcher.index.keyByteCount
        memory.widgets =
            state.matcher.tableByteCount - memory.index + intake.foundByteCount
            + state.delivery.widgets.byteCount
            + state.delivery.devices.byteCount + state.delivery.names.byteCount
            + state.delivery.deviceIndex.byteCount
        memory.schedules = state.delivery.schedules.byteCount + outbox.agenda.timerByteCount
        memory.fields = state.fields.widgets.byteCount
        memory.decisions = outbox.observer.decisions.byteCount
        memory.connections =
            sessions.connections.byteCount + state.delivery.sessions.byteCount
            + state.delivery.deviceSessions.byteCount
            + state.producers.byteCount
        return memory
    }

    private var appFigures: [AppFigures] {
        var figures: [AppFigures] = []
        var others: AppFigures?
        for app in state.catalog.apps.indices {
            let name = state.catalog.apps[app].declaration.app
            if app < RouterFigures.appLimit && name != RouterFigures.others {
                var named = AppFigures(app: name)
                named.counts = outbox.observer.appMetrics[app]
                named.isPaused = state.paused.has(AppID(app))
                named.used = state.use(of: AppID(app))
                named.quotas = state.quotas(of: AppID(app))
                figures.append(named)
            } else {
                others = others ?? AppFigures(app: RouterFigures.others)
                others!.counts += outbox.observer.appMetrics[app]
                others!.used = others!.used.adding(state.use(of: AppID(app)))
            }
        }
        if let others { figures.append(others) }
        return figures
    }

    private var originFigures: [OriginFigures] {
        var figures: [OriginFigures] = []
        var others: OriginFigures?
        var groupsLeft = SlotLedger.useGroupLimit
        for origin in 0..<UInt32(state.origins.count) {
            let app = state.catalog.apps[Int(state.catalog.originKeys[Int(origin)].app)].declaration
                .app
            if origin < RouterFigures.originLimit && app != RouterFigures.others {
                figures.append(self.figures(of: origin, app, &groupsLeft))
            } else {
                let name = RouterFigures.others
                others = others ?? OriginFigures(app: name, origin: name)
                others!.waiting += state.origins[origin].queue.count
            }
        }
        if let others { figures.append(others) }
        return figures
    }

    private func figures(
        of origin: UInt32,
        _ app: String,
        _ groupsLeft: inout Int
    ) -> OriginFigures {
        let name = String(decoding: state.catalog.originKeys[Int(origin)].name, as: UTF8.self)
        var figures = OriginFigures(app: app, origin: name)
        figures.waiting = state.origins[origin].queue.count
        if state.origins[origin].ledger.isUsed {
            let use = state.origins[origin].ledger.use(
                from: state.clock.schedule.now,
                seconds: RouterFigures.ledgerSeconds,
                &groupsLeft
            )
            figures.peakAsked = Int(use.peakAsked)
            figures.peakGiven = Int(use.peakGiven)
        }
        return figures
    }
}

// MARK: - Hot keys

/// When the keys of pushes were last looked at.
struct KeyWatch {
    var lookedAt: Int64 = 0
    /// Pushes that had come by then.
    var pushes: UInt64 = 0
    /// When all counts are next halved.
    var fadesAt = Int64.max
    /// How long that takes, in ms.
    static var fadeInterval: Int64 { 60_000 }
    /// The shortest time between two looks, in ms.
    static var interval: Int64 { 1_000 }
}

extension Router {
    /// Adapts how many pushes are looked at for their keys to how many there are, and lets old keys
    /// fade.
    mutating func watchKeys() {
        let elapsed = state.clock.now.monotonic - outbox.observer.keyWatch.lookedAt
        if elapsed < KeyWatch.interval { return }
        let pushes = outbox.observer.counters.pushesAccepted &- outbox.observer.keyWatch.pushes
        state.matcher.sampleKeys(pushesPerSecond: pushes &* 1_000 / UInt64(elapsed))
        outbox.observer.keyWatch.lookedAt = state.clock.now.monotonic
        outbox.observer.keyWatch.pushes = outbox.observer.counters.pushesAccepted
        if outbox.observer.keyWatch.fadesAt == .max {
            outbox.observer.keyWatch.fadesAt = state.clock.now.monotonic + KeyWatch.fadeInterval
        }
        if state.clock.now.monotonic < outbox.observer.keyWatch.fadesAt { return }
        outbox.observer.keyWatch.fadesAt += KeyWatch.fadeInterval
        state.matcher.fadeHotKeys()
    }
}
