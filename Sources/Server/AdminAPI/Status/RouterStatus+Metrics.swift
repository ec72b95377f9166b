internal import Basics
internal import Credentials
internal import RouterCore

extension RouterStatus {
    /// Writes the metrics that the loop knows, in the order of `protocol/metrics.table`.
    func write(to metrics: inout MetricsText) {
        writeProcess(to: &metrics)
        writePushes(to: &metrics)
        writeReloads(to: &metrics)
        writeConnections(to: &metrics)
        writeQueues(to: &metrics)
        writeLatencies(to: &metrics)
        writeStored(to: &metrics)
        writeRequestKeys(to: &metrics)
        writeOrigins(to: &metrics)
        writeApps(to: &metrics)
        if let store { store.write(to: &metrics, at: time) }
        if let recording { recording.write(to: &metrics) }
        if let apns { apns.write(to: &metrics, counts: counters.pushes, totals: totals) }
    }

    private func writeProcess(to metrics: inout MetricsText) {
        metrics.write("build_info", values: [(version, 1)])
        metrics.write("start_time_seconds", date: startedAt)
        let refused = files.map { ($0.name.rawValue, $0.refusal == nil ? 0 : 1) }
        metrics.write("file_refused", values: refused)
        let read = files.map { ($0.name.rawValue, $0.readAt.rawValue / 1_000) }
        metrics.write("file_read_time_seconds", values: read)
        metrics.write("draining", isSo: isDraining)
        metrics.write("inputs_paused", isSo: areInputsPaused)
        metrics.write("ticks_total", value: latencies.tick.count)
        metrics.write("clock_jumps_total", value: counters.clockJumps)
    }

    private func writePushes(to metrics: inout MetricsText) {
        metrics.write("pushes_accepted_total", value: counters.pushesAccepted)
        metrics.write("pushes_duplicate_total", value: counters.pushesDuplicate)
        metrics.write("pushes_matched_total", value: counters.pushesMatched)
        metrics.write("widgets_left_out_total", value: counters.widgetsLeftOut)
        metrics.write("frames_rejected_total", values: byCode(counters.rejections))
        metrics.write("sessions_failed_total", values: byCode(counters.failures))
    }

    private func writeReloads(to metrics: inout MetricsText) {
        let byCause = ReloadCause.allCases.map { cause in
            ([cause.rawValue, "connection"], counters.reloadsByCause[cause])
        }
        metrics.write("reloads_sent_total", values: byCause)
        metrics.write("reloads_expired_total", value: counters.reloadsExpired)
        let stages = [
            ("debounced", totals.pending.debounced), ("deferred", totals.pending.deferred),
            ("queued", totals.pending.queued), ("held", totals.pending.awaitingSession),
            ("ready", totals.pending.ready),
        ]
        metrics.write("reloads_pending", values: stages)
        metrics.write("reload_requests_total", value: counters.reloadRequests)
        metrics.write("reload_requests_ended_total", values: byReason(counters.endings))
        metrics.write("decisions_total", values: byReason(counters.decisions))
        metrics.write("entries_too_close_total", value: counters.closeEntries)
        metrics.write("windows_exceeded_total", value: counters.windowsExceeded)
        metrics.write("windows_grown_total", value: counters.windowsGrown)
        metrics.write("log_messages_suppressed_total", value: suppressedLogCount)
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
        let roles = [
            ("publisher", totals.roles.publishers), ("device", totals.roles.devices),
            ("gateway", totals.roles.gateways), ("awaitingHello", totals.roles.awaitingHello),
        ]
        metrics.write("connections", values: roles)
        metrics.write("connections_accepted_total", value: loop.acceptedCount)
        metrics.write("connections_refused_total", values: loop.refused.byReason)
        let handshakes = [("full", loop.handshakes.full), ("resumed", loop.handshakes.resumed)]
        metrics.write("tls_handshakes_total", values: handshakes)
        let refusals = CredentialRefusal.labels.map { ($0, loop.refusedCredentials[$0] ?? 0) }
        metrics.write("credentials_refused_total", values: refusals)
        if let expiry = loop.credentialExpiry {
            metrics.write("credential_expiry_time_seconds", value: expiry.rawValue / 1_000)
        }
        if let expiry = loop.certificateExpiry {
            metrics.write("certificate_expiry_time_seconds", value: expiry.rawValue / 1_000)
        }
        metrics.write("received_bytes_total", value: loop.receivedByteCount)
        metrics.write("sent_bytes_total", value: loop.sentByteCount)
    }

