internal import Basics
internal import Credentials
internal import RouterCore

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
        writeRequestKeys(to: &metrics)
        writeOrigins(to: &metrics)
        writeApps(to: &metrics)
        writeQuotas(to: &metrics)
        if let store { store.write(to: &metrics, at: time) }
        if let recording { recording.write(to: &metrics) }
        if let apns {
            apns.write(to: &metrics, counts: counters.pushes, totals: totals)
        }
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
            date: startedAt
        )
        files.write(to: &metrics)
        metrics.gauge("draining", help: "1 while the router drains, else 0.", condition: isDraining)
        metrics.gauge(
            "inputs_paused",
            help: "1 while the router reads no input because too much waits for the store, else 0.",
            condition: areInputsPaused
        )
        metrics.counter(
            "ticks",
            help: "Ticks of the event loop that had something to do.",
            value: latencies.tick.count
        )
        metrics.counter("clock_jumps", help: "Jumps of the wall clock.", value: counters.clockJumps)
    }

    // MARK: - Pushes and reloads

    private func writePushes(to metrics: inout MetricsText) {
        metrics.counter(
            "pushes_accepted",
            help: "Pushes that were accepted.",
            value: counters.pushesAccepted
        )
        metrics.counter(
            "pushes_duplicate",
            help: "Pushes that had been accepted before.",
            value: counters.pushesDuplicate
        )
        metrics.counter(
            "pushes_matched",
            help: "Widgets that pushes matched.",
            value: counters.pushesMatched
        )
        metrics.counter(
            "widgets_left_out",
            help: "Widgets left out of pushes, because their devices' patterns cost too much.",
            value: counters.widgetsLeftOut
        )
        metrics.counter(
            "frames_rejected",
            help: "Frames that were answered with REJECT, by error code.",
            by: "code",
            values: byCode(counters.rejections)
        )
        metrics.counter(
            "sessions_failed",
            help: "Sessions that were ended with ERROR, by error code.",
            by: "code",
            values: byCode(counters.failures)
        )
    }

    private func writeReloads(to metrics: inout MetricsText) {
        metrics.counter(
            "reloads_sent",
            help: "RELOADs that were sent, by cause.",
            values: ReloadCause.allCases.map { cause in
                let channel: MetricsText.Labels = [("channel", "connection")]
                return ([("cause", cause.rawValue)] + channel, counters.reloadsByCause[cause])
            }
        )
        metrics.counter(
            "reloads_expired",
            help: "Reloads whose pushes expired before they could be sent.",
            value: counters.reloadsExpired
        )
        metrics.gauge(
            "reloads_pending",
            help: "Widgets with a pending reload, by what the reload waits for.",
            by: "stage",
            values: [
                ("debounced", totals.pending.debounced), ("deferred", totals.pending.deferred),
                ("queued", totals.pending.queued), ("held", totals.pending.awaitingSession),
                ("ready", totals.pending.ready),
            ]
        )
    }

    private func writeDecisions(to metrics: inout MetricsText) {
        metrics.counter(
            "reload_requests",
            help: "Reload requests: matches, dates and requests of apps.",
            value: counters.reloadRequests
        )
        metrics.counter(
            "reload_requests_ended",
            help: "Reload requests that have ended, by their outcome.",
            by: "reason",
            values: byReason(counters.endings)
        )
        metrics.counter(
            "decisions",
            help: "Decisions on reload requests, by reason.",
            by: "reason",
            values: byReason(counters.decisions)
        )
        metrics.counter(
            "entries_too_close",
            help: "Timelines with entries less than five minutes apart, which WidgetKit may skip.",
            value: counters.closeEntries
        )
        metrics.counter(
            "windows_exceeded",
            help: "Reloads that wait longer for their origin than their kind's window allows.",
            value: counters.windowsExceeded
        )
        metrics.counter(
            "windows_grown",
            help: "Windows that were widened because one date needed more than the origin's rate.",
            value: counters.windowsGrown
        )
        metrics.counter(
            "log_messages_suppressed",
            help: "Log messages that were suppressed because too many came within a second.",
            value: suppressedLogCount
        )
    }

    private func byReason(_ counts: DecisionCounts) -> [(String, UInt64)] {
        DecisionReason.allCases.map { ($0.name, counts[$0]) }
    }

    /// The counts of all codes, also of those that have not occurred: so a rate is correct from the
    /// first occurrence on.
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
            help: "Connections that were refused, or closed to protect the others, by reason.",
            by: "reason",
            values: loop.refused.byReason
        )
        metrics.counter(
            "tls_handshakes",
            help: "TLS handshakes that were completed, by whether a ticket saved the signature.",
            by: "kind",
            values: [("full", loop.handshakes.full), ("resumed", loop.handshakes.resumed)]
        )
        metrics.counter(
            "credentials_refused",
            help: "HELLOs that were refused because of what their clients have shown, by reason.",
            by: "reason",
            values: CredentialRefusal.labels.map { ($0, loop.refusedCredentials[$0] ?? 0) }
        )
        if let expiry = loop.credentialExpiry {
            metrics.gauge(
                "credential_expiry_time_seconds",
                help: "When the next credential of the app file expires.",
                value: expiry.rawValue / 1_000
            )
        }
        if let expiry = loop.certificateExpiry {
            metrics.gauge(
                "certificate_expiry_time_seconds",
                help: "When the first certificate of the listeners expires.",
                value: expiry.rawValue / 1_000
            )
        }
        metrics.counter(
            "received_bytes",
            help: "Bytes of frames that were accepted.",
            value: loop.receivedByteCount
        )
        metrics.counter(
            "sent_bytes",
            help: "Bytes of frames that the kernel has accepted for sending.",
            value: loop.sentByteCount
        )
    }

    private func writeQueues(to metrics: inout MetricsText) {
        metrics.gauge(
            "queue_depth",
            help:
                "Entries of the router's queues: devices with due reloads, matches to deliver, "
                + "widgets that wait for an origin, timers, and connections whose reading is paused.",
            by: "queue",
            values: [
                ("ready", totals.readyDevices), ("fanOut", totals.fanOutMatches),
                ("paced", totals.pending.queued), ("timers", totals.timers),
                ("heldConnections", loop.pausedConnections),
            ]
        )
        metrics.gauge(
            "fan_out_widgets",
            help: "Matches that are still to be delivered.",
            value: totals.fanOutMatches
        )
        metrics.gauge(
            "output_bytes",
            help: "Memory in bytes of output that waits because peers do not read.",
            value: loop.outputByteCount
        )
        metrics.gauge(
            "output_bytes_max",
            help:
                "The most output that ever waited since the start, uncommitted answers included.",
            value: loop.outputMax
        )
        metrics.gauge(
            "input_bytes",
            help: "Bytes of input kept until their frame is complete or the router accepts them.",
            value: loop.keptInputByteCount
        )
        metrics.gauge(
            "input_bytes_max",
            help: "The most input that was ever kept since the start, in bytes.",
            value: loop.keptInputMax
        )
        metrics.gauge(
            "reading_paused",
            help: "1 while the router reads no input for this reason, else 0.",
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
            help: "Time from reading a push until its ACK was passed to the kernel.",
            summary: latencies.pushToAck
        )
        metrics.histogram(
            "push_to_reload_seconds",
            help:
                "Time from reading a push until a RELOAD for it was passed to the kernel, for reloads "
                + "that no policy, origin or peer delayed.",
            summary: latencies.pushToReload
        )
        metrics.histogram(
            "tick_seconds",
            help:
                "Duration of the event loop's ticks; no client is served during a tick of another.",
            summary: latencies.tick
        )
        metrics.summary(
            "loop_stall_seconds",
            help:
                "CPU time of callbacks of the event loop that took more than 5 ms, by what they did.",
            by: "work",
            values: loop.stalls.map { ($0.work, $0.count, $0.time) }
        )
        if store != nil {
            metrics.histogram(
                "commit_seconds",
                help: "Duration of appends to the journal, the sync included.",
                summary: latencies.commit
            )
        }
        metrics.histogram(
            "scheduler_lag_seconds",
            help: "Time between when a timer was due and when the event loop ran it.",
            summary: latencies.schedulerLag
        )
    }
}
