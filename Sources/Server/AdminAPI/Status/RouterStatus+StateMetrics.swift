internal import Basics
internal import Credentials
internal import RouterCore

/// What is stored, and what it takes, in the text format of Prometheus.
extension RouterStatus {
    func writeMemory(to metrics: inout MetricsText) {
        metrics.gauge("stored_apps", help: "Known apps.", value: totals.stored.apps)
        metrics.gauge("stored_devices", help: "Devices with widgets.", value: totals.stored.devices)
        metrics.gauge("stored_widgets", help: "Stored widgets.", value: totals.stored.widgets)
        metrics.gauge(
            "undeclared_widgets",
            help: "Stored widgets whose kind the app file does not declare: no push matches them.",
            value: totals.undeclaredWidgets
        )
        metrics.gauge(
            "stored_producers",
            help: "Producers whose last push number is kept.",
            value: totals.stored.producers
        )
        metrics.counter(
            "producers_forgotten",
            help:
                "Producers that were forgotten because they were idle or an operator asked for it.",
            value: counters.producersForgotten
        )
        metrics.counter(
            "devices_forgotten",
            help: "Devices that were removed because nothing was heard of them for long, or an "
                + "operator asked for it.",
            value: counters.devicesForgotten
        )
        metrics.gauge(
            "token_revocations",
            help: "Devices whose signed tokens of before a date are revoked.",
            value: totals.revocations
        )
        metrics.counter(
            "producers_refused",
            help: "Sessions that were refused because too many producers are kept.",
            value: counters.producersRefused
        )
        metrics.counter(
            "producers_ahead",
            help: "Sessions of publishers that had answers to pushes of which the router knows "
                + "nothing.",
            value: counters.producersAhead
        )
        metrics.gauge(
            "stored_bytes",
            help: "Memory of devices and widgets in bytes, as quotas count it.",
            value: totals.stored.bytes
        )
        metrics.gauge(
            "stored_bytes_limit",
            help: "The limit of that memory, in bytes.",
            value: totals.storedBytesLimit
        )
        metrics.gauge(
            "memory_bytes",
            help: "Memory of the router's tables in bytes, by part, and all resident memory.",
            by: "part",
            values: totals.memory.parts + [("resident", residentByteCount())]
        )
    }

    func writeOrigins(to metrics: inout MetricsText) {
        metrics.gauge(
            "origin_waiting",
            help: "Reloads that wait for a permit of their origin.",
            values: totals.origins.map { ($0.labels, $0.waiting) }
        )
        metrics.gauge(
            "origin_peak_per_second",
            help:
                "Reloads in the busiest of an origin's next 120 seconds: as timelines ask for them, and "
                + "as they are spread.",
            // The entry that sums up the remaining origins has no peak: 0 would claim that they are
            // idle.
            values: totals.origins.filter { $0.app != RouterTotals.others }.flatMap { origin in
                [
                    (origin.labels + [("side", "asked")], origin.peakRequested),
                    (origin.labels + [("side", "given")], origin.peakAssigned),
                ]
            }
        )
    }
}

extension OriginTotals {
    fileprivate var labels: MetricsText.Labels { [("app", app), ("origin", origin)] }
}

extension MemoryTotals {
    /// The parts by their label.
    var parts: [(String, Int)] {
        [
            ("index", index), ("widgets", widgets), ("schedules", schedules), ("fields", fields),
            ("decisions", decisions), ("connections", connections),
        ]
    }
}
