// Made from protocol/admin.table by protocol/admin_swift.py: change that table.
// swift-format-ignore-file
package import Basics
package import RouterCore

extension AdminProblem: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("type", value: type)
        json.member("title", value: title)
        json.member("status", value: status)
        json.member("detail", value: detail)
        json.member("code", value: code)
        if let value = refused?.named {
            json.list("rejected", of: value)
        }
        if let value = refused?.moreCount {
            json.member("moreRejected", value: value)
        }
        if let value = lastSeq {
            json.member("lastSeq", value: value)
        }
    }
}

extension PushesBody.Rejection: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("line", value: line)
        json.member("code", value: code)
        json.member("detail", value: detail)
    }
}

extension LatencyFigures: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("count", value: recentCount)
        json.member("p50", microseconds: p50)
        json.member("p90", microseconds: p90)
        json.member("p99", microseconds: p99)
        json.member("p999", microseconds: p999)
        json.member("max", microseconds: longest)
    }
}

extension RouterStatus: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", value: wallTime)
        json.member("version", value: version)
        json.member("uptime", value: uptime)
        json.member("isReady", value: readiness.isReady)
        json.list("reasons", of: readiness.reasons)
        json.list("warnings", of: warnings)
        json.list("hints", of: hints)
        json.objects("files", of: files) { it, json in
            json.member("file", value: it.name)
            json.member("readAt", value: it.readAt)
            json.object("refusal", of: it.refusal) { it, json in
                json.member("reason", value: it.reason)
                json.member("since", value: it.since)
            }
        }
        json.member("isDraining", value: isDraining)
        json.object("pushes") { json in
            json.member("accepted", value: counters.pushesAccepted)
            json.member("duplicate", value: counters.pushesDuplicate)
            json.member("rejected", counts: counters.rejections.counted)
        }
        json.member("matched", value: counters.pushesMatched)
        json.object("reloads") { json in
            json.member("sent", value: counters.reloadsSent)
            json.member("byCause", counts: counters.reloadsByCause.named)
            json.member("void", value: counters.reloadsExpired)
        }
        json.member("decisions", counts: counters.decisions.named)
        json.member("sessionsFailed", counts: counters.failures.counted)
        json.object("quotaRefusals", of: quotaRefusals) { it, json in
            json.member("devices", value: it.devices)
            json.member("widgets", value: it.widgets)
            json.member("storedBytes", value: it.storedBytes)
            json.member("producers", value: it.producers)
            json.member("sessions", value: it.sessions)
        }
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
        json.object("latency", of: latencies) { it, json in
            json.member("pushToAck", value: it.pushToAck)
            json.member("pushToReload", value: it.pushToReload)
            json.member("turn", value: it.tick)
            json.member("commit", value: it.commit)
            json.member("schedulerLag", value: it.schedulerLag)
        }
        json.object("queues") { json in
            json.member("ready", value: totals.readyDevices)
            json.member("fanOut", value: totals.fanOutMatches)
            json.member("paced", value: totals.pending.queued)
            json.member("timers", value: totals.timers)
            json.member("heldConnections", value: loop.pausedConnections)
            json.member("journalBytes", value: waitingJournalByteCount)
            json.member("heldAnswerBytes", value: uncommittedByteCount)
            json.member("outputBytes", value: loop.outputByteCount)
            json.member("outputBytesMax", value: loop.outputMax)
            json.member("inputBytes", value: loop.keptInputByteCount)
            json.member("inputBytesMax", value: loop.keptInputMax)
        }
        json.object("bytes") { json in
            json.member("in", value: loop.receivedByteCount)
            json.member("out", value: loop.sentByteCount)
        }
        json.member("memory", counts: memoryParts)
        json.object("store", of: store) { it, json in
            json.member("isFailing", value: it.isFailing)
            json.member("failingFor", value: storeFailingTime)
            json.member("failures", value: it.failureCount)
            json.member("diskBytes", value: it.diskByteCount)
            json.member("committed", value: it.committed)
            json.member("submitted", value: it.submitted)
            json.object("checkpoint") { json in
                json.member("number", value: it.checkpointNumber)
                json.member("sealed", value: it.checkpointsSealed)
                json.member("bytes", value: it.checkpointByteCount)
                json.member("milliseconds", value: it.checkpointDuration)
            }
        }
        json.object("recording", of: recording) { it, json in
            json.member("records", value: it.recordCount)
            json.member("lost", value: it.lostCount)
            json.member("bytes", value: it.byteCount)
            json.member("isFailing", value: it.isFailing)
        }
        json.object("apns", of: apns) { it, json in
            json.member("sent", value: counters.pushes.made)
            json.member("accepted", value: counters.pushes.accepted)
            json.member("refused", value: counters.pushes.refused)
            json.member("tokensDead", value: counters.pushes.tokensDead)
            json.member("tokensRefused", value: counters.pushes.tokensRefused)
            json.member("postponed", value: counters.pushes.postponed)
            json.member("unanswered", value: counters.pushes.unheard)
            json.member("waiting", value: totals.pushesWaiting)
            json.member("underWay", value: it.underWayCount)
            json.member("deadTokens", value: totals.deadTokens)
            json.member("connections", value: it.connectionCount)
            json.member("connectionsLost", value: it.lostConnectionCount)
            json.member("answer", value: it.answerTime)
            json.member("stopped", value: it.stoppedLaneCount)
            json.objects("stoppedLanes", of: it.stopped) { it, json in
                json.member("app", value: it.app)
                json.member("environment", value: it.environment)
                json.member("cause", value: it.cause)
            }
        }
        json.objects("apps", of: totals.apps) { it, json in
            json.member("app", value: it.app)
            json.member("pushes", value: it.counts.pushes)
            json.member("matched", value: it.counts.matched)
            json.member("reloads", value: it.counts.reloads)
            json.member("isPaused", value: it.isPaused)
            json.member("used", value: it.used)
            json.member("quotas", value: it.quotas)
        }
        json.list("hotKeys", of: totals.hotKeys)
        json.objects("origins", of: totals.origins) { it, json in
            json.member("app", value: it.app)
            json.member("origin", value: it.origin)
            json.member("waiting", value: it.waiting)
            json.member("peakAsked", value: it.peakRequested)
            json.member("peakGiven", value: it.peakAssigned)
        }
    }
}

