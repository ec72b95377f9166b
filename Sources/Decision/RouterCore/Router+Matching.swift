internal import ByteStorage
internal import FrameCodec
internal import PayloadFields
internal import ReloadModel
internal import RouterMetrics
internal import StoreFormat
internal import WidgetMatching

/// Matching: few widgets at once, many in portions, so that nobody else waits for all of them.
///
///     received ──► batch ──► matches ──► step: RELOADs, ACK
///                               └──► fan-out ──► portion ──► RELOADs ──► … ──► last portion ──► ACK
///
/// A batch that matches more than is looked at in one go becomes a fan-out. First all its matches are
/// searched for: until then no frame is taken, from anybody, because it might change the index that
/// is being walked through. That is quick. What matches lead to takes longer, and goes on while
/// everybody else goes on too, but for the next pushes of the same producer: these come later.
extension Router {
    /// Whether `received` takes no frame of anybody before the next step: matches are searched for,
    /// the tick's work is done or has been answered enough, or what there is has to be handed out first.
    package var isBusy: Bool {
        isMatching || work.isTickSpent || isFanOutEndDue || output.isFull
    }

    /// Whether `received` takes no frame of a connection.
    ///
    /// The driver keeps what comes meanwhile, and offers it again when this is over.
    package func holds(_ connection: UInt32) -> Bool {
        refuses(connection) || isOverdrawn(connection)
    }

    /// Whether a connection's frames wait whatever they cost.
    @inline(__always)
    func refuses(_ connection: UInt32) -> Bool {
        isBusy || isNotReadFrom(connection)
    }

    /// Charges a connection, if it is still there, for work that goes on after its frames were taken.
    mutating func charge(_ cost: Int, to connection: UInt32) {
        work.charge(cost)
        if connection == ConnectionRecord.none { return }
        work.settle(&delivery.connections[connection].work, cost: cost, at: now.monotonic)
    }

    /// Counts work that the driver does for somebody who has no frames yet.
    package mutating func charge(_ cost: Int) { work.charge(cost) }

    /// What a connection may spend of this tick's work, in units of `WorkCost`.
    package var workShare: Int { work.share }

    /// For how many connections this tick has a whole share; nil if the one before had work left.
    package var sharesOfTick: Int? {
        work.wasTickSpent ? max(1, limits.workPerTick / work.share) : nil
    }

    /// Whether a connection has spent more than its share of the work, so that its frames wait for
    /// further rounds.
    package func isOverdrawn(_ connection: UInt32) -> Bool {
        isResting(connection) || work.credit(of: delivery.connections[connection].work) <= 0
    }

    /// Until when none of a connection's frames is taken because earlier ones were so costly, in ms of
    /// the monotonic clock; nil if that is over.
    package func restEnd(_ connection: UInt32) -> Int64? {
        isResting(connection) ? delivery.connections[connection].work.restUntil : nil
    }

    @inline(__always)
    func isResting(_ connection: UInt32) -> Bool {
        delivery.connections[connection].work.restUntil > now.monotonic
    }

    /// Counts a connection whose frames have to wait among those that the next round's work is for.
    package mutating func waits(_ connection: UInt32) {
        work.wait(&delivery.connections[connection].work)
    }

    /// Whether it is a publisher's connection whose next frames wait: matches of its earlier pushes are
    /// left, or its app is paused.
    @inline(__always)
    func isNotReadFrom(_ connection: UInt32) -> Bool {
        // Asked for every frame, and hardly ever more than this.
        if fanOuts.isEmpty && paused.isEmpty { return false }
        return isWaitingPublisher(connection)
    }

    @inline(never)
    private func isWaitingPublisher(_ connection: UInt32) -> Bool {
        let record = delivery.connections[connection]
        if record.session.phase != .publisher { return false }
        return producers[record.subject].isFanningOut || paused.has(record.app)
    }

    /// Whether a further step would produce actions now.
    package var hasReadyDevices: Bool {
        agenda.hasReady
    }

