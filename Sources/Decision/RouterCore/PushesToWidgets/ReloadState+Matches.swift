internal import Basics
internal import ChangeDetection
internal import WidgetMatching

/// Applying matches: each leads to a reload request for its widget, or to nothing.
extension ReloadState {
    /// Applies the matches of a batch, or keeps them for its fan-out.
    mutating func applyMatches(
        of producer: ProducerID,
        areApplied: Bool,
        pushes: Span<MatchedPush>,
        matches: Span<WidgetMatch>,
        into out: inout Outbox
    ) {
        if !areApplied && !fanOuts.isSearching { openFanOut(of: producer, arrival: out.arrival) }
        assert(publishers.producers.isKnown(producer), "the pushes are no producer's")
        let app = publishers.producers[producer].app
        for index in pushes.indices { add(pushes[index], of: app) }
        if !areApplied { return fanOuts.append(contentsOf: matches) }
        beginGrants(matches.count)
        if out.observer.outcomes.current == nil {
            apply(matches, of: producer, arrival: out.arrival, into: &out) { state, out, match in
                state.applyMatch(match.widget, for: state.batch.pushes[Int(match.tag)], into: &out)
            }
        } else {
            applyReporting(matches, of: producer, into: &out)
        }
        endGrants()
    }

    /// Applies matches of pushes whose publisher asks what becomes of them.
    @inline(never)
    private mutating func applyReporting(
        _ matches: Span<WidgetMatch>,
        of producer: ProducerID,
        into out: inout Outbox
    ) {
        apply(matches, of: producer, arrival: out.arrival, into: &out) { state, out, match in
            state.applyMatch(match.widget, for: state.batch.pushes[Int(match.tag)], into: &out)
            state.report(match, into: &out)
        }
    }

    /// Adds a push to the batch, with its flags and values.
    private mutating func add(_ push: MatchedPush, of app: AppID) {
        while batch.pushes.count <= Int(push.tag) { batch.pushes.append(MatchedBatch.Push()) }
        batch.pushes[Int(push.tag)] = MatchedBatch.Push(
            isKnown: true,
            isUrgent: push.isUrgent,
            isExpired: push.isExpired,
            expiresAt: push.expiresAt,
            fields: push.payload.map { fields(of: $0, app: app) }.orNone,
            fanOut: numbers.fanOut &+ push.fanOut,
            reloadsBefore: numbers.reload &- push.reloadsSince
        )
    }

    /// Reads from a payload the fields that the app's kinds observe or inline, and keeps their
    /// values with the batch until the push's matches are applied.
    private mutating func fields(of payload: ByteView, app: AppID) -> PushHandle {
        batch.fields.read(payload, app: app, catalog: fields.catalog)
    }

