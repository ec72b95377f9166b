internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import StoreFormat
internal import WidgetMatching

/// Matching: a few widgets are handled at once, many in portions, so that other connections are
/// served in between.
///
///     received ──► batch ──► matches ──► step: RELOADs, ACK
///                               └──► fan-out ─► portion ─► RELOADs ─► … ─► last portion ─► ACK
///
/// A batch with more matches than one step handles becomes a fan-out. First all its matches are
/// searched for. Until that is done no frame is accepted from any connection, because it might
/// change the index that is being searched; the search is quick. Then the matches are applied in
/// portions, which takes longer. Frames of all connections are accepted meanwhile, except the next
/// pushes of the same producer.
extension Router {
    /// Whether `received` accepts no frame of any connection before the next step, because a search
    /// is running, the tick's limit of work or of answers is reached, or fan-outs must end first.
    package var isBusy: Bool {
        state.fanOuts.isSearching || outbox.work.isTickSpent || isFanOutEndDue
            || outbox.allowance.isFull
    }

    /// Whether pushes are being searched for: no session may begin, whose producer they may be of.
    package var isSearching: Bool { state.fanOuts.isSearching }

    /// Whether there may be publishers of which no frame is accepted now.
    @inline(__always)
    var mayPublishersWait: Bool {
        // Asked for each frame; usually nothing more has to be examined.
        !state.fanOuts.isEmpty || !state.reloads.schedules.paused.isEmpty
    }

    /// Whether no frame of a publisher is accepted now, because its earlier pushes have matches
    /// left or its app is paused.
    @inline(never)
    func isWaiting(publisherOn connection: ConnectionSlot) -> Bool {
        let session = state.reloads.delivery.sessions[connection]
        return state.publishers.producers[session.producer].isFanningOut
            || state.reloads.schedules.paused.has(session.app)
    }

    /// Whether a further step may make RELOADs now.
    package var hasReadyDevices: Bool { outbox.agenda.hasReady }

    /// Whether a further step is due even if no input comes.
    package var needsStep: Bool {
        isBusy || isFanningOut || isFollowingRules
            || outbox.agenda.hasMoreExpired || outbox.agenda.hasReleased
            || (hasReadyDevices && outbox.allowance.allowsReload)
    }

    // MARK: - The batch

    /// Matches the pushes in the matcher's batch; if they match many widgets, the rest follows in
    /// the next steps.
    mutating func matchQueued() {
        if intake.queued.isEmpty || state.fanOuts.isSearching { return }
        let isFinished = state.matcher.matchQueued(
            work: limits.workPerStep,
            limit: limits.matchesPerStep
        )
        outbox.work.charge(state.matcher.spentWork)
        outbox.observer.counters.widgetsLeftOut &+= UInt64(state.matcher.leftOutCount)
        if isFinished {
            outbox.observer.setOutcomeBatch(intake.outcomes)
            if state.matcher.matchCount > 0 { commitMatches(areApplied: true) }
            outbox.observer.setOutcomeBatch(nil)
            if intake.outcomes != nil { foundOutcomes() }
            let matched = state.batch.matched
            commitBatch()
            acceptBatch(intake.takeUnsent(), matched: matched, arrival: outbox.arrival)
        } else {
            keepPayloads()
            if intake.outcomes != nil { keepOutcomes() }
            commitMatches(areApplied: false)
        }
    }

    /// Finds and applies all matches of the pushes that have come, however long that takes.
    mutating func finishPushes() {
        matchQueued()
        while isFanningOut { resumeFanOut() }
    }

    /// Applies and logs, as an input, the matches that the matcher has just found.
    mutating func commitMatches(areApplied: Bool) {
        assert(!intake.queued.isEmpty, "matches of no push")
        var list = intake.found.take()!
        var new: ContiguousArray<MatchedPush> = []
        swap(&new, &intake.newlyMatched)
        state.matcher.moveMatches(to: &list)
        list.withMatches { matches in
            findNewlyMatched(in: matches, into: &new)
            commit(
                .matched(
                    source: intake.source,
                    areApplied: areApplied,
                    pushes: new.span,
                    matches: matches
                )
            )
        }
        new.removeAll(keepingCapacity: true)
        swap(&new, &intake.newlyMatched)
        intake.found = consume list
    }

