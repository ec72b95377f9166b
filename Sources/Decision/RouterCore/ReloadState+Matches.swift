internal import ChangeDetection
internal import DataStructures
internal import ReloadModel
internal import RouterMetrics
internal import WidgetMatching

/// What a match leads to.
extension ReloadState {
    /// Applies the matches of a batch, or keeps them for its fan-out.
    mutating func applyMatches(
        _ producer: UInt32,
        areApplied: Bool,
        _ pushes: Span<MatchedPush>,
        _ matches: Span<WidgetMatch>,
        _ out: inout Outbox
    ) {
        if !areApplied && !fanOuts.isSearching { openFanOut(of: producer, arrival: out.arrival) }
        let app = producers[producer].app
        for index in pushes.indices { add(pushes[index], app) }
        if !areApplied { return fanOuts.append(contentsOf: matches) }
        beginTurns(matches.count)
        apply(matches, of: producer, out.arrival, &out) { state, out, match in
            state.take(match.widget, state.batch.pushes[Int(match.tag)], &out)
        }
        endTurns()
    }

    /// Adds a push to the batch, with its flags and values.
    private mutating func add(_ push: MatchedPush, _ app: AppID) {
        while batch.pushes.count <= Int(push.tag) { batch.pushes.append(MatchedBatch.Push()) }
        batch.pushes[Int(push.tag)] = MatchedBatch.Push(
            isKnown: true,
            isUrgent: push.isUrgent,
            isVoid: push.isVoid,
            voidAt: push.voidAt,
            fields: push.payload.map { fields(of: $0, app) } ?? PushFields.none,
            burst: numbers.burst &+ push.burst,
            reloadsBefore: numbers.reload &- push.reloadsSince
        )
    }

    /// Keeps what the app's kinds show or carry of a payload until its matches are known.
    private mutating func fields(of payload: ByteView, _ app: AppID) -> UInt32 {
        batch.fields.read(payload, app: app, catalog: fields.catalog)
    }

    /// Applies matches in three passes, so that the waits for widgets and for their devices overlap.
    ///
    /// - Parameters:
    ///   - matches: of pushes of one producer.
    ///   - producer: who has pushed.
    ///   - arrival: when; see `Outbox.arrival`.
    ///   - out: collects frames, timers and counts that result.
    ///   - apply: applies one.
    @inline(__always)
    mutating func apply(
        _ matches: Span<WidgetMatch>,
        of producer: UInt32,
        _ arrival: Int64,
        _ out: inout Outbox,
        _ apply: (inout ReloadState, inout Outbox, WidgetMatch) -> Void
    ) {
        out.work.charge(matches.count &* WorkCost.decision)
        out.agenda.arrival = arrival
        let before = batch.matched
        var start = 0
        while start < matches.count {
            let end = min(start + Self.passLength, matches.count)
            for index in start..<end {
                delivery.widgets.prefetch(matches[index].widget)
                delivery.schedules.prefetch(matches[index].widget)
            }
            for index in start..<end {
                let device = delivery.widgets[matches[index].widget].device
                // A widget that is gone has none.
                if device != DeviceRecord.none { delivery.devices.prefetch(device) }
            }
            for index in start..<end { apply(&self, &out, matches[index]) }
            start = end
        }
        out.agenda.arrival = 0
        countMatched(batch.matched &- before, of: producer, &out)
    }

    private mutating func countMatched(_ count: UInt32, of producer: UInt32, _ out: inout Outbox) {
        out.observer.counters.pushesMatched &+= UInt64(count)
        out.observer.appMetrics[Int(producers[producer].app)].matched &+= UInt64(count)
    }

    private static var passLength: Int { 64 }

    /// What a match leads to.
    mutating func take(_ widget: WidgetID, _ push: MatchedBatch.Push, _ out: inout Outbox) {
        if push.isVoid { return note(widget, .expired, .push, &out) }
        batch.matched &+= 1
        let rules = rules(of: widget)
        if rules.hasFields && push.fields != PushFields.none {
            let kind = delivery.widgets[widget].kind
            let isChanged = fields.widgets.apply(
                push.fields,
                of: batch.fields,
                to: widget,
                kind: kind,
                catalog: fields.catalog
            )
            if !isChanged {
                countWish(endedBy: .unchanged, &out)
                return confirm(widget, push.voidAt, &out)
            }
        }
        if delivery.widgets[widget].lastReload > push.reloadsBefore && !rules.carries {
            // It has ridden along, or was in an earlier portion, since the push came.
            countWish(endedBy: .coalesced, &out)
            return note(widget, .coalesced, .push, &out)
        }
        let stage = delivery.widgets[widget].stage
        if rules.isPlain && (stage == .idle || stage == .ready) {
            return takePlain(widget, push, &out)
        }
        let wish = ReloadWish(
            cause: .push,
            isUrgent: push.isUrgent,
            voidAt: push.voidAt,
            burst: push.burst
        )
        want(widget, wish, &out)
    }

    /// A push says what the widget shows, or will when the reload has been sent that waits: that is
    /// worth it now for as long as this push is.
    private mutating func confirm(_ widget: WidgetID, _ voidAt: Int64, _ out: inout Outbox) {
        note(widget, .unchanged, .push, &out)
        let record = delivery.widgets[widget]
        if record.stage == .idle || voidAt <= delivery.schedules[widget].voidAt { return }
        delivery.schedules[widget].voidAt = voidAt
        if record.stage == .ready && voidAt > delivery.devices[record.device].voidAt {
            delivery.devices[record.device].voidAt = voidAt
        }
    }

    /// A match of a kind of which nothing is to be decided, while nothing else waits that might be
    /// worth it for longer: its RELOAD is due.
    private mutating func takePlain(
        _ widget: WidgetID,
        _ push: MatchedBatch.Push,
        _ out: inout Outbox
    ) {
        let isReady = delivery.widgets[widget].stage == .ready
        countWish(endedBy: isReady ? .coalesced : nil, &out)
        if isReady {
            note(widget, .coalesced, .push, &out)
        } else if !delivery.isAttached(delivery.devices[delivery.widgets[widget].device]) {
            note(widget, .offline, .push, &out)
        }
        delivery.widgets[widget].cause = .push
        delivery.markReady(
            widget,
            .push,
            isUrgent: push.isUrgent,
            voidAt: push.voidAt,
            &out.agenda
        )
    }

    @inline(__always)
    private mutating func countWish(endedBy reason: DecisionReason?, _ out: inout Outbox) {
        out.observer.counters.wishes &+= 1
        if let reason { out.observer.counters.endings[reason] &+= 1 }
    }

    /// All that a batch concerns is known: its pushes are accepted.
    mutating func endBatch(of producer: UInt32, lastSeq: UInt64, count: UInt64) {
        producers.accepted(lastSeq, of: producer)
        numbers.burst &+= count
        if fanOuts.isSearching { endSearch() } else { forgetBatch() }
    }

    /// Forgets the batch.
    mutating func forgetBatch() {
        batch.matched = 0
        batch.pushes.removeAll(keepingCapacity: true)
        batch.fields.removeAll()
    }
}
