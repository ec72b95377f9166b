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
            help: "1, with the version as a label.",
            by: "version",
            values: [(version, 1)]
        )
        metrics.gauge(
            "start_time_seconds",
            help: "When the router began to serve, in seconds since 1970.",
            milliseconds: startedAt
        )
        metrics.gauge("draining", help: "1 while the router drains, else 0.", condition: isDraining)
        metrics.gauge(
            "inputs_paused",
            help: "1 while nobody is read from because too much waits for the store, else 0.",
            condition: areInputsPaused
        )
        metrics.counter(
            "turns",
            help: "Turns of the event loop that had something to do.",
            value: latencies.tick.count
        )
        metrics.counter("clock_jumps", help: "Jumps of the wall clock.", value: counters.clockJumps)
    }

    // MARK: - Pushes and reloads

    private func writePushes(to metrics: inout MetricsText) {
        metrics.counter(
            "pushes_accepted",
            help: "Pushes that were taken.",
            value: counters.pushesAccepted
        )
        metrics.counter(
            "pushes_duplicate",
            help: "Pushes that had been taken before.",
            value: counters.pushesDuplicate
        )
        metrics.counter(
            "pushes_matched",
            help: "Widgets that pushes concerned.",
            value: counters.pushesMatched
        )
        metrics.counter(
            "frames_rejected",
            help: "Frames that were answered with REJECT, by what was wrong.",
            by: "code",
            values: byCode(counters.rejections)
        )
        metrics.counter(
            "sessions_failed",
            help: "Sessions that were ended with ERROR, by what was wrong.",
            by: "code",
            values: byCode(counters.failures)
        )
    }

    private func writeReloads(to metrics: inout MetricsText) {
        metrics.counter(
            "reloads_sent",
            help: "RELOADs that were sent, by the cause that they name.",
            values: ReloadCause.allCases.map { cause in
                let channel: MetricsText.Labels = [("channel", "connection")]
                return ([("cause", cause.rawValue)] + channel, counters.reloadsByCause[cause])
            }
        )
        metrics.counter(
            "reloads_void",
            help: "Reloads that were void when they could be sent.",
            value: counters.reloadsExpired
        )
        metrics.gauge(
            "reloads_pending",
            help: "Widgets whose reload waits, by what it waits for.",
            by: "stage",
            values: [
                ("debounced", totals.pending.debounced), ("deferred", totals.pending.deferred),
                ("queued", totals.pending.queued), ("held", totals.pending.held),
                ("ready", totals.pending.ready),
            ]
        )
    }

    private func writeDecisions(to metrics: inout MetricsText) {
        metrics.counter(
            "wishes",
            help: "Causes to reload a widget.",
            value: counters.reloadRequests
        )
        metrics.counter(
            "wishes_ended",
            help: "Causes to reload a widget that wait no more, by what became of them.",
            by: "reason",
            values: byReason(counters.endings)
        )
        metrics.counter(
            "decisions",
            help: "Decisions on reloads, by their reason.",
            by: "reason",
            values: byReason(counters.decisions)
        )
        metrics.counter(
            "entries_too_close",
            help: "Timelines with entries closer than WidgetKit shows them.",
            value: counters.closeEntries
        )
        metrics.counter(
            "windows_exceeded",
            help: "Reloads that wait for their origin for longer than the window of their kind.",
            value: counters.windowsExceeded
        )
        metrics.counter(
            "windows_grown",
            help: "Windows that grew because the rate of their origin could not hold one date.",
            value: counters.windowsGrown
        )
        metrics.counter(
            "log_messages_suppressed",
            help: "Log messages that were not written because too many came in a second.",
            value: suppressedLogCount
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
            help: "Open connections, by their role.",
            by: "role",
            values: [
                ("publisher", totals.roles.publishers), ("device", totals.roles.devices),
                ("gateway", totals.roles.gateways),
                ("awaitingHello", totals.roles.awaitingHello),
            ]
        )
        metrics.counter(
            "connections_accepted",
            help: "Connections that were accepted.",
            value: loop.acceptedCount
        )
        metrics.counter(
            "connections_refused",
            help: "Connections that were refused, or ended for the sake of others, by reason.",
            by: "reason",
            values: loop.refused.byReason
        )
        metrics.counter(
            "received_bytes",
            help: "Bytes of frames that were taken.",
            value: loop.receivedByteCount
        )
        metrics.counter(
            "sent_bytes",
            help: "Bytes of frames that the kernel has taken.",
            value: loop.sentByteCount
        )
    }

    private func writeQueues(to metrics: inout MetricsText) {
        metrics.gauge(
            "queue_depth",
            help:
                "What waits in the router's queues: devices that are due, matches to be handed out, "
                + "widgets that wait for an origin, timers, connections that are not read from.",
            by: "queue",
            values: [
                ("ready", totals.readyDevices), ("fanOut", totals.fanOutMatches),
                ("paced", totals.pending.queued), ("timers", totals.timers),
                ("heldConnections", loop.pausedConnections),
            ]
        )
        metrics.gauge(
            "fan_out_widgets",
            help: "Widgets that pushes concern and that are still to be handed out.",
            value: totals.fanOutMatches
        )
        metrics.gauge(
            "output_bytes",
            help: "Frames that the kernel has not taken because their peers do not read.",
            value: loop.outputByteCount
        )
        metrics.gauge(
            "output_bytes_max",
            help:
                "The most output at a time since the start, with answers that waited for the store.",
            value: loop.outputMax
        )
        metrics.gauge(
            "input_bytes",
            help: "Input that is kept until its frame is whole or the router takes it.",
            value: loop.keptInputByteCount
        )
        metrics.gauge(
            "input_bytes_max",
            help: "The most of it at a time since the start.",
            value: loop.keptInputMax
        )
        metrics.gauge(
            "reading_paused",
            help: "1 while nobody is read from for this reason, else 0.",
            by: "reason",
            values: [
                ("store", areInputsPaused ? 1 : 0), ("output", loop.pausedByOutput ? 1 : 0),
                ("input", loop.pausedByInput ? 1 : 0),
            ]
        )
    }

    private func writeLatencies(to metrics: inout MetricsText) {
        metrics.histogram(
            "push_to_ack_seconds",
            help: "From reading a push until its ACK was handed to the kernel.",
            summary: latencies.pushToAck
        )
        metrics.histogram(
            "push_to_reload_seconds",
            help:
                "From reading a push until a RELOAD for it was handed to the kernel, of those that no "
                + "policy, turn or peer has held back.",
            summary: latencies.pushToReload
        )
        metrics.histogram(
            "turn_seconds",
            help: "How long turns of the event loop took: nobody else is served meanwhile.",
            summary: latencies.tick
        )
        if store != nil {
            metrics.histogram(
                "commit_seconds",
                help: "How long appends to the journal took, the sync included.",
                summary: latencies.commit
            )
        }
        metrics.histogram(
            "scheduler_lag_seconds",
            help: "How late the event loop came to do what was due at a time.",
            summary: latencies.schedulerLag
        )
    }

    // MARK: - State

    private func writeMemory(to metrics: inout MetricsText) {
        metrics.gauge("stored_apps", help: "Apps that are known.", value: totals.stored.apps)
        metrics.gauge("stored_devices", help: "Devices with widgets.", value: totals.stored.devices)
        metrics.gauge("stored_widgets", help: "Widgets.", value: totals.stored.widgets)
        metrics.gauge(
            "stored_producers",
            help: "Producers whose last push is known.",
            value: totals.stored.producers
        )
        metrics.counter(
            "producers_forgotten",
            help:
                "Producers that were forgotten because they were idle, or because an operator said so.",
            value: counters.producersForgotten
        )
        metrics.counter(
            "producers_refused",
            help: "Sessions that were refused because too many producers are known.",
            value: counters.producersRefused
        )
        metrics.gauge(
            "stored_bytes",
            help: "Memory that devices and widgets take, as quotas count it.",
            value: totals.stored.bytes
        )
        metrics.gauge(
            "stored_bytes_limit",
            help: "The most that they may take.",
            value: totals.storedBytesLimit
        )
        metrics.gauge(
            "memory_bytes",
            help: "Memory that the router's tables hold, by part, and all that is resident.",
            by: "part",
            values: totals.memory.parts + [("resident", residentByteCount())]
        )
    }

    private func writeOrigins(to metrics: inout MetricsText) {
        metrics.gauge(
            "origin_waiting",
            help: "Reloads that wait for their turn at an origin.",
            values: totals.origins.map { ($0.labels, $0.waiting) }
        )
        metrics.gauge(
            "origin_peak_per_second",
            help:
                "The busiest of an origin's next 120 seconds: as dates were asked for, and as they were "
                + "given.",
            // The entry that sums up the remaining origins has no peak: 0 would claim that they are
            // idle.
            values: totals.origins.filter { $0.app != RouterTotals.others }.flatMap { origin in
                [
                    (origin.labels + [("side", "asked")], origin.peakAsked),
                    (origin.labels + [("side", "given")], origin.peakGiven),
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