    /// Applies matches in three passes, so that the waits for the memory of widgets and of their
    /// devices overlap.
    ///
    /// - Parameters:
    ///   - matches: matches of pushes of one producer.
    ///   - producer: that producer.
    ///   - arrival: when the pushes came; see `Outbox.arrival`.
    ///   - out: collects frames, timers and counts that result.
    ///   - apply: applies one match.
    @inline(__always)
    mutating func apply(
        _ matches: Span<WidgetMatch>,
        of producer: ProducerID,
        arrival: ExactTime,
        into out: inout Outbox,
        apply: (inout ReloadState, inout Outbox, WidgetMatch) -> Void
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
                // A widget that was removed has no device.
                if !device.isNone { delivery.devices.prefetch(device) }
            }
            for index in start..<end { apply(&self, &out, matches[index]) }
            start = end
        }
        out.agenda.arrival = .none
        countMatched(batch.matched &- before, of: producer, into: &out)
    }

    private mutating func countMatched(
        _ count: UInt32,
        of producer: ProducerID,
        into out: inout Outbox
    ) {
        out.observer.counters.pushesMatched &+= UInt64(count)
        let app = publishers.producers[producer].app
        out.observer.appMetrics[app].matched &+= UInt64(count)
    }

    /// The most matches whose records are prefetched before they are applied.
    private static var passLength: Int { 64 }

    /// Applies a push to a widget that it matches: requests a reload, unless the push has expired,
    /// changes nothing that the widget displays, or came before the widget's last RELOAD.
    mutating func applyMatch(
        _ widget: WidgetID,
        for push: MatchedBatch.Push,
        into out: inout Outbox
    ) {
        assert(!delivery.widgets[widget].device.isNone, "the widget was removed")
        if push.isExpired { return log(widget, reason: .expired, cause: .push, into: &out) }
        batch.matched &+= 1
        let rules = rules(of: widget)
        if rules.hasFields && push.fields != .none {
            let kind = delivery.widgets[widget].kind
            let effect = fields.widgets.apply(
                push.fields,
                of: batch.fields,
                to: widget,
                kind: kind,
                catalog: fields.catalog
            )
            if effect != .change {
                let reason = effect == .outdated ? DecisionReason.outdated : .unchanged
                countRequest(endedBy: reason, into: &out)
                return confirm(widget, until: push.expiresAt, reason: reason, into: &out)
            }
        }
        if delivery.widgets[widget].lastReload > push.reloadsBefore && !rules.inlines {
            // The widget was reloaded along with another one, or in an earlier portion, after the
            // push came.
            countRequest(endedBy: .coalesced, into: &out)
            return log(widget, reason: .coalesced, cause: .push, into: &out)
        }
        let stage = delivery.widgets[widget].stage
        if rules.reloadsImmediately && (stage == .idle || stage == .ready) {
            return applyImmediateMatch(widget, for: push, into: &out)
        }
        let request = ReloadRequest(
            cause: .push,
            isUrgent: push.isUrgent,
            expiresAt: push.expiresAt,
            fanOut: push.fanOut
        )
        requestReload(widget, request: request, into: &out)
    }

    /// Records that a push changes nothing that the widget displays, or will display after its
    /// pending reload. That reload does not expire before the push does.
    private mutating func confirm(
        _ widget: WidgetID,
        until expiresAt: WallTime,
        reason: DecisionReason,
        into out: inout Outbox
    ) {
        log(widget, reason: reason, cause: .push, into: &out)
        let record = delivery.widgets[widget]
        if record.stage == .idle || expiresAt <= delivery.schedules[widget].expiresAt { return }
        delivery.schedules[widget].expiresAt = expiresAt
        if record.stage == .ready && expiresAt > delivery.devices[record.device].expiresAt {
            delivery.devices[record.device].expiresAt = expiresAt
        }
    }

    /// Makes the reload of a widget ready, if its kind's rules leave nothing to decide. The
    /// widget's stage must be `idle` or `ready`: a reload in any other stage may expire later than
    /// this push.
    @inline(__always)
    private mutating func applyImmediateMatch(
        _ widget: WidgetID,
        for push: MatchedBatch.Push,
        into out: inout Outbox
    ) {
        let isReady = delivery.widgets[widget].stage == .ready
        countRequest(endedBy: isReady ? .coalesced : nil, into: &out)
        if isReady {
            log(widget, reason: .coalesced, cause: .push, into: &out)
        } else if isUnreached(widget) {
            log(widget, reason: .offline, cause: .push, into: &out)
        }
        delivery.widgets[widget].cause = .push
        delivery.markReady(
            widget,
            cause: .push,
            isUrgent: push.isUrgent,
            expiresAt: push.expiresAt,
            in: &out.agenda
        )
    }

    /// Counts a reload request, and how it ended if it ended at once.
    @inline(__always)
    private mutating func countRequest(endedBy reason: DecisionReason?, into out: inout Outbox) {
        out.observer.counters.reloadRequests &+= 1
        if let reason { out.observer.counters.endings[reason] &+= 1 }
    }

    /// Ends a batch: all its matches are known, and its pushes are accepted.
    mutating func endBatch(of producer: ProducerID, lastSeq: UInt64, count: UInt64) {
        numbers.fanOut &+= count
        let running = clock.running.total
        publishers.accepted(upTo: lastSeq, count: count, of: producer, running: running)
        if fanOuts.isSearching { return endSearch() }
        publishers.requestKeys.matched(batch.matched, of: producer, now: running)
        forgetBatch()
    }

    /// Forgets the batch.
    mutating func forgetBatch() {
        batch.matched = 0
        batch.pushes.removeAll(keepingCapacity: true)
        batch.fields.removeAll()
    }
}