    private func writeQueues(to metrics: inout MetricsText) {
        let queues = [
            ("ready", totals.readyDevices), ("fanOut", totals.fanOutMatches),
            ("paced", totals.pending.queued), ("timers", totals.timers),
            ("heldConnections", loop.pausedConnections),
        ]
        metrics.write("queue_depth", values: queues)
        metrics.write("fan_out_widgets", value: totals.fanOutMatches)
        metrics.write("output_bytes", value: loop.outputByteCount)
        metrics.write("output_bytes_max", value: loop.outputMax)
        metrics.write("input_bytes", value: loop.keptInputByteCount)
        metrics.write("input_bytes_max", value: loop.keptInputMax)
        let pauses = [
            ("store", areInputsPaused), ("output", loop.pausedByOutput),
            ("input", loop.pausedByInput),
        ]
        metrics.write("reading_paused", values: pauses.map { ($0.0, $0.1 ? 1 : 0) })
    }

    private func writeLatencies(to metrics: inout MetricsText) {
        metrics.write("push_to_ack_seconds", latency: latencies.pushToAck)
        metrics.write("push_to_reload_seconds", latency: latencies.pushToReload)
        metrics.write("tick_seconds", latency: latencies.tick)
        metrics.write("loop_stall_seconds", stalls: loop.stalls)
        if store != nil { metrics.write("commit_seconds", latency: latencies.commit) }
        metrics.write("scheduler_lag_seconds", latency: latencies.schedulerLag)
    }

    // MARK: - What is stored

    private func writeStored(to metrics: inout MetricsText) {
        metrics.write("stored_apps", value: totals.stored.apps)
        metrics.write("stored_devices", value: totals.stored.devices)
        metrics.write("stored_widgets", value: totals.stored.widgets)
        metrics.write("undeclared_widgets", value: totals.undeclaredWidgets)
        metrics.write("stored_producers", value: totals.stored.producers)
        metrics.write("producers_forgotten_total", value: counters.producersForgotten)
        metrics.write("devices_forgotten_total", value: counters.devicesForgotten)
        metrics.write("token_revocations", value: totals.revocations)
        metrics.write("producers_refused_total", value: counters.producersRefused)
        metrics.write("producers_ahead_total", value: counters.producersAhead)
        metrics.write("stored_bytes", value: totals.stored.bytes)
        metrics.write("stored_bytes_limit", value: totals.storedBytesLimit)
        let resident = ("resident", residentByteCount())
        metrics.write("memory_bytes", values: totals.memory.parts + [resident])
    }

    private func writeOrigins(to metrics: inout MetricsText) {
        let waiting = totals.origins.map { ([$0.app, $0.origin], $0.waiting) }
        metrics.write("origin_waiting", values: waiting)
        // The entry that sums up the remaining origins has no peak: 0 would claim that they are
        // idle.
        let peaks = totals.origins.filter { $0.app != RouterTotals.others }.flatMap { origin in
            [
                ([origin.app, origin.origin, "asked"], origin.peakRequested),
                ([origin.app, origin.origin, "given"], origin.peakAssigned),
            ]
        }
        metrics.write("origin_peak_per_second", values: peaks)
    }

    private func writeRequestKeys(to metrics: inout MetricsText) {
        metrics.write("request_keys", value: totals.stored.requestKeys)
        metrics.write("request_keys_forgotten_total", value: counters.requestKeysForgotten)
        metrics.write("request_keys_displaced_total", value: counters.requestKeysDisplaced)
        metrics.write("requests_repeated_total", value: counters.requestsRepeated)
    }

