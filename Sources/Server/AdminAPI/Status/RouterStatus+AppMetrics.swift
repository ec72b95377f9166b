internal import Basics
internal import RouterCore

// The metrics of each app, and of what its quotas bound.

extension RouterStatus {
    /// Writes how many keys of requests over HTTP there are, and what became of others.
    func writeRequestKeys(to metrics: inout MetricsText) {
        metrics.gauge(
            "request_keys",
            help: "Keys of requests of publishers over HTTP that are kept.",
            value: totals.stored.requestKeys
        )
        metrics.counter(
            "request_keys_forgotten",
            help: "Such keys that were forgotten because they were a day old.",
            value: counters.requestKeysForgotten
        )
        metrics.counter(
            "request_keys_displaced",
            help: "Such keys that were forgotten earlier, because their app had too many.",
            value: counters.requestKeysDisplaced
        )
        metrics.counter(
            "requests_repeated",
            help: "Requests with such a key that got the first answer again.",
            value: counters.requestsRepeated
        )
    }

    func writeApps(to metrics: inout MetricsText) {
        metrics.gauge(
            "paused_apps",
            help: "Apps that an operator has paused.",
            value: totals.pausedApps
        )
        metrics.counter(
            "app_pushes",
            help: "Pushes that were accepted, by app.",
            by: "app",
            values: totals.apps.map { ($0.app, $0.counts.pushes) }
        )
        metrics.counter(
            "app_matched",
            help: "Widgets that pushes matched, by app.",
            by: "app",
            values: totals.apps.map { ($0.app, $0.counts.matched) }
        )
        metrics.counter(
            "app_reloads",
            help: "RELOADs that were sent, by app.",
            by: "app",
            values: totals.apps.map { ($0.app, $0.counts.reloads) }
        )
        metrics.counter(
            "app_rejected",
            help: "Frames that were answered with REJECT, by app.",
            by: "app",
            values: totals.apps.map { ($0.app, $0.counts.rejected) }
        )
    }

    func writeQuotas(to metrics: inout MetricsText) {
        metrics.gauge(
            "app_used",
            help: "What an app uses of each resource that has a quota.",
            values: totals.apps.flatMap { $0.values($0.used) }
        )
        metrics.gauge(
            "app_quota",
            help: "The app's quota of each resource, where the app file or a setting has one.",
            values: totals.apps.flatMap { $0.values($0.quotas) }
        )
        metrics.counter(
            "quota_refusals",
            help: "Frames and sessions that were refused with quota-exceeded, by quota.",
            by: "quota",
            values: Quota.allCases.map { ($0.rawValue, counters.quotaRefusals[$0] ?? 0) }
        )
    }
}

extension AppTotals {
    fileprivate func values(_ values: AppQuotas) -> [(MetricsText.Labels, Int)] {
        Quota.allCases.compactMap { quota in
            values[quota].map { ([("app", app), ("quota", quota.rawValue)], $0) }
        }
    }
}
