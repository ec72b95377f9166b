package import Basics
internal import RouterCore

/// The body of `GET /v1/status`, and of each event of `GET /v1/events`.
///
/// Counters count since the start, so a rate is the difference of two of them; only
/// `latency.*.count` covers about ten seconds, like the percentiles beside it. Latencies are in µs,
/// all other durations in ms; `at` is in ms since 1970.
extension RouterStatus: AdminBody {
    /// Writes the status as one JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { json in
            let readiness = Readiness(.status(self))
            json.member("at", value: wallTime)
            json.member("version", value: version)
            json.member("uptime", value: max(.zero, wallTime - startedAt))
            json.member("isReady", value: readiness.isReady)
            json.list("reasons", of: readiness.reasons)
            json.list("warnings", of: warnings)
            json.list("hints", of: hints)
            json.objects("files", of: files) { file, json in file.writeMembers(to: &json) }
            json.member("isDraining", value: isDraining)
            writeCounters(to: &json)
            writeGauges(to: &json)
            json.object("latency") { latencies.write(to: &$0) }
            writeLoop(to: &json)
            writeStored(to: &json)
            writeLists(to: &json)
        }
    }

    // MARK: - Counters

    private func writeCounters(to json: inout JSONWriter) {
        json.object("pushes") { json in
            json.member("accepted", value: counters.pushesAccepted)
            json.member("duplicate", value: counters.pushesDuplicate)
            json.key("rejected")
            json.write(counters.rejections)
        }
        json.member("matched", value: counters.pushesMatched)
        json.object("reloads") { json in
            json.member("sent", value: counters.reloadsSent)
            json.object("byCause") { json in
                for cause in ReloadCause.allCases {
                    json.member(cause.rawValue, value: counters.reloadsByCause[cause])
                }
            }
            json.member("void", value: counters.reloadsExpired)
        }
        json.object("decisions") { json in
            for reason in DecisionReason.allCases {
                json.member(reason.name, value: counters.decisions[reason])
            }
        }
        json.key("sessionsFailed")
        json.write(counters.failures)
        json.object("quotaRefusals") { json in
            for quota in Quota.allCases {
                json.member(quota.rawValue, value: counters.quotaRefusals[quota] ?? 0)
            }
        }
    }

    private func writeGauges(to json: inout JSONWriter) {
        json.object("wishes") { json in
            json.member("begun", value: counters.reloadRequests)
            json.member("ended", value: counters.endings.total)
            json.member("pending", value: totals.pending.total)
            json.member("debounced", value: totals.pending.debounced)
            json.member("deferred", value: totals.pending.deferred)
            json.member("queued", value: totals.pending.queued)
            json.member("held", value: totals.pending.awaitingSession)
            json.member("ready", value: totals.pending.ready)
        }
        json.object("connections") { json in
            json.member("publisher", value: totals.roles.publishers)
            json.member("device", value: totals.roles.devices)
            json.member("gateway", value: totals.roles.gateways)
            json.member("awaitingHello", value: totals.roles.awaitingHello)
            json.member("accepted", value: loop.acceptedCount)
            json.member("refused", value: loop.refused.total)
        }
        json.object("stored") { json in
            json.member("apps", value: totals.stored.apps)
            json.member("devices", value: totals.stored.devices)
            json.member("widgets", value: totals.stored.widgets)
            json.member("undeclaredWidgets", value: totals.undeclaredWidgets)
            json.member("producers", value: totals.stored.producers)
            json.member("bytes", value: totals.stored.bytes)
            json.member("bytesLimit", value: totals.storedBytesLimit)
            json.member("producersForgotten", value: counters.producersForgotten)
            json.member("devicesForgotten", value: counters.devicesForgotten)
            json.member("producersRefused", value: counters.producersRefused)
            json.member("producersAhead", value: counters.producersAhead)
        }
    }

    // MARK: - The loop

    private func writeLoop(to json: inout JSONWriter) {
        json.object("queues") { json in
            json.member("ready", value: totals.readyDevices)
            json.member("fanOut", value: totals.fanOutMatches)
            json.member("paced", value: totals.pending.queued)
            json.member("timers", value: totals.timers)
            json.member("heldConnections", value: loop.pausedConnections)
            json.member("journalBytes", value: store?.waitingJournalByteCount ?? 0)
            json.member("heldAnswerBytes", value: store?.uncommittedByteCount ?? 0)
            json.member("outputBytes", value: loop.outputByteCount)
            json.member("outputBytesMax", value: loop.outputMax)
            json.member("inputBytes", value: loop.keptInputByteCount)
            json.member("inputBytesMax", value: loop.keptInputMax)
        }
        json.object("bytes") { json in
            json.member("in", value: loop.receivedByteCount)
            json.member("out", value: loop.sentByteCount)
        }
        json.object("memory") { json in
            for (part, byteCount) in totals.memory.parts { json.member(part, value: byteCount) }
            json.member("resident", value: residentByteCount())
        }
    }

    // MARK: - Disks

    private func writeStored(to json: inout JSONWriter) {
        json.object("store", of: store) { store, json in store.write(to: &json, at: time) }
        json.object("recording", of: recording) { recording, json in recording.write(to: &json) }
        json.object("apns", of: apns) { apns, json in
            apns.write(to: &json, counts: counters.pushes, totals: totals)
        }
    }

    // MARK: - Lists

    private func writeLists(to json: inout JSONWriter) {
        json.objects("apps", of: totals.apps) { app, json in
            json.member("app", value: app.app)
            json.member("pushes", value: app.counts.pushes)
            json.member("matched", value: app.counts.matched)
            json.member("reloads", value: app.counts.reloads)
            json.member("isPaused", value: app.isPaused)
            json.members(used: app.used, quotas: app.quotas)
        }
        json.objects("hotKeys", of: totals.hotKeys) { key, json in key.writeMembers(to: &json) }
        json.objects("origins", of: totals.origins) { origin, json in
            json.member("app", value: origin.app)
            json.member("origin", value: origin.origin)
            json.member("waiting", value: origin.waiting)
            json.member("peakAsked", value: origin.peakRequested)
            json.member("peakGiven", value: origin.peakAssigned)
        }
    }
}

