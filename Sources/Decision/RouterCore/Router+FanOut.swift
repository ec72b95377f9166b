internal import ByteStorage
internal import FrameCodec
internal import PayloadFields
internal import ReloadModel
internal import WidgetMatching

/// What concerns many widgets: all of them are searched for, and then handed out in portions.
///
///     batch ─► search … search ─► [ `batch` in the journal ] ─► hand out … hand out ─► ACK
///              nobody's frames                                  everybody's but the producer's
///
/// The journal has what was found, and how much of it was handed out when: so a router that ends in
/// between goes on with it.
extension Router {
    /// Whether there are pushes whose matches have not all been handed out.
    package var isFanningOut: Bool { !fanOuts.isEmpty }

    /// Takes no frames until nothing is being handed out.
    package mutating func calmDown() {
        isCalmingDown = isFanningOut
    }

    var isFanOutEndDue: Bool {
        isCalmingDown || fanOuts.changeCount >= RouterLimits.fanOutChanges
    }

    // MARK: - Searching

    /// Begins a fan-out, of which no match is known yet.
    mutating func openFanOut(of producer: UInt32) {
        isMatching = true
        producers.fanOutBegan(producer)
        let connection = delivery.batch.connection
        let isOwed = connection != ConnectionRecord.none
        fanOuts.append(
            FanOut(
                producer: producer,
                generation: isOwed ? delivery.connections[connection].generation : 0,
                arrival: arrival,
                seed: seed
            )
        )
    }

    /// Searches for more matches if some are left, else hands some out.
    mutating func goOnFanningOut() {
        if fanOuts.matchCount >= limits.fanOutMatches { isFanOutFull = true }
        if isMatching && !isFanOutFull { return search() }
        guard let fanOut = fanOuts.first else { return }
        commit(.portionApplied(count: min(fanOut.count, limits.matchesPerStep)))
    }

    /// Searches until that has taken enough time, or is done.
    private mutating func search() {
        var spent = 0
        repeat {
            let isFinished = matcher.matchQueued(
                work: limits.workPerStep,
                limit: limits.matchesPerStep
            )
            spent += matcher.spentWork
            charge(matcher.spentWork, to: delivery.batch.connection)
            if matcher.matchCount > 0 { commitMatches(areApplied: false) }
            if isFinished { return commitBatch() }
        } while spent < RouterLimits.searchWorkPerStep && log.byteCount < limits.journalRecord
            && fanOuts.matchCount < limits.fanOutMatches
    }

    /// All matches of the batch have been found.
    mutating func endSearch() {
        guard let fanOut = fanOuts.last else { return }
        isMatching = false
        exchange(with: fanOut)
        fanOut.isWhole = true
    }

    // MARK: - Handing out

    /// Applies the next matches.
    ///
    /// - Parameter count: no more than the first fan-out has.
    mutating func applyPortion(_ count: Int) {
        guard let fanOut = fanOuts.first else { return }
        if fanOut.isWhole { exchange(with: fanOut) }
        beginTurns(count)
        var left = count
        while left > 0 {
            let matches = fanOuts.removeFirst(atMost: left)
            left -= matches.count
            apply(matches.span, of: fanOut.producer, fanOut.arrival) { router, match in
                router.takeLate(match)
            }
        }
        endTurns()
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
        producers.fanOutEnded(fanOut.producer, now: now)
        let batch = fanOut.batch
        if batch.connection == ConnectionRecord.none { return }
        let record = delivery.connections[batch.connection]
        if record.isOpen && record.generation == fanOut.generation {
            acceptBatch(batch, fanOut.arrival)
        }
    }

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

    /// Forgets a batch that has not been found whole: nobody has been told that it was accepted.
    mutating func abandonSearch() {
        forgetBatch()
        guard isMatching, let fanOut = fanOuts.last else { return }
        isMatching = false
        producers.fanOutEnded(fanOut.producer, now: nil)
        fanOuts.dropLast()
        isFanOutFull = false
    }
}
