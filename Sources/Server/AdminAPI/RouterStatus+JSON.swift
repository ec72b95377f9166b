internal import ReloadModel
internal import RouterCore
internal import RouterMetrics
package import StrictJSON
internal import Times

/// The body of `GET /v1/status`, and of each event of `GET /v1/events`.
///
/// Counters count since the start, so a rate is the difference of two of them; only
/// `latency.*.count` covers about ten seconds, like the percentiles beside it. Latencies are in µs,
/// all other durations in ms; `at` is in ms since 1970.
extension RouterStatus: AdminBody {
    /// The status as one JSON object.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Writes the status as one JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { json in
            let readiness = Readiness(.status(self))
            json.member("at", value: wallTime)
            json.member("version", value: version)
            json.member("uptime", value: max(.zero, wallTime - startedAt))
            json.member("isReady", value: readiness.isReady)
            json.list("reasons", of: readiness.reasons) { reason, json in json.string(reason) }
            json.list("warnings", of: warnings) { warning, json in json.string(warning) }
            json.list("hints", of: hints) { hint, json in json.string(hint) }
            json.list("files", of: files) { file, json in file.write(to: &json) }
            json.member("isDraining", value: isDraining)
            writeCounters(to: &json)
            writeGauges(to: &json)
            json.key("latency")
            json.object { latencies.write(to: &$0) }
            writeLoop(to: &json)
            writeStored(to: &json)
            writeAPNs(to: &json)
            writeLists(to: &json)
        }
    }

    // MARK: - Counters

    private func writeCounters(to json: inout JSONWriter) {
        json.key("pushes")
        json.object { json in
            json.member("accepted", value: counters.pushesAccepted)
            json.member("duplicate", value: counters.pushesDuplicate)
            json.key("rejected")
            json.write(counters.rejections)
        }
        json.member("matched", value: counters.pushesMatched)
        json.key("reloads")
        json.object { json in
            json.member("sent", value: counters.reloadsSent)
            json.key("byCause")
            json.object { json in
                for cause in ReloadCause.allCases {
                    json.member(cause.rawValue, value: counters.reloadsByCause[cause])
                }
            }
            json.member("void", value: counters.reloadsExpired)
        }
        json.key("decisions")
        json.object { json in
            for reason in DecisionReason.allCases {
                json.member(reason.name, value: counters.decisions[reason])
            }
        }
        json.key("sessionsFailed")
        json.write(counters.failures)
        json.key("quotaRefusals")
        json.object { json in
            for quota in Quota.allCases {
                json.member(quota.rawValue, value: counters.quotaRefusals[quota] ?? 0)
            }
        }
    }

    private func writeGauges(to json: inout JSONWriter) {
        json.key("wishes")
        json.object { json in
            json.member("begun", value: counters.reloadRequests)
            json.member("ended", value: counters.endings.total)
            json.member("pending", value: totals.pending.total)
            json.member("debounced", value: totals.pending.debounced)
            json.member("deferred", value: totals.pending.deferred)
            json.member("queued", value: totals.pending.queued)
            json.member("held", value: totals.pending.awaitingSession)
            json.member("ready", value: totals.pending.ready)
        }
        json.key("connections")
        json.object { json in
            json.member("publisher", value: totals.roles.publishers)
            json.member("device", value: totals.roles.devices)
            json.member("gateway", value: totals.roles.gateways)
            json.member("awaitingHello", value: totals.roles.awaitingHello)
            json.member("accepted", value: loop.acceptedCount)
            json.member("refused", value: loop.refused.total)
        }
        json.key("stored")
        json.object { json in
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
        json.key("queues")
        json.object { json in
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
        json.key("bytes")
        json.object { json in
            json.member("in", value: loop.receivedByteCount)
            json.member("out", value: loop.sentByteCount)
        }
        json.key("memory")
        json.object { json in
            for (part, byteCount) in totals.memory.parts { json.member(part, value: byteCount) }
            json.member("resident", value: residentByteCount())
        }
    }

    // MARK: - Disks

    private func writeStored(to json: inout JSONWriter) {
        json.key("store")
        if let store {
            json.object { store.write(to: &$0, at: time) }
        } else {
            json.null()
        }
        json.key("recording")
        if let recording {
            json.object { recording.write(to: &$0) }
        } else {
            json.null()
        }
    }

    private func writeAPNs(to json: inout JSONWriter) {
        json.key("apns")
        if let apns {
            json.object { apns.write(to: &$0, counts: counters.pushes, totals: totals) }
        } else {
            json.null()
        }
    }

    // MARK: - Lists

    private func writeLists(to json: inout JSONWriter) {
        json.list("apps", of: totals.apps) { app, json in
            json.object { json in
                json.member("app", value: app.app)
                json.member("pushes", value: app.counts.pushes)
                json.member("matched", value: app.counts.matched)
                json.member("reloads", value: app.counts.reloads)
                json.member("isPaused", value: app.isPaused)
                json.members(used: app.used, quotas: app.quotas)
            }
        }
        json.list("hotKeys", of: totals.hotKeys) { key, json in
            json.object { key.write(to: &$0) }
        }
        json.list("origins", of: totals.origins) { origin, json in
            json.object { json in
                json.member("app", value: origin.app)
                json.member("origin", value: origin.origin)
                json.member("waiting", value: origin.waiting)
                json.member("peakAsked", value: origin.peakRequested)
                json.member("peakGiven", value: origin.peakAssigned)
            }
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
            json.key(name)
            json.object { $0.write(summary) }
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
        json.key("checkpoint")
        json.object { json in
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

extension HotKeyTotals {
    /// Writes its members into an open JSON object.
    package func write(to json: inout JSONWriter) {
        json.member("app", value: app)
        json.member("kind", value: kind)
        json.member("key", value: key)
        json.member("pushes", value: pushes)
        json.member("matched", value: matched)
    }
}

extension JSONWriter {
    /// Writes the members of a latency.
    mutating func write(_ summary: LatencyFigures) {
        member("count", value: summary.recentCount)
        member("p50", microseconds: summary.p50)
        member("p90", microseconds: summary.p90)
        member("p99", microseconds: summary.p99)
        member("p999", microseconds: summary.p999)
        member("max", microseconds: summary.longest)
    }

    /// Writes a length of time as µs, with one decimal below 100 µs.
    mutating func member(_ name: String, microseconds length: Nanoseconds) {
        key(name)
        let number = length.rawValue
        if number < 100_000 {
            self.number(Double((number + 50) / 100) / 10)
        } else {
            integer((number + 500) / 1_000)
        }
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