    /// Finds the pushes that have matched for the first time, and logs what each has matched.
    private mutating func findNewlyMatched(
        in matches: Span<WidgetMatch>,
        into new: inout ContiguousArray<MatchedPush>
    ) {
        let isForwarded = intake.source.producer == nil
        var start = 0
        while start < matches.count {
            let tag = matches[start].tag
            let push = intake.queued[Int(tag)]
            var matched = push.matched
            let first = outbox.observer.pushes.matchEnd
            // Those of one push follow each other.
            while start < matches.count && matches[start].tag == tag {
                outbox.observer.pushes.append(match: matches[start].widget, after: matched)
                matched &+= 1
                start += 1
            }
            intake.queued[Int(tag)].matched = matched
            if push.matched > 0 { continue }
            intake.queued[Int(tag)].firstMatch = first
            new.append(
                MatchedPush(
                    tag: tag,
                    number: isForwarded ? push.seq : 0,
                    isUrgent: push.isUrgent,
                    isExpired: push.isExpired,
                    fanOut: UInt64(tag) + 1,
                    reloadsSince: state.reloads.numbers.reload &- push.reloadsBefore,
                    expiresAt: push.expiresAt,
                    payload: push.payload
                )
            )
        }
    }

    /// Copies the payloads that are still needed, because the memory that they were received in is
    /// reused.
    private mutating func keepPayloads() {
        intake.keptPayloads.clear()
        for push in intake.queued {
            if let payload = push.payload { intake.keptPayloads.put(raw: payload) }
        }
        var start = 0
        for index in intake.queued.indices {
            guard let payload = intake.queued[index].payload else { continue }
            intake.queued[index].payload = intake.keptPayloads.bytes.slice(
                start,
                to: start + payload.count
            )
            start += payload.count
        }
    }

    /// Ends the batch: all its matches have been found, and its pushes count as accepted.
    mutating func commitBatch() {
        precondition(!intake.queued.isEmpty, "a batch has pushes")
        let last = intake.queued[intake.queued.count - 1]
        let count = UInt64(intake.queued.count)
        logPushes()
        intake.queued.removeAll(keepingCapacity: true)
        if intake.source.producer == nil { return commitForwarded(count) }
        commit(.batchEnded(source: intake.source, last: last.seq, count: count))
    }

    /// Ends a batch that a home has forwarded, if a push of it has matched.
    @inline(never)
    private mutating func commitForwarded(_ count: UInt64) {
        if state.batch.numbers.isEmpty && !state.fanOuts.isSearching { return }
        commit(.batchEnded(source: intake.source, last: intake.floor, count: count))
    }

    /// Logs the pushes of the batch, which are about to be accepted, if their producer is known
    /// here.
    private mutating func logPushes() {
        guard let producer = intake.source.producer else { return }
        let key = state.publishers.requestKeys.openKey(of: producer)?.high ?? 0
        let names =
            outbox.observer.pushNames.isEmpty ? nil : outbox.observer.pushNames[producer]
        var number = state.reloads.numbers.fanOut
        for push in intake.queued {
            number &+= 1
            outbox.observer.pushes.append(
                LoggedPush(
                    producer: producer,
                    seq: push.seq,
                    at: state.reloads.clock.now.wall,
                    key: names?[push.seq] ?? key,
                    firstMatch: push.firstMatch,
                    matched: push.matched,
                    isFanOut: state.fanOuts.isSearching
                ),
                number: number
            )
        }
    }

    /// Makes the ACK for a batch due, unless its connection has been closed.
    mutating func acceptBatch(
        _ unsent: PushIntake.UnsentAcknowledgement,
        matched: UInt32,
        arrival: ExactTime
    ) {
        if unsent.session.isNone { return }
        outbox.toFront.accepted.append(
            .init(
                session: unsent.session,
                lastSeq: unsent.lastSeq,
                matched: matched,
                arrival: arrival
            )
        )
    }
}