    /// Whether a further step is due although nothing more may happen.
    package var needsStep: Bool {
        isBusy || isFanningOut || agenda.hasMoreExpired || paused.hasReleased
            || (hasReadyDevices && output.hasReloadRoom)
    }

    // MARK: - The batch

    /// Matches the pushes that wait in the matcher's batch; if they concern much, the rest follows in
    /// the next steps.
    mutating func matchQueued() {
        if queued.isEmpty || isMatching { return }
        let isFinished = matcher.matchQueued(
            work: limits.workPerStep,
            limit: limits.matchesPerStep
        )
        work.charge(matcher.spentWork)
        if isFinished {
            if matcher.matchCount > 0 { commitMatches(areApplied: true) }
            let batch = delivery.batch
            commitBatch()
            acceptBatch(batch, arrival)
        } else {
            keepPayloads()
            commitMatches(areApplied: false)
        }
    }

    /// Has all pushes lead to what they lead to, however much that is.
    mutating func finishPushes() {
        matchQueued()
        while isFanningOut { goOnFanningOut() }
    }

    /// Makes an input of what the matcher has just found.
    mutating func commitMatches(areApplied: Bool) {
        var list = found.take()!
        var new: ContiguousArray<MatchedPush> = []
        swap(&new, &newlyMatched)
        matcher.moveMatches(to: &list)
        list.withMatches { matches in
            findNewlyMatched(matches, &new)
            commit(
                .matched(
                    producer: batchProducer,
                    areApplied: areApplied,
                    pushes: new.span,
                    matches: matches
                )
            )
        }
        new.removeAll(keepingCapacity: true)
        swap(&new, &newlyMatched)
        found = consume list
    }

    /// Finds the pushes that have matched for the first time.
    private mutating func findNewlyMatched(
        _ matches: Span<WidgetMatch>,
        _ new: inout ContiguousArray<MatchedPush>
    ) {
        var last = UInt32.max
        for index in matches.indices {
            let tag = matches[index].tag
            if tag == last { continue }
            last = tag
            let push = queued[Int(tag)]
            if push.isMatched { continue }
            queued[Int(tag)].isMatched = true
            new.append(
                MatchedPush(
                    tag: tag,
                    isUrgent: push.isUrgent,
                    isVoid: push.isVoid,
                    burst: UInt64(tag) + 1,
                    reloadsSince: reloadSeq &- push.reloadsBefore,
                    voidAt: push.voidAt,
                    payload: push.payload
                )
            )
        }
    }

    /// Keeps what is needed of payloads: the memory that they came in is used again.
    private mutating func keepPayloads() {
        keptPayloads.clear()
        for push in queued {
            if let payload = push.payload { keptPayloads.put(raw: payload) }
        }
        var start = 0
        for index in queued.indices {
            guard let payload = queued[index].payload else { continue }
            queued[index].payload = keptPayloads.bytes.slice(start, start + payload.count)
            start += payload.count
        }
    }

    /// All that the batch concerns has been found: from here on its pushes are the router's to keep.
    mutating func commitBatch() {
        let last = queued[queued.count - 1]
        let count = UInt64(queued.count)
        queued.removeAll(keepingCapacity: true)
        commit(.batchEnded(producer: batchProducer, lastSeq: last.seq, count: count))
    }

    mutating func endBatch(of producer: UInt32, lastSeq: UInt64, count: UInt64) {
        producers.accepted(lastSeq, of: producer)
        lastBurst &+= count
        if isMatching { endSearch() } else { forgetBatch() }
    }

    /// Forgets the batch.
    mutating func forgetBatch() {
        delivery.batch = PushBatch()
        pushes.removeAll(keepingCapacity: true)
        pushFields.removeAll()
    }

    mutating func acceptBatch(_ batch: PushBatch, _ arrival: Int64) {
        if batch.connection == ConnectionRecord.none { return }
        delivery.connections[batch.connection].matched &+= batch.matched
        accepted(batch.connection, batch.lastSeq, arrival: arrival)
    }