extension LatencyStatus {
    fileprivate func write(to json: inout JSONWriter) {
        let all = [
            ("pushToAck", pushToAck), ("pushToReload", pushToReload), ("turn", tick),
            ("commit", commit), ("schedulerLag", schedulerLag),
        ]
        for (name, summary) in all {
            json.object(name) { $0.write(summary) }
        }
    }
}

extension StoreStatus {
    fileprivate func write(to json: inout JSONWriter, at time: MonotonicTime) {
        json.member("isFailing", value: failure != nil)
        json.member("failingFor", value: failure.map { time - $0.since } ?? .zero)
        json.member("failures", value: failureCount)
        json.member("diskBytes", value: diskByteCount)
        json.member("committed", value: committed)
        json.member("submitted", value: submitted)
        json.object("checkpoint") { json in
            json.member("number", value: checkpointNumber)
            json.member("sealed", value: checkpointsSealed)
            json.member("bytes", value: checkpointByteCount)
            json.member("milliseconds", value: checkpointDuration)
        }
    }
}

extension RecordingStatus {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("records", value: recordCount)
        json.member("lost", value: lostCount)
        json.member("bytes", value: byteCount)
        json.member("isFailing", value: isFailing)
    }
}

extension APNsStatus {
    fileprivate func write(to json: inout JSONWriter, counts: APNsPushCounts, totals: RouterTotals)
    {
        json.member("sent", value: counts.made)
        json.member("accepted", value: counts.accepted)
        json.member("refused", value: counts.refused)
        json.member("tokensDead", value: counts.tokensDead)
        json.member("tokensRefused", value: counts.tokensRefused)
        json.member("postponed", value: counts.postponed)
        json.member("unanswered", value: counts.unheard)
        json.member("waiting", value: totals.pushesWaiting)
        json.member("underWay", value: underWayCount)
        json.member("deadTokens", value: totals.deadTokens)
        json.member("connections", value: connectionCount)
        json.member("connectionsLost", value: lostConnectionCount)
        json.object("answer") { $0.write(answerTime) }
        json.member("stopped", value: stoppedLanes.reduce(0) { $0 + $1.value })
        json.objects("stoppedLanes", of: stopped) { lane, json in
            json.member("app", value: lane.app)
            json.member("environment", value: lane.environment.rawValue)
            json.member("cause", value: lane.cause)
        }
    }
}

extension JSONWriter {
    /// Writes the members of a latency.
    fileprivate mutating func write(_ summary: LatencyFigures) {
        member("count", value: summary.recentCount)
        member("p50", microseconds: summary.p50)
        member("p90", microseconds: summary.p90)
        member("p99", microseconds: summary.p99)
        member("p999", microseconds: summary.p999)
        member("max", microseconds: summary.longest)
    }

    /// Writes counts by code in the order of the protocol's table, omitting those that are 0.
    fileprivate mutating func write(_ counts: [ErrorCode: UInt64]) {
        object { json in
            for code in ErrorCode.allCases {
                if let count = counts[code] { json.member(code.rawValue, value: count) }
            }
        }
    }
}
