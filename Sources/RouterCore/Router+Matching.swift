internal import ByteStorage
internal import PayloadFields
internal import ReloadModel
internal import WidgetMatching

/// Matching, in portions: a push may concern a million widgets, and nobody else is to wait for all
/// of them.
///
///     received ──► batch ──► first portion ──► step: RELOADs ──► … ──► last portion ──► ACK
///
/// Until a batch is finished no frame is taken, from anybody: a frame might change the widgets that
/// the batch is being compared with. Time, output and connections go on meanwhile.
extension Router {
    /// Whether `received` takes no frame before the next step: a batch is not finished, or the turn
    /// has matched enough.
    ///
    /// The driver keeps what comes meanwhile, and offers it again after the step.
    package var isBusy: Bool {
        isMatching || turnMatches >= limits.matchesPerTurn
    }

    /// Whether a further step would produce actions now.
    package var hasReadyDevices: Bool {
        !delivery.ready.isEmpty || !delivery.readyUrgent.isEmpty
    }

    /// Whether a further step is due although nothing more may happen.
    package var needsStep: Bool { isBusy || hasReadyDevices || hasExpiredTimers }

    /// Matches the next portion of the pushes that wait in the matcher's batch.
    mutating func matchQueued() {
        if pushes.isEmpty { return }
        let isFinished = matcher.matchQueued(limit: limits.matchesPerStep)
        isMatching = !isFinished
        turnMatches += matcher.examinedCount
        recordPortion()
        journal.beginEffects()
        takeMatches()
        journal.endEffects()
        if isFinished {
            endBatch()
        } else if journal.byteCount > limits.journalRecord {
            recordInterruption(at: Int(matcher.currentPush))
        }
    }

    /// Makes a RELOAD wanted for each match of a portion, in three passes, so that the waits for
    /// widgets and for their devices overlap.
    private mutating func takeMatches() {
        let count = matcher.matchCount
        beginTurns(count)
        var start = 0
        while start < count {
            let end = min(start + Self.passLength, count)
            for index in start..<end {
                delivery.widgets.prefetch(matcher.match(at: index).widget)
                delivery.schedules.prefetch(matcher.match(at: index).widget)
            }
            for index in start..<end {
                let widget = matcher.match(at: index).widget
                delivery.devices.prefetch(delivery.widgets[widget].device)
            }
            for index in start..<end { take(matcher.match(at: index)) }
            start = end
        }
        // Whoever asks now asks for more than the pass was made for.
        beginTurns(.max)
    }

    private static var passLength: Int { 64 }

    /// What a match leads to.
    mutating func take(_ match: WidgetMatch) {
        let push = pushes[Int(match.tag)]
        let widget = match.widget
        if push.isVoid { return note(widget, .expired, .push) }
        delivery.batch.matched &+= 1
        let rules = rules(of: widget)
        if rules.hasFields && push.fields != PushFields.none {
            let kind = delivery.widgets[widget].kind
            let isChanged = widgetFields.apply(
                push.fields,
                of: pushFields,
                to: widget,
                kind: kind,
                catalog: fieldCatalog
            )
            if !isChanged {
                countWish(endedBy: .unchanged)
                return confirm(widget, push.voidAt)
            }
        }
        if delivery.widgets[widget].lastReload > push.reloadsBefore && !rules.carries {
            // It has ridden along, or was in an earlier portion, since the push came.
            countWish(endedBy: .coalesced)
            return note(widget, .coalesced, .push)
        }
        let stage = delivery.widgets[widget].stage
        if rules.isPlain && (stage == .idle || stage == .ready) { return takePlain(widget, push) }
        let wish = ReloadWish(
            cause: .push,
            isUrgent: push.isUrgent,
            voidAt: push.voidAt,
            burst: push.burst
        )
        want(widget, wish)
    }

    /// A push says what the widget shows, or will when the reload has been sent that waits: that is
    /// worth it now for as long as this push is.
    private mutating func confirm(_ widget: WidgetID, _ voidAt: Int64) {
        note(widget, .unchanged, .push)
        let record = delivery.widgets[widget]
        if record.stage == .idle || voidAt <= delivery.schedules[widget].voidAt { return }
        delivery.schedules[widget].voidAt = voidAt
        if record.stage == .ready && voidAt > delivery.devices[record.device].voidAt {
            delivery.devices[record.device].voidAt = voidAt
        }
    }

    /// A match of a kind of which nothing is to be decided, while nothing else waits that might be
    /// worth it for longer: its RELOAD is due.
    private mutating func takePlain(_ widget: WidgetID, _ push: QueuedPush) {
        let isReady = delivery.widgets[widget].stage == .ready
        countWish(endedBy: isReady ? .coalesced : nil)
        if isReady {
            note(widget, .coalesced, .push)
        } else if !delivery.isAttached(delivery.devices[delivery.widgets[widget].device]) {
            note(widget, .offline, .push)
        }
        delivery.widgets[widget].cause = .push
        delivery.markReady(widget, .push, isUrgent: push.isUrgent, voidAt: push.voidAt)
    }

    @inline(__always)
    private mutating func countWish(endedBy reason: DecisionReason?) {
        counters.wishes &+= 1
        if let reason { counters.endings[reason] &+= 1 }
    }

    /// Matches what is left of the batch, however much that is.
    mutating func finishBatch() {
        while !pushes.isEmpty { matchQueued() }
    }

    private mutating func endBatch() {
        recordBatch()
        let batch = delivery.batch
        delivery.batch = PushBatch()
        pushes.removeAll(keepingCapacity: true)
        pushFields.removeAll()
        if batch.connection == ConnectionRecord.none { return }
        delivery.connections[batch.connection].matched &+= batch.matched
        accepted(batch.connection, batch.lastSeq)
    }

    /// Remembers that an ACK up to `seq` is due when the batch has been matched; at once if there is
    /// none.
    mutating func acceptedPush(_ connection: UInt32, _ seq: UInt64) {
        if pushes.isEmpty { return accepted(connection, seq) }
        delivery.batch.connection = connection
        if seq > delivery.batch.lastSeq { delivery.batch.lastSeq = seq }
    }
}
