internal import Basics
internal import RouterCore

/// Metrics of delivery by APNs.
extension APNsStatus {
    func write(to metrics: inout MetricsText, counts: APNsPushCounts, totals: RouterTotals) {
        metrics.counter(
            "apns_pushes_sent",
            help: "Pushes that were sent to APNs, repeated ones included.",
            value: counts.made
        )
        metrics.counter(
            "apns_pushes_ended",
            help: "Pushes that have ended, by what has become of them.",
            by: "outcome",
            values: [
                ("accepted", counts.accepted), ("refused", counts.refused),
                ("tokenDead", counts.tokensDead), ("tokenRefused", counts.tokensRefused),
                ("postponed", counts.postponed), ("unanswered", counts.unheard),
            ]
        )
        metrics.counter(
            "apns_refusals",
            help: "Answers that refuse a push, by Apple's reason.",
            by: "reason",
            values: refusals.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        )
        metrics.histogram(
            "apns_answer_seconds",
            help: "Time from sending a push until the answer of APNs.",
            summary: answerTime
        )
        metrics.gauge(
            "apns_pushes_under_way",
            help: "Pushes that wait for the answer of APNs.",
            value: underWayCount
        )
        metrics.gauge(
            "apns_devices_waiting",
            help: "Devices that wait for a push by APNs.",
            value: totals.pushesWaiting
        )
        metrics.gauge(
            "apns_dead_tokens",
            help: "Push tokens to which APNs accepts nothing.",
            value: totals.deadTokens
        )
        writeConnections(to: &metrics)
    }

    private func writeConnections(to metrics: inout MetricsText) {
        metrics.gauge(
            "apns_connections",
            help: "Connections to APNs that are open, or are being opened.",
            value: connectionCount
        )
        metrics.counter(
            "apns_connections_lost",
            help: "Connections to APNs that could not be opened, or have ended.",
            value: lostConnectionCount
        )
        if let certificateExpiry {
            metrics.gauge(
                "apns_certificate_expiry_time_seconds",
                help: "When the first certificate for APNs expires, in seconds since 1970.",
                date: certificateExpiry
            )
        }
        metrics.gauge(
            "apns_lanes_stopped",
            help: "Apps whose pushes to one of Apple's services are stopped, by the cause.",
            by: "cause",
            values: stoppedLanes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        )
        metrics.counter(
            "apns_lane_stops",
            help: "How often pushes of an app were stopped, by the cause.",
            by: "cause",
            values: stops.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        )
    }
}