    /// Remembers that an ACK up to `seq` is due when the batch has been matched; at once if there is
    /// none.
    mutating func acceptedPush(_ connection: UInt32, _ seq: UInt64) {
        if queued.isEmpty { return accepted(connection, seq, arrival: arrival) }
        delivery.batch.connection = connection
        if seq > delivery.batch.lastSeq { delivery.batch.lastSeq = seq }
    }

    // MARK: - Matches

    /// Applies the matches of a batch, or keeps them for its fan-out.
    mutating func applyMatches(
        _ producer: UInt32,
        areApplied: Bool,
        _ pushes: Span<MatchedPush>,
        _ matches: Span<WidgetMatch>
    ) {
        if !areApplied && !isMatching { openFanOut(of: producer) }
        let app = producers[producer].app
        for index in pushes.indices { add(pushes[index], app) }
        if !areApplied { return fanOuts.append(contentsOf: matches) }
        beginTurns(matches.count)
        apply(matches, of: producer, arrival) { router, match in
            router.take(match.widget, router.pushes[Int(match.tag)])
        }
        endTurns()
    }

    /// Adds what is known of a push to the batch.
    private mutating func add(_ push: MatchedPush, _ app: AppID) {
        while pushes.count <= Int(push.tag) { pushes.append(BatchPush()) }
        pushes[Int(push.tag)] = BatchPush(
            isKnown: true,
            isUrgent: push.isUrgent,
            isVoid: push.isVoid,
            voidAt: push.voidAt,
            fields: push.payload.map { fields(of: $0, app) } ?? PushFields.none,
            burst: lastBurst &+ push.burst,
            reloadsBefore: reloadSeq &- push.reloadsSince
        )
    }

    /// Keeps what the app's kinds show or carry of a payload until its matches are known.
    private mutating func fields(of payload: ByteView, _ app: AppID) -> UInt32 {
        work.charge(payload.count &* WorkCost.scannedByte)
        return pushFields.read(payload, app: app, catalog: fieldCatalog)
    }

    /// Applies matches in three passes, so that the waits for widgets and for their devices overlap.
    ///
    /// - Parameters:
    ///   - matches: of pushes of one producer.
    ///   - producer: who has pushed.
    ///   - arrival: when; see `Router.arrival`.
    ///   - apply: applies one.
    @inline(__always)
    mutating func apply(
        _ matches: Span<WidgetMatch>,
        of producer: UInt32,
        _ arrival: Int64,
        _ apply: (inout Router, WidgetMatch) -> Void
    ) {
        work.charge(matches.count &* WorkCost.decision)
        agenda.arrival = arrival
        let before = delivery.batch.matched
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
            for index in start..<end { apply(&self, matches[index]) }
            start = end
        }
        agenda.arrival = 0
        countMatched(delivery.batch.matched &- before, of: producer)
    }

    private mutating func countMatched(_ count: UInt32, of producer: UInt32) {
        counters.pushesMatched &+= UInt64(count)
        appMetrics[Int(producers[producer].app)].matched &+= UInt64(count)
    }

    private static var passLength: Int { 64 }

    /// What a match leads to.
    mutating func take(_ widget: WidgetID, _ push: BatchPush) {
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
    private mutating func takePlain(_ widget: WidgetID, _ push: BatchPush) {
        let isReady = delivery.widgets[widget].stage == .ready
        countWish(endedBy: isReady ? .coalesced : nil)
        if isReady {
            note(widget, .coalesced, .push)
        } else if !delivery.isAttached(delivery.devices[delivery.widgets[widget].device]) {
            note(widget, .offline, .push)
        }
        delivery.widgets[widget].cause = .push
        delivery.markReady(
            widget,
            .push,
            isUrgent: push.isUrgent,
            voidAt: push.voidAt,
            &agenda
        )
    }

    @inline(__always)
    private mutating func countWish(endedBy reason: DecisionReason?) {
        counters.wishes &+= 1
        if let reason { counters.endings[reason] &+= 1 }
    }
}