extension ProducerView: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("app", value: app)
        json.member("producer", value: name)
        json.member("lastSeq", value: lastSeq)
        json.member("usedAt", value: usedAt)
        json.member("idleFor", value: idleFor)
        json.member("hasSession", value: hasSession)
    }
}

extension AppView: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("app", value: app)
        json.member("isPaused", value: isPaused)
        json.member("kinds", value: kinds)
        json.member("devices", value: devices)
        json.member("widgets", value: widgets)
        json.member("pushes", value: pushes)
        json.member("reloads", value: reloads)
        json.member("used", value: used)
        json.member("quotas", value: quotas)
    }
}

extension TokenRevocationView: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("device", value: device)
        json.member("before", value: before)
    }
}

extension DeviceSummary: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("device", value: device)
        json.member("widgets", value: widgets)
        json.member("isOnline", value: isOnline)
    }
}

extension DeviceView: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("app", value: app)
        json.member("device", value: device)
        json.member("isPaused", value: isPaused)
        json.member("isOnline", value: isOnline)
        json.member("connection", value: connection?.rawValue)
        json.object("session") { json in
            json.member("foreground", value: isForeground)
            json.member("media", value: media)
        }
        json.member("heardAt", value: heardAt)
        json.member("push", value: push)
        json.list("widgets", of: widgets)
        json.list("decisions", of: decisions)
    }
}

extension APNsPushView: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("environment", value: environment)
        json.member("isReached", value: isReached)
        json.member("channel", value: channel?.name)
        json.member("token", value: tokenState?.name)
        json.member("appToken", value: appTokenState?.name)
        json.member("registeredAt", value: registeredAt)
        json.member("isUnderWay", value: isUnderWay)
        json.member("used", value: used)
        json.member("cap", value: cap)
        json.member("waitsUntil", value: waits?.until)
        json.member("waitsFor", value: waits?.reason.name)
    }
}

extension EndedTokenView: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("number", value: number)
        json.member("device", value: device)
        json.member("channel", value: channel.name)
        json.member("widget", value: control?.widget)
        json.member("kind", value: control?.kind)
        json.member("tokenSHA256", value: tokenDigest)
        json.member("environment", value: environment)
        json.member("state", value: state.name)
        json.member("reason", value: fault.appleName)
        json.member("since", value: since)
        json.member("registeredAt", value: registeredAt)
    }
}

extension PushesBody: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("accepted", value: accepted)
        json.member("matched", value: matched)
        json.member("lastSeq", value: lastSeq)
        json.list("rejected", of: refused.named)
        if let value = refused.moreCount {
            json.member("moreRejected", value: value)
        }
        json.member("outcome", value: outcome)
    }
}

extension PushView: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("producer", value: producer)
        json.member("seq", value: seq)
        json.member("at", value: at)
        json.member("matched", value: matched)
    }
}

extension PushHistory: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("app", value: app)
        json.member("producer", value: push.producer)
        json.member("seq", value: push.seq)
        json.member("at", value: push.at)
        json.member("matched", value: push.matched)
        json.member("keptSince", value: keptSince)
        if let value = outcomes {
            json.member("outcomes", counts: value)
        }
        if let value = kinds {
            json.member("kinds", counts: value)
        }
        json.list("widgets", of: widgets)
        json.member("next", value: next)
    }
}

