internal import ByteStorage
internal import PayloadFields
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
        figures.roles = delivery.roles
        figures.stored = storedCounts
        figures.storedBytesLimit = limits.storedBytes
        figures.readyDevices = agenda.ready.count + agenda.urgent.count
        figures.fanOutMatches = fanOuts.matchCount
        figures.timers = agenda.timerCount
        figures.memory = memoryFigures
        figures.apps = appFigures
        figures.pausedApps = paused.apps.count
        figures.origins = originFigures
        figures.hotKeys = hotKeys(limit: RouterFigures.keyLimit)
        return figures
    }

    /// Reloads that wait, by their stage.
    package var pendingFigures: PendingFigures {
        var pending = PendingFigures()
        pending.debounced = delivery.stages[.debounced]
        pending.deferred = delivery.stages[.deferred]
        pending.queued = delivery.stages[.queued]
        pending.held = delivery.stages[.held]
        pending.ready = delivery.stages[.ready]
        return pending
    }

    /// The keys by which most pushes have found widgets in the last minute or so.
    package func hotKeys(limit: Int) -> [HotKeyFigures] {
        matcher.hotKeys(limit: limit).map { key in
            let kind = kinds[Int(key.kind)]
            return HotKeyFigures(
                app: apps[Int(kind.app)].declaration.app,
                kind: delivery.names.view(kind.name, kind.nameCount).string,
                key: key.text,
                pushes: key.pushes,
                matched: key.matched
            )
        }
    }

    /// When the first push came that a connection's last ACK covers, and how many frames that ACK
    /// covers.
    package func lastAcknowledgement(_ connection: UInt32) -> (arrival: Int64, count: UInt32) {
        let record = delivery.connections[connection]
        return (record.ackArrival, record.ackCount)
    }

    private var memoryFigures: MemoryFigures {
        var memory = MemoryFigures()
        memory.index = matcher.indexByteCount
        memory.widgets =
            matcher.tableByteCount - memory.index + delivery.widgets.byteCount
            + delivery.devices.byteCount + delivery.names.byteCount
            + delivery.deviceIndex.byteCount
        memory.schedules = delivery.schedules.byteCount + agenda.timerByteCount
        memory.fields = widgetFields.byteCount
        memory.decisions = decisions.byteCount
        memory.connections =
            delivery.connections.byteCount + delivery.deviceSessions.byteCount + producers.byteCount
        return memory
    }

    private var appFigures: [AppFigures] {
        var figures: [AppFigures] = []
        var others: AppFigures?
        for app in apps.indices {
            let name = apps[app].declaration.app
            if app < RouterFigures.appLimit && name != RouterFigures.others {
                var named = AppFigures(app: name)
                named.counts = appMetrics[app]
                named.isPaused = paused.has(AppID(app))
                named.used = use(of: AppID(app))
                named.quotas = quotas(of: AppID(app))
                figures.append(named)
            } else {
                others = others ?? AppFigures(app: RouterFigures.others)
                others!.counts += appMetrics[app]
                others!.used = others!.used.adding(use(of: AppID(app)))
            }
        }
        if let others { figures.append(others) }
        return figures
    }

    private var originFigures: [OriginFigures] {
        var figures: [OriginFigures] = []
        var others: OriginFigures?
        var groupsLeft = SlotLedger.useGroupLimit
        for origin in 0..<UInt32(origins.count) {
            let app = apps[Int(originKeys[Int(origin)].app)].declaration.app
            if origin < RouterFigures.originLimit && app != RouterFigures.others {
                figures.append(self.figures(of: origin, app, &groupsLeft))
            } else {
                let name = RouterFigures.others
                others = others ?? OriginFigures(app: name, origin: name)
                others!.waiting += origins[origin].queue.count
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
        let name = String(decoding: originKeys[Int(origin)].name, as: UTF8.self)
        var figures = OriginFigures(app: app, origin: name)
        figures.waiting = origins[origin].queue.count
        if origins[origin].ledger.isUsed {
            let use = origins[origin].ledger.use(
                from: scheduleClock.now,
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
        let elapsed = now.monotonic - keyWatch.lookedAt
        if elapsed < KeyWatch.interval { return }
        let pushes = counters.pushesAccepted &- keyWatch.pushes
        matcher.sampleKeys(pushesPerSecond: pushes &* 1_000 / UInt64(elapsed))
        keyWatch.lookedAt = now.monotonic
        keyWatch.pushes = counters.pushesAccepted
        if keyWatch.fadesAt == .max { keyWatch.fadesAt = now.monotonic + KeyWatch.fadeInterval }
        if now.monotonic < keyWatch.fadesAt { return }
        keyWatch.fadesAt += KeyWatch.fadeInterval
        matcher.fadeHotKeys()
    }
}
