internal import ReloadModel
internal import RouterCore
internal import RouterMetrics

extension RouterStatus {
    /// All metrics in the text format of Prometheus; `deploy/metrics.md` describes them.
    package var metrics: String {
        var metrics = MetricsText()
        writeProcess(to: &metrics)
        writePushes(to: &metrics)
        writeReloads(to: &metrics)
        writeDecisions(to: &metrics)
        writeConnections(to: &metrics)
        writeQueues(to: &metrics)
        writeLatencies(to: &metrics)
        writeMemory(to: &metrics)
        writeOrigins(to: &metrics)
        writeApps(to: &metrics)
        writeQuotas(to: &metrics)
        if let store { store.write(to: &metrics, at: time) }
        if let recording { recording.write(to: &metrics) }
        return metrics.text
    }

    private func writeProcess(to metrics: inout MetricsText) {
        metrics.gauge(
            "build_info",
            "1, with the version as a label.",
            by: "version",
            [(version, 1)]
        )
        metrics.gauge(
            "start_time_seconds",
            "When the router began to serve, in seconds since 1970.",
            milliseconds: startedAt
        )
        metrics.gauge("draining", "1 while the router drains, else 0.", isDraining)
        metrics.gauge(
            "inputs_paused",
            "1 while nobody is read from because too much waits for the store, else 0.",
            areInputsPaused
        )
        metrics.counter(
            "turns",
            "Turns of the event loop that had something to do.",
            latencies.turn.count
        )
        metrics.counter("clock_jumps", "Jumps of the wall clock.", counters.clockJumps)
    }

    // MARK: - Pushes and reloads

    private func writePushes(to metrics: inout MetricsText) {
        metrics.counter("pushes_accepted", "Pushes that were taken.", counters.pushesAccepted)
        metrics.counter(
            "pushes_duplicate",
            "Pushes that had been taken before.",
            counters.pushesDuplicate
        )
        metrics.counter(
            "pushes_matched",
            "Widgets that pushes concerned.",
            counters.pushesMatched
        )
        metrics.counter(
            "frames_rejected",
            "Frames that were answered with REJECT, by what was wrong.",
            by: "code",
            byCode(counters.rejections)
        )
        metrics.counter(
            "sessions_failed",
            "Sessions that were ended with ERROR, by what was wrong.",
            by: "code",
            byCode(counters.failures)
        )
    }

    private func writeReloads(to metrics: inout MetricsText) {
        metrics.counter(
            "reloads_sent",
            "RELOADs that were sent, by the cause that they name.",
            ReloadCause.allCases.map { cause in
                let channel: MetricsText.Labels = [("channel", "connection")]
                return ([("cause", cause.rawValue)] + channel, counters.reloadsByCause[cause])
            }
        )
        metrics.counter(
            "reloads_void",
            "Reloads that were void when they could be sent.",
            counters.reloadsVoid
        )
        metrics.gauge(
            "reloads_pending",
            "Widgets whose reload waits, by what it waits for.",
            by: "stage",
            [
                ("debounced", figures.pending.debounced), ("deferred", figures.pending.deferred),
                ("queued", figures.pending.queued), ("held", figures.pending.held),
                ("ready", figures.pending.ready),
            ]
        )
    }

    private func writeDecisions(to metrics: inout MetricsText) {
        metrics.counter("wishes", "Causes to reload a widget.", counters.wishes)
        metrics.counter(
            "wishes_ended",
            "Causes to reload a widget that wait no more, by what became of them.",
            by: "reason",
            byReason(counters.endings)
        )
        metrics.counter(
            "decisions",
            "Decisions on reloads, by their reason.",
            by: "reason",
            byReason(counters.decisions)
        )
        metrics.counter(
            "entries_too_close",
            "Timelines with entries closer than WidgetKit shows them.",
            counters.closeEntries
        )
        metrics.counter(
            "windows_exceeded",
            "Reloads that wait for their origin for longer than the window of their kind.",
            counters.windowsExceeded
        )
        metrics.counter(
            "windows_grown",
            "Windows that grew because the rate of their origin could not hold one date.",
            counters.windowsGrown
        )
        metrics.counter(
            "log_messages_suppressed",
            "Log messages that were not written because too many came in a second.",
            suppressedLogCount
        )
    }

