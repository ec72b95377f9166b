internal import ReloadModel
internal import RouterCore
internal import RouterMetrics
package import StrictJSON

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

    package func write(to writer: inout JSONWriter) {
        writer.object { json in
            let readiness = Readiness(.status(self))
            json.member("at", wallTime)
            json.member("version", version)
            json.member("uptime", max(0, wallTime - startedAt))
            json.member("isReady", readiness.isReady)
            json.list("reasons", of: readiness.reasons) { reason, json in json.string(reason) }
            json.member("isDraining", isDraining)
            writeCounters(to: &json)
            writeGauges(to: &json)
            json.key("latency")
            json.object { latencies.write(to: &$0) }
            writeLoop(to: &json)
            writeStored(to: &json)
            writeLists(to: &json)
        }
    }

    // MARK: - Counters

    private func writeCounters(to json: inout JSONWriter) {
        json.key("pushes")
        json.object { json in
            json.member("accepted", counters.pushesAccepted)
            json.member("duplicate", counters.pushesDuplicate)
            json.key("rejected")
            json.write(counters.rejections)
        }
        json.member("matched", counters.pushesMatched)
        json.key("reloads")
        json.object { json in
            json.member("sent", counters.reloadsSent)
            json.key("byCause")
            json.object { json in
                for cause in ReloadCause.allCases {
                    json.member(cause.rawValue, counters.reloadsByCause[cause])
                }
            }
            json.member("void", counters.reloadsVoid)
        }
        json.key("decisions")
        json.object { json in
            for reason in DecisionReason.allCases {
                json.member(reason.name, counters.decisions[reason])
            }
        }
        json.key("sessionsFailed")
        json.write(counters.failures)
        json.key("quotaRefusals")
        json.object { json in
            for quota in Quota.allCases {
                json.member(quota.rawValue, counters.quotaRefusals[quota] ?? 0)
            }
        }
    }

    private func writeGauges(to json: inout JSONWriter) {
        json.key("wishes")
        json.object { json in
            json.member("begun", counters.wishes)
            json.member("ended", counters.endings.total)
            json.member("pending", figures.pending.total)
            json.member("debounced", figures.pending.debounced)
            json.member("deferred", figures.pending.deferred)
            json.member("queued", figures.pending.queued)
            json.member("held", figures.pending.held)
            json.member("ready", figures.pending.ready)
        }
        json.key("connections")
        json.object { json in
            json.member("publisher", figures.roles.publishers)
            json.member("device", figures.roles.devices)
            json.member("gateway", figures.roles.gateways)
            json.member("awaitingHello", figures.roles.awaitingHello)
            json.member("accepted", loop.acceptedCount)
            json.member("refused", loop.refused.total)
        }
        json.key("stored")
        json.object { json in
            json.member("apps", figures.stored.apps)
            json.member("devices", figures.stored.devices)
            json.member("widgets", figures.stored.widgets)
            json.member("producers", figures.stored.producers)
            json.member("bytes", figures.stored.bytes)
            json.member("bytesLimit", figures.storedBytesLimit)
            json.member("producersForgotten", counters.producersForgotten)
            json.member("producersRefused", counters.producersRefused)
        }
    }

    // MARK: - The loop

    private func writeLoop(to json: inout JSONWriter) {
        json.key("queues")
        json.object { json in
            json.member("ready", figures.readyDevices)
            json.member("fanOut", figures.fanOutMatches)
            json.member("paced", figures.pending.queued)
            json.member("timers", figures.timers)
            json.member("heldConnections", loop.heldConnections)
            json.member("journalBytes", store?.waitingJournalByteCount ?? 0)
            json.member("heldAnswerBytes", store?.heldAnswerByteCount ?? 0)
            json.member("outputBytes", loop.outputByteCount)
            json.member("outputBytesMax", loop.outputMax)
            json.member("inputBytes", loop.keptInputByteCount)
            json.member("inputBytesMax", loop.keptInputMax)
        }
        json.key("bytes")
        json.object { json in
            json.member("in", loop.receivedByteCount)
            json.member("out", loop.sentByteCount)
        }
        json.key("memory")
        json.object { json in
            for (part, byteCount) in figures.memory.parts { json.member(part, byteCount) }
            json.member("resident", residentByteCount())
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

    // MARK: - Lists

    private func writeLists(to json: inout JSONWriter) {
        json.list("apps", of: figures.apps) { app, json in
            json.object { json in
                json.member("app", app.app)
                json.member("pushes", app.counts.pushes)
                json.member("matched", app.counts.matched)
                json.member("reloads", app.counts.reloads)
                json.member("isPaused", app.isPaused)
                json.members(used: app.used, quotas: app.quotas)
            }
        }
        json.list("hotKeys", of: figures.hotKeys) { key, json in
            json.object { key.write(to: &$0) }
        }
        json.list("origins", of: figures.origins) { origin, json in
            json.object { json in
                json.member("app", origin.app)
                json.member("origin", origin.origin)
                json.member("waiting", origin.waiting)
                json.member("peakAsked", origin.peakAsked)
                json.member("peakGiven", origin.peakGiven)
            }
        }
    }
}

extension LatencyStatus {
    fileprivate func write(to json: inout JSONWriter) {
        let all = [
            ("pushToAck", pushToAck), ("pushToReload", pushToReload), ("turn", turn),
            ("commit", commit), ("schedulerLag", schedulerLag),
        ]
        for (name, summary) in all {
            json.key(name)
            json.object { json in
                json.member("count", summary.recentCount)
                json.member("p50", microseconds: summary.p50)
                json.member("p90", microseconds: summary.p90)
                json.member("p99", microseconds: summary.p99)
                json.member("p999", microseconds: summary.p999)
                json.member("max", microseconds: summary.longest)
            }
        }
    }
}

extension StoreStatus {
    fileprivate func write(to json: inout JSONWriter, at time: Int64) {
        json.member("isFailing", failure != nil)
        json.member("failingFor", failure.map { time - $0.since } ?? 0)
        json.member("failures", failureCount)
        json.member("diskBytes", diskByteCount)
        json.member("committed", committed)
        json.member("submitted", submitted)
        json.key("checkpoint")
        json.object { json in
            json.member("number", checkpointNumber)
            json.member("sealed", checkpointsSealed)
            json.member("bytes", checkpointByteCount)
            json.member("milliseconds", checkpointMilliseconds)
        }
    }
}

extension RecordingStatus {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("records", recordCount)
        json.member("lost", lostCount)
        json.member("bytes", byteCount)
        json.member("isFailing", isFailing)
    }
}

extension HotKeyFigures {
    /// Writes its members into an open JSON object.
    package func write(to json: inout JSONWriter) {
        json.member("app", app)
        json.member("kind", kind)
        json.member("key", key)
        json.member("pushes", pushes)
        json.member("matched", matched)
    }
}

extension JSONWriter {
    /// Writes a time in ns as µs, with one decimal below 100 µs.
    fileprivate mutating func member(_ name: String, microseconds time: Int64) {
        key(name)
        if time < 100_000 {
            number(Double((time + 50) / 100) / 10)
        } else {
            integer((time + 500) / 1_000)
        }
    }

    /// Writes counts by code in the order of the protocol's table, omitting those that are 0.
    fileprivate mutating func write(_ counts: [ErrorCode: UInt64]) {
        object { json in
            for code in ErrorCode.allCases {
                if let count = counts[code] { json.member(code.rawValue, count) }
            }
        }
    }
}