extension PushedWidget: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("device", value: device)
        json.member("widget", value: widget)
        json.member("kind", value: kind)
        json.member("outcome", value: outcome)
        if let value = at {
            json.member("at", value: value)
        }
        if let value = until {
            json.member("until", value: value)
        }
        if let value = first?.name {
            json.member("first", value: value)
        }
        if let value = why {
            json.member("why", value: value)
        }
    }
}

extension OriginView: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("app", value: app)
        json.member("origin", value: origin)
        json.member("perSecond", value: perSecond)
        json.member("waiting", value: waiting)
        json.member("held", value: slotCount)
        json.member("secondsFrom", value: secondsFrom)
        json.list("asked", of: requested)
        json.list("given", of: assigned)
    }
}

extension CourseCounts: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("pushes", value: pushes)
        json.member("matched", value: matched)
        json.member("reloads", value: reloads)
        json.member("putOff", value: putOff)
        json.member("rejected", value: rejected)
        json.member("devices", value: devices)
        json.member("widgets", value: widgets)
    }
}

extension CoursePoint: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", value: date)
        json.member("length", value: length)
        json.member("counts", value: counts)
    }
}

extension HistoryPoint: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", value: date)
        json.member("length", value: length)
        json.member("pushes", value: counts.pushes)
        json.member("matched", value: counts.matched)
        json.member("reloads", value: counts.reloads)
        json.member("putOff", value: counts.putOff)
        json.member("rejected", value: counts.rejected)
        json.member("ticks", value: counts.ticks)
        json.member("bytesIn", value: counts.receivedBytes)
        json.member("bytesOut", value: counts.sentBytes)
        json.member("publishers", value: levels.publishers)
        json.member("devices", value: levels.devices)
        json.member("gateways", value: levels.gateways)
        json.member("pending", value: levels.pending)
        json.member("pushToAck", value: latencies.pushToAck.measured)
        json.member("pushToReload", value: latencies.pushToReload.measured)
        json.member("tick", value: latencies.tick.measured)
    }
}

extension HistoryMark: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", value: date)
        json.member("event", value: event.name)
    }
}

extension RecentLatency: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("p50", microseconds: p50)
        json.member("p99", microseconds: p99)
        json.member("max", microseconds: longest)
    }
}

extension HotKeyTotals: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("app", value: app)
        json.member("kind", value: kind)
        json.member("key", value: key)
        json.member("pushes", value: pushes)
        json.member("matched", value: matched)
    }
}

extension WidgetView.Date: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", value: at)
        json.member("slot", value: slot)
    }
}

extension WidgetView.Budget: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("used", value: used)
        json.member("allowance", value: allowance)
        json.member("reserve", value: reserve)
        json.member("nextAt", value: nextAt)
    }
}

extension WidgetView: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("widget", value: widget)
        json.member("kind", value: kind)
        json.member("configuration", json: configuration)
        json.member("stage", value: stage)
        json.member("cause", value: cause)
        json.member("waitsUntil", value: waitsUntil)
        json.member("lastReload", value: lastReload)
        json.member("lastReloadAt", value: lastReloadAt)
        json.member("isAnswered", value: isAnswered)
        json.member("date", value: date)
        json.member("budget", value: budget)
        json.member("shown", json: inlinedValues)
        json.member("token", value: controlTokenState?.name)
        json.member("shownState", value: valueState)
    }
}

extension DecisionView: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", value: at)
        json.member("widget", value: widget)
        json.member("reason", value: reason.name)
        json.member("cause", value: cause)
        json.member("until", value: until)
        json.member("push", value: push)
        json.member("text", value: text)
    }
}

extension ExplainedWidget: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("device", value: device)
        json.member("widget", value: widget)
        json.member("kind", value: kind)
        json.member("outcome", value: outcome)
        json.member("reloadsAt", value: reloadsAt)
        json.member("text", value: text)
        json.objects("tests", of: tests) { it, json in
            json.member("field", value: it.field)
            json.member("value", value: it.value)
            json.member("test", value: it.test)
            json.member("isHeld", value: it.isMet)
        }
    }
}

extension AppQuotas: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        if let value = devices {
            json.member("devices", value: value)
        }
        if let value = widgets {
            json.member("widgets", value: value)
        }
        if let value = storedBytes {
            json.member("storedBytes", value: value)
        }
        if let value = producers {
            json.member("producers", value: value)
        }
        if let value = sessions {
            json.member("sessions", value: value)
        }
    }
}

extension AdmittedOperator: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", value: name)
        json.member("role", value: role)
        json.member("by", value: way)
        json.member("until", value: until?.rfc3339)
        if let value = listed.sortedApps {
            json.list("apps", of: value)
        }
    }
}

extension Authorization.Link: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("path", value: path)
        json.member("until", value: until.rfc3339)
    }
}

extension Authorization.Session: AnswerObject {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("token", value: token)
        json.member("name", value: admitted.name)
        json.member("role", value: admitted.role)
        json.member("until", value: admitted.until?.rfc3339)
    }
}
