internal import ByteStorage
internal import FrameCodec
internal import PayloadFields
internal import ReloadModel
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
    /// the turn has matched enough, or what there is has to be handed out first.
    package var isBusy: Bool {
        isMatching || turnMatches >= limits.matchesPerTurn || isFanOutEndDue
    }

    /// Whether `received` takes no frame of a connection.
    ///
    /// The driver keeps what comes meanwhile, and offers it again when this is over.
    package func holds(_ connection: UInt32) -> Bool {
        if isBusy { return true }
        if fanOuts.isEmpty { return false }
        let record = delivery.connections[connection]
        return record.session.phase == .publisher && producers[Int(record.subject)].isFanningOut
    }

    /// Whether there are pushes whose matches have not all been handed out.
    package var isFanningOut: Bool { !fanOuts.isEmpty }

    /// Takes no frames until nothing is being handed out.
    package mutating func calmDown() {
        isCalmingDown = isFanningOut
    }

    private var isFanOutEndDue: Bool {
        isCalmingDown || fanOuts.changeCount >= RouterLimits.fanOutChanges
    }

    /// Whether a further step would produce actions now.
    package var hasReadyDevices: Bool {
        !delivery.ready.isEmpty || !delivery.readyUrgent.isEmpty
    }

    /// Whether a further step is due although nothing more may happen.
    package var needsStep: Bool {
        isBusy || isFanningOut || hasReadyDevices || hasExpiredTimers
    }

    // MARK: - The batch

    /// Matches the pushes that wait in the matcher's batch; if they concern much, the rest follows in
    /// the next steps.
    mutating func matchQueued() {
        if pushes.isEmpty || isMatching { return }
        let isFinished = matcher.matchQueued(limit: limits.matchesPerStep)
        turnMatches += matcher.examinedCount
        if !isFinished {
            beginFanOut(batchProducer)
            return keepMatches()
        }
        recordMatches(areTaken: true)
        journal.beginEffects()
        takeMatches(matcher.matchCount) { router, index in
            router.take(router.matcher.match(at: index))
        } widget: { router, index in
            router.matcher.match(at: index).widget
        }
        journal.endEffects()
        recordBatch()
        let batch = delivery.batch
        endBatch()
        acceptBatch(batch)
    }

    /// Has all pushes lead to what they lead to, however much that is.
    mutating func finishPushes() {
        matchQueued()
        while isFanningOut { goOnFanningOut() }
    }

    /// Forgets the batch.
    mutating func endBatch() {
        delivery.batch = PushBatch()
        pushes.removeAll(keepingCapacity: true)
        pushFields.removeAll()
    }

    private mutating func acceptBatch(_ batch: PushBatch) {
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

    // MARK: - Fan-outs

    /// The batch concerns more than has been found.
    mutating func beginFanOut(_ producer: UInt32) {
        isMatching = true
        producers[Int(producer)].isFanningOut = true
        let connection = delivery.batch.connection
        let isOwed = connection != ConnectionRecord.none
        fanOuts.append(
            FanOut(
                producer: producer,
                generation: isOwed ? delivery.connections[connection].generation : 0,
                seed: delivery.hashSeed
            )
        )
    }

    /// Searches for more matches if some are left, else hands some out.
    mutating func goOnFanningOut() {
        if fanOuts.matchCount >= limits.fanOutMatches { isFanOutFull = true }
        if isMatching && !isFanOutFull { return search() }
        guard let fanOut = fanOuts.first else { return }
        let count = min(fanOut.count, limits.matchesPerStep)
        recordFanOut(count)
        journal.beginEffects()
        handOut(count)
        journal.endEffects()
    }

    /// Searches until that has taken enough time, or is done.
    private mutating func search() {
        var examined = 0
        repeat {
            let isFinished = matcher.matchQueued(limit: limits.matchesPerStep)
            examined += matcher.examinedCount
            keepMatches()
            if isFinished {
                recordBatch()
                return endSearch()
            }
        } while examined < limits.matchesPerTurn && journal.byteCount < limits.journalRecord
            && fanOuts.matchCount < limits.fanOutMatches
    }

    private mutating func keepMatches() {
        recordMatches(areTaken: false)
        fanOuts.append(contentsOf: matcher)
    }

    /// All matches of the batch have been found.
    mutating func endSearch() {
        guard let fanOut = fanOuts.last else { return }
        isMatching = false
        exchange(with: fanOut)
        fanOut.isWhole = true
    }

    /// Lets the next matches lead to what they lead to.
    ///
    /// - Parameter count: no more than the first fan-out has.
    mutating func handOut(_ count: Int) {
        guard let fanOut = fanOuts.first else { return }
        let matches = fanOuts.removeFirst(count)
        let first = matches.startIndex
        if fanOut.isWhole { exchange(with: fanOut) }
        takeMatches(count) { router, index in
            router.takeLate(matches[first + index])
        } widget: { _, index in
            matches[first + index].widget
        }
        if fanOut.isWhole { exchange(with: fanOut) }
        if fanOuts.matchCount == 0 { isFanOutFull = false }
        if fanOut.isWhole && fanOut.count == 0 { end(fanOut) }
    }

    /// What is known of the pushes of a batch is the fan-out's while these are not matched.
    private mutating func exchange(with fanOut: FanOut) {
        swap(&pushes, &fanOut.pushes)
        swap(&pushFields, &fanOut.fields)
        swap(&delivery.batch, &fanOut.batch)
    }

    private mutating func end(_ fanOut: FanOut) {
        fanOuts.endFirst()
        if fanOuts.isEmpty { isCalmingDown = false }
        producers[Int(fanOut.producer)].isFanningOut = false
        let batch = fanOut.batch
        if batch.connection == ConnectionRecord.none { return }
        let record = delivery.connections[batch.connection]
        if record.isOpen && record.generation == fanOut.generation { acceptBatch(batch) }
    }

    /// Forgets a batch that has not been found whole: nobody has been told that it was accepted.
    mutating func abandonSearch() {
        endBatch()
        guard isMatching, let fanOut = fanOuts.last else { return }
        isMatching = false
        producers[Int(fanOut.producer)].isFanningOut = false
        fanOuts.dropLast()
        isFanOutFull = false
    }

    // MARK: - Matches

    /// Takes matches in three passes, so that the waits for widgets and for their devices overlap.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - take: takes one.
    ///   - widget: its widget.
    @inline(__always)
    private mutating func takeMatches(
        _ count: Int,
        take: (inout Router, Int) -> Void,
        widget: (borrowing Router, Int) -> WidgetID
    ) {
        beginTurns(count)
        var start = 0
        while start < count {
            let end = min(start + Self.passLength, count)
            for index in start..<end {
                let widget = widget(self, index)
                delivery.widgets.prefetch(widget)
                delivery.schedules.prefetch(widget)
            }
            for index in start..<end {
                let device = delivery.widgets[widget(self, index)].device
                // A widget that is gone has none.
                if device != DeviceRecord.none { delivery.devices.prefetch(device) }
            }
            for index in start..<end { take(&self, index) }
            start = end
        }
        // Whoever asks now asks for more than the pass was made for.
        beginTurns(.max)
    }

    private static var passLength: Int { 64 }

    /// What a match leads to that was found a while ago.
    private mutating func takeLate(_ match: WidgetMatch) {
        var push = pushes[Int(match.tag)]
        if fanOuts.isRemoved(match.widget, since: push.burst) {
            if !push.isVoid { delivery.batch.matched &+= 1 }
            return
        }
        // What the push says is of what the widget showed before.
        if fanOuts.isReplaced(match.widget, since: push.burst) { push.fields = PushFields.none }
        take(match.widget, push)
    }

    @inline(__always)
    mutating func take(_ match: WidgetMatch) {
        take(match.widget, pushes[Int(match.tag)])
    }

    /// What a match leads to.
    private mutating func take(_ widget: WidgetID, _ push: QueuedPush) {
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
}