    private func byReason(_ counts: DecisionCounts) -> [(String, UInt64)] {
        DecisionReason.allCases.map { ($0.name, counts[$0]) }
    }

    /// Includes codes that have not occurred: so a rate is correct from the first occurrence on.
    private func byCode(_ counts: [ErrorCode: UInt64]) -> [(String, UInt64)] {
        ErrorCode.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }

    // MARK: - The loop

    private func writeConnections(to metrics: inout MetricsText) {
        metrics.gauge(
            "connections",
            "Open connections, by their role.",
            by: "role",
            [
                ("publisher", figures.roles.publishers), ("device", figures.roles.devices),
                ("gateway", figures.roles.gateways),
                ("awaitingHello", figures.roles.awaitingHello),
            ]
        )
        metrics.counter(
            "connections_accepted",
            "Connections that were accepted.",
            loop.acceptedCount
        )
        metrics.counter(
            "connections_refused",
            "Connections that were refused, or ended for the sake of others, by reason.",
            by: "reason",
            loop.refused.byReason
        )
        metrics.counter(
            "received_bytes",
            "Bytes of frames that were taken.",
            loop.receivedByteCount
        )
        metrics.counter(
            "sent_bytes",
            "Bytes of frames that the kernel has taken.",
            loop.sentByteCount
        )
    }

    private func writeQueues(to metrics: inout MetricsText) {
        metrics.gauge(
            "queue_depth",
            "What waits in the router's queues: devices that are due, matches to be handed out, "
                + "widgets that wait for an origin, timers, connections that are not read from.",
            by: "queue",
            [
                ("ready", figures.readyDevices), ("fanOut", figures.fanOutMatches),
                ("paced", figures.pending.queued), ("timers", figures.timers),
                ("heldConnections", loop.heldConnections),
            ]
        )
        metrics.gauge(
            "fan_out_widgets",
            "Widgets that pushes concern and that are still to be handed out.",
            figures.fanOutMatches
        )
        metrics.gauge(
            "output_bytes",
            "Frames that the kernel has not taken because their peers do not read.",
            loop.outputByteCount
        )
        metrics.gauge(
            "output_bytes_max",
            "The most output at a time since the start, with answers that waited for the store.",
            loop.outputMax
        )
        metrics.gauge(
            "input_bytes",
            "Input that is kept until its frame is whole or the router takes it.",
            loop.keptInputByteCount
        )
        metrics.gauge(
            "input_bytes_max",
            "The most of it at a time since the start.",
            loop.keptInputMax
        )
        metrics.gauge(
            "reading_paused",
            "1 while nobody is read from for this reason, else 0.",
            by: "reason",
            [
                ("store", areInputsPaused ? 1 : 0), ("output", loop.pausedByOutput ? 1 : 0),
                ("input", loop.pausedByInput ? 1 : 0),
            ]
        )
    }

    private func writeLatencies(to metrics: inout MetricsText) {
        metrics.histogram(
            "push_to_ack_seconds",
            "From reading a push until its ACK was handed to the kernel.",
            latencies.pushToAck
        )
        metrics.histogram(
            "push_to_reload_seconds",
            "From reading a push until a RELOAD for it was handed to the kernel, of those that no "
                + "policy, turn or peer has held back.",
            latencies.pushToReload
        )
        metrics.histogram(
            "turn_seconds",
            "How long turns of the event loop took: nobody else is served meanwhile.",
            latencies.turn
        )
        if store != nil {
            metrics.histogram(
                "commit_seconds",
                "How long appends to the journal took, the sync included.",
                latencies.commit
            )
        }
        metrics.histogram(
            "scheduler_lag_seconds",
            "How late the event loop came to do what was due at a time.",
            latencies.schedulerLag
        )
    }

