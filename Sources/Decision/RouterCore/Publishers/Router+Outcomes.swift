internal import Basics
internal import ChangeDetection
internal import FrameCodec
internal import ReloadScheduling
internal import WidgetMatching

/// OUTCOME: what became of each push of a publisher that asks for it.
///
///     push ─► `expectOutcome` ─► matches, see `OutcomeLog` ─► `reportOutcomes` ─► OUTCOME, ACK
///
/// Outcomes are effects only: no input and no record has them, and while a router is restored or
/// follows a log, none is made.
extension Router {
    /// Remembers that a push that was queued gets an OUTCOME, and reserves the memory for it.
    @inline(never)
    mutating func expectOutcome(
        of push: ScannedPush,
        from session: FrontSession,
        seq: UInt64
    ) {
        outbox.work.charge(WorkCost.outcome)
        outbox.allowance.addAnswer(RouterLimits.outcomeBytes)
        let expected = OutcomeBatch.Push(
            seq: seq,
            expiresAt: push.expiresAt,
            isExpired: push.expiresAt <= state.reloads.clock.now.wall,
            reloadsBefore: state.reloads.numbers.reload
        )
        if intake.outcomes == nil {
            intake.outcomes = OutcomeBatch(
                session,
                producer: state.reloads.delivery.sessions[session.connection].producer,
                number: state.reloads.delivery.sessions[session.connection].number
            )
        }
        intake.outcomes?.append(expected, payload: push.payload, kinds: push.kinds)
        assert(intake.outcomes?.pushes.count == intake.queued.count, "tags number both lists")
    }

    /// Makes the batch's outcomes due: all its matches have been found and applied.
    @inline(never)
    mutating func foundOutcomes() {
        guard let batch = intake.outcomes else { return }
        intake.outcomes = nil
        explainMisses(of: batch)
        batch.contents = []
        batch.isDue = true
        outbox.observer.outcomes.batches.append(batch)
    }

    /// Keeps the batch's outcomes until its fan-out ends.
    @inline(never)
    mutating func keepOutcomes() {
        guard let batch = intake.outcomes else { return }
        intake.outcomes = nil
        batch.contents = []
        outbox.observer.outcomes.batches.append(batch)
    }

    // MARK: - Reports

    /// Decides what is undecided of all outcomes, and sends those that are due.
    @inline(never)
    mutating func reportOutcomes() {
        for batch in outbox.observer.outcomes.batches {
            decideOutcomes(of: batch)
            if batch.isDue && hasSession(batch) { report(batch) }
        }
        outbox.observer.outcomes.batches.removeAll { $0.isDue }
    }

    /// Sends the outcomes that are due to a connection, whose session is about to end, or has just
    /// been ended here.
    mutating func reportOutcomes(to session: FrontSession) {
        if outbox.observer.outcomes.batches.isEmpty { return }
        for batch in outbox.observer.outcomes.batches
        where batch.isDue && batch.session == session {
            decideOutcomes(of: batch)
            report(batch)
        }
        outbox.observer.outcomes.batches.removeAll { $0.isDue && $0.session == session }
    }

    private mutating func decideOutcomes(of batch: OutcomeBatch) {
        outbox.work.charge(batch.undecided.count &* WorkCost.record)
        batch.decide { match, push in state.reloads.outcome(of: match.widget, for: push) }
    }

    /// Whether the session is still open that gets a batch's outcomes.
    private func hasSession(_ batch: OutcomeBatch) -> Bool {
        state.reloads.delivery.hasSession(batch.session.connection, number: batch.number)
    }

    private mutating func report(_ batch: OutcomeBatch) {
        let connection = batch.session.connection
        for push in batch.pushes { send(message(push), seq: push.seq, to: connection) }
    }

    /// Adds an OUTCOME, whose bytes were counted when its push came.
    private mutating func send(
        _ message: OutcomeMessage,
        seq: UInt64,
        to connection: ConnectionSlot
    ) {
        let body = message.encoded
        assert(body.count <= RouterLimits.outcomeBytes, "an OUTCOME of \(body.count) bytes")
        body.withByteView {
            outbox.frames.append(OutgoingFrame(to: connection, type: .outcome), seq: seq, body: $0)
        }
    }

    /// Reports that a push has come before.
    @inline(never)
    mutating func reportDuplicate(on connection: ConnectionSlot, seq: UInt64) {
        outbox.work.charge(WorkCost.outcome)
        var message = OutcomeMessage()
        message.isDuplicate = true
        outbox.allowance.addAnswer(RouterLimits.outcomeBytes)
        send(message, seq: seq, to: connection)
    }

    /// Reports that an operator has paused or resumed the app: its pushes wait, or are accepted.
    mutating func reportPause(_ isPaused: Bool, to connection: ConnectionSlot) {
        var message = OutcomeMessage()
        message.isPaused = isPaused
        outbox.allowance.addAnswer(RouterLimits.outcomeBytes)
        send(message, seq: 0, to: connection)
    }

    // MARK: - Messages

    private func message(_ push: OutcomeBatch.Push) -> OutcomeMessage {
        var message = OutcomeMessage()
        message.matched = push.isExpired ? 0 : UInt64(push.widgetCount)
        for reason in DecisionReason.allCases where push[reason] > 0 {
            message.counts.append(.init(outcome: reason.name, widgets: UInt64(push[reason])))
        }
        message.widgets = push.widgets.map { named(by: $0, for: push) }
        message.registered = push.registered.map { UInt64($0) }
        message.nearest = push.nearest
        return message
    }

    private func named(
        by entry: OutcomeBatch.Widget,
        for push: OutcomeBatch.Push
    ) -> OutcomeMessage.Widget {
        let (reason, until) = entry.outcome ?? (.superseded, nil)
        var named = OutcomeMessage.Widget(
            device: entry.device,
            widget: entry.name,
            kind: entry.kind,
            outcome: reason.name
        )
        named.until = until
        var reasonOfWait = reason
        if reason == .coalesced {
            // What it waits for is that of the reload which it has joined.
            let joined = state.reloads.outcome(of: entry.widget, for: push)
            named.joins = joined.reason.name
            named.until = joined.until
            reasonOfWait = joined.reason
        }
        named.why = why(reasonOfWait, of: entry.widget, kind: entry.kindNumber).map {
            quotation($0)
        }
        return named
    }

    /// Why a decision on a widget was made, as a phrase for people.
    func why(_ reason: DecisionReason, of widget: WidgetID, kind: KindID) -> String? {
        var spent: String?
        if reason == .budget, state.reloads.delivery.widgets.has(widget),
            !state.reloads.delivery.widgets[widget].device.isNone, let budget = budget(of: widget)
        {
            spent = DecisionSentence.spent(
                used: budget.used,
                allowance: budget.allowance,
                reserve: budget.reserve
            )
        }
        // The declaration would have to be searched for the kind.
        let rules = state.reloads.catalog.kinds[kind].rules
        var policy = KindPolicy()
        policy.budget = rules.budget
        policy.debounce = DebouncePolicy(wait: rules.debounceWait, longest: rules.debounceLongest)
        policy.origin = String(
            decoding: state.reloads.catalog.originKeys[rules.origin].name,
            as: UTF8.self
        )
        if reason == .unchanged {
            policy.observes = state.reloads.fields.catalog.observedNames(of: kind)
        }
        if reason == .outdated { policy.newest = state.reloads.fields.catalog.newestName(of: kind) }
        let sentences = DecisionSentence(
            policy,
            kind: kindName(kind),
            perSecond: state.reloads.schedules.origins[rules.origin].perSecond
        )
        return sentences.why(reason, spent: spent)
    }
}
