internal import Basics
internal import Credentials
internal import RouterCore

// What `protocol/admin.table` and `metrics.table` say of a status besides its properties.

extension RouterStatus {
    var uptime: Milliseconds { max(.zero, wallTime - startedAt) }
    var readiness: Readiness { Readiness(.status(self)) }

    var builds: [(String, Int)] { [(version, 1)] }
    var refusedFiles: [(String, Int)] {
        files.map { ($0.name.rawValue, $0.refusal == nil ? 0 : 1) }
    }
    var fileDates: [(String, Int64)] { files.map { ($0.name.rawValue, $0.readAt.wholeSeconds) } }

    var sentReloads: [([String], UInt64)] {
        counters.reloadsByCause.named.map { ([$0.0, "connection"], $0.1) }
    }

    /// Refusals since the start: of each quota a number.
    var quotaRefusals: AppQuotas {
        var refusals = AppQuotas()
        for quota in Quota.allCases {
            refusals[quota] = Int(clamping: counters.quotaRefusals[quota] ?? 0)
        }
        return refusals
    }

    // MARK: - The loop

    var refusedCredentials: [(String, UInt64)] {
        CredentialRefusal.labels.map { ($0, loop.refusedCredentials[$0] ?? 0) }
    }

    /// The parts of the router's memory, and that of the process.
    var memoryParts: [(String, Int)] { totals.memory.named + [("resident", residentByteCount())] }

    // MARK: - The store

    var commitLatency: LatencyFigures? { store.map { _ in latencies.commit } }
    var storeFailingTime: Milliseconds { store?.failure.map { time - $0.since } ?? .zero }
    var waitingJournalByteCount: Int { store?.waitingJournalByteCount ?? 0 }
    var uncommittedByteCount: Int { store?.uncommittedByteCount ?? 0 }

    // MARK: - Apps and origins

    var appPushes: [(String, UInt64)] { totals.apps.map { ($0.app, $0.counts.pushes) } }
    var appMatches: [(String, UInt64)] { totals.apps.map { ($0.app, $0.counts.matched) } }
    var appReloads: [(String, UInt64)] { totals.apps.map { ($0.app, $0.counts.reloads) } }
    var appRejections: [(String, UInt64)] { totals.apps.map { ($0.app, $0.counts.rejected) } }

    var usedByApps: [([String], Int)] {
        totals.apps.flatMap { app in app.used.named.map { ([app.app, $0.0], $0.1) } }
    }
    var quotasOfApps: [([String], Int)] {
        totals.apps.flatMap { app in app.quotas.named.map { ([app.app, $0.0], $0.1) } }
    }

    var waitingAtOrigins: [([String], Int)] {
        totals.origins.map { ([$0.app, $0.origin], $0.waiting) }
    }
    /// The entry that sums up the remaining origins has no peak: 0 would claim that they are idle.
    var originPeaks: [([String], Int)] {
        totals.origins.filter { $0.app != RouterTotals.others }.flatMap { origin in
            [
                ([origin.app, origin.origin, "asked"], origin.peakRequested),
                ([origin.app, origin.origin, "given"], origin.peakAssigned),
            ]
        }
    }
}

extension StoreStatus {
    var isFailing: Bool { failure != nil }
    var isCheckpointFailing: Bool { checkpointFailure != nil }
}

extension APNsStatus {
    var stoppedLaneCount: Int { stoppedLanes.values.reduce(0, +) }
}

extension WallTime {
    /// Whole seconds since 1970.
    var wholeSeconds: Int64 { rawValue / 1_000 }
}

// MARK: - Numbers by their names

extension DecisionCounts {
    var named: [(String, UInt64)] { DecisionReason.allCases.map { ($0.name, self[$0]) } }
}

extension CauseCounts {
    var named: [(String, UInt64)] { ReloadCause.allCases.map { ($0.rawValue, self[$0]) } }
}

extension [ErrorCode: UInt64] {
    /// The counts of all codes in the order of the protocol's table, also of those that have not
    /// occurred: so a rate is correct from the first occurrence on.
    var named: [(String, UInt64)] { ErrorCode.allCases.map { ($0.rawValue, self[$0] ?? 0) } }
    /// Without codes that have not occurred.
    var counted: [(String, UInt64)] {
        ErrorCode.allCases.compactMap { code in self[code].map { (code.rawValue, $0) } }
    }
}

extension Dictionary where Key == String {
    /// In the order of the names.
    var byName: [(String, Value)] { sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
}

extension AppQuotas {
    /// Without quotas that are nil.
    var named: [(String, Int)] {
        Quota.allCases.compactMap { quota in self[quota].map { (quota.rawValue, $0) } }
    }
}

extension MemoryTotals {
    var named: [(String, Int)] {
        [
            ("index", index), ("widgets", widgets), ("schedules", schedules), ("fields", fields),
            ("decisions", decisions), ("connections", connections), ("history", history),
        ]
    }
}