    // MARK: - State

    private func writeMemory(to metrics: inout MetricsText) {
        metrics.gauge("stored_apps", "Apps that are known.", figures.stored.apps)
        metrics.gauge("stored_devices", "Devices with widgets.", figures.stored.devices)
        metrics.gauge("stored_widgets", "Widgets.", figures.stored.widgets)
        metrics.gauge(
            "stored_producers",
            "Producers whose last push is known.",
            figures.stored.producers
        )
        metrics.counter(
            "producers_forgotten",
            "Producers that were forgotten because they were idle, or because an operator said so.",
            counters.producersForgotten
        )
        metrics.counter(
            "producers_refused",
            "Sessions that were refused because too many producers are known.",
            counters.producersRefused
        )
        metrics.gauge(
            "stored_bytes",
            "Memory that devices and widgets take, as quotas count it.",
            figures.stored.bytes
        )
        metrics.gauge(
            "stored_bytes_limit",
            "The most that they may take.",
            figures.storedBytesLimit
        )
        metrics.gauge(
            "memory_bytes",
            "Memory that the router's tables hold, by part, and all that is resident.",
            by: "part",
            figures.memory.parts + [("resident", residentByteCount())]
        )
    }

    private func writeOrigins(to metrics: inout MetricsText) {
        metrics.gauge(
            "origin_waiting",
            "Reloads that wait for their turn at an origin.",
            figures.origins.map { ($0.labels, $0.waiting) }
        )
        metrics.gauge(
            "origin_peak_per_second",
            "The busiest of an origin's next 120 seconds: as dates were asked for, and as they were "
                + "given.",
            // The entry that sums up the remaining origins has no peak: 0 would claim that they are
            // idle.
            figures.origins.filter { $0.app != RouterFigures.others }.flatMap { origin in
                [
                    (origin.labels + [("side", "asked")], origin.peakAsked),
                    (origin.labels + [("side", "given")], origin.peakGiven),
                ]
            }
        )
    }

    private func writeApps(to metrics: inout MetricsText) {
        metrics.gauge(
            "paused_apps",
            "Apps that an operator has paused.",
            figures.pausedApps
        )
        metrics.counter(
            "app_pushes",
            "Pushes that were taken, by app.",
            by: "app",
            figures.apps.map { ($0.app, $0.counts.pushes) }
        )
        metrics.counter(
            "app_matched",
            "Widgets that pushes concerned, by app.",
            by: "app",
            figures.apps.map { ($0.app, $0.counts.matched) }
        )
        metrics.counter(
            "app_reloads",
            "RELOADs that were sent, by app.",
            by: "app",
            figures.apps.map { ($0.app, $0.counts.reloads) }
        )
    }

    private func writeQuotas(to metrics: inout MetricsText) {
        metrics.gauge(
            "app_used",
            "What an app has of what a quota bounds.",
            figures.apps.flatMap { $0.values($0.used) }
        )
        metrics.gauge(
            "app_quota",
            "What it may have, if the app file or a setting says so.",
            figures.apps.flatMap { $0.values($0.quotas) }
        )
        metrics.counter(
            "quota_refusals",
            "Frames and sessions that were refused with quota-exceeded, by the quota.",
            by: "quota",
            Quota.allCases.map { ($0.rawValue, counters.quotaRefusals[$0] ?? 0) }
        )
    }
}

extension AppFigures {
    fileprivate func values(_ values: AppQuotas) -> [(MetricsText.Labels, Int)] {
        Quota.allCases.compactMap { quota in
            values[quota].map { ([("app", app), ("quota", quota.rawValue)], $0) }
        }
    }
}

extension OriginFigures {
    fileprivate var labels: MetricsText.Labels { [("app", app), ("origin", origin)] }
}

extension MemoryFigures {
    /// The parts by their label.
    var parts: [(String, Int)] {
        [
            ("index", index), ("widgets", widgets), ("schedules", schedules), ("fields", fields),
            ("decisions", decisions), ("connections", connections),
        ]
    }
}