    private func writeApps(to metrics: inout MetricsText) {
        let apps = totals.apps
        metrics.write("paused_apps", value: totals.pausedApps)
        metrics.write("app_pushes_total", values: apps.map { ($0.app, $0.counts.pushes) })
        metrics.write("app_matched_total", values: apps.map { ($0.app, $0.counts.matched) })
        metrics.write("app_reloads_total", values: apps.map { ($0.app, $0.counts.reloads) })
        metrics.write("app_rejected_total", values: apps.map { ($0.app, $0.counts.rejected) })
        metrics.write("app_used", values: apps.flatMap { $0.values($0.used) })
        metrics.write("app_quota", values: apps.flatMap { $0.values($0.quotas) })
        let refusals = Quota.allCases.map { ($0.rawValue, counters.quotaRefusals[$0] ?? 0) }
        metrics.write("quota_refusals_total", values: refusals)
    }
}

extension AppTotals {
    fileprivate func values(_ values: AppQuotas) -> [([String], Int)] {
        Quota.allCases.compactMap { quota in values[quota].map { ([app, quota.rawValue], $0) } }
    }
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

// MARK: - Disks and APNs

extension StoreStatus {
    fileprivate func write(to metrics: inout MetricsText, at time: MonotonicTime) {
        metrics.write("store_failing", isSo: failure != nil)
        metrics.write("store_failing_seconds", length: failure.map { time - $0.since } ?? .zero)
        metrics.write("store_failures_total", value: failureCount)
        metrics.write("journal_records_submitted_total", value: submitted)
        metrics.write("journal_records_committed_total", value: committed)
        metrics.write("journal_waiting_bytes", value: waitingJournalByteCount)
        metrics.write("uncommitted_answer_bytes", value: uncommittedByteCount)
        metrics.write("checkpoints_begun_total", value: checkpointsBegun)
        metrics.write("checkpoints_sealed_total", value: checkpointsSealed)
        metrics.write("checkpoint_failing", isSo: checkpointFailure != nil)
        metrics.write("checkpoint_running", isSo: isCheckpointRunning)
        metrics.write("checkpoint_last_bytes", value: checkpointByteCount)
        metrics.write("checkpoint_last_duration_seconds", length: checkpointDuration)
        metrics.write("checkpoint_last_longest_tick_seconds", length: checkpointLongestTick)
        metrics.write("store_disk_bytes", value: diskByteCount)
    }
}

extension RecordingStatus {
    fileprivate func write(to metrics: inout MetricsText) {
        metrics.write("capture_failing", isSo: isFailing)
        metrics.write("capture_records_total", value: recordCount)
        metrics.write("capture_lost_total", value: lostCount)
        metrics.write("capture_files_total", value: fileCount)
        metrics.write("capture_bytes_total", value: byteCount)
        metrics.write("capture_written_bytes_total", value: storedByteCount)
    }
}

extension APNsStatus {
    fileprivate func write(
        to metrics: inout MetricsText,
        counts: APNsPushCounts,
        totals: RouterTotals
    ) {
        metrics.write("apns_pushes_sent_total", value: counts.made)
        let outcomes = [
            ("accepted", counts.accepted), ("refused", counts.refused),
            ("tokenDead", counts.tokensDead), ("tokenRefused", counts.tokensRefused),
            ("postponed", counts.postponed), ("unanswered", counts.unheard),
        ]
        metrics.write("apns_pushes_ended_total", values: outcomes)
        metrics.write("apns_refusals_total", values: sorted(refusals))
        metrics.write("apns_answer_seconds", latency: answerTime)
        metrics.write("apns_pushes_under_way", value: underWayCount)
        metrics.write("apns_devices_waiting", value: totals.pushesWaiting)
        metrics.write("apns_dead_tokens", value: totals.deadTokens)
        metrics.write("apns_connections", value: connectionCount)
        metrics.write("apns_connections_lost_total", value: lostConnectionCount)
        if let expiry = certificateExpiry {
            metrics.write("apns_certificate_expiry_time_seconds", date: expiry)
        }
        metrics.write("apns_lanes_stopped", values: sorted(stoppedLanes))
        metrics.write("apns_lane_stops_total", values: sorted(stops))
    }

    private func sorted<Count>(_ counts: [String: Count]) -> [(String, Count)] {
        counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
