internal import ChangeDetection
internal import DataStructures
internal import WidgetMatching

/// Matches that are applied in portions; see `Router.goOnFanningOut`.
extension ReloadState {
    /// Begins a fan-out, of which no match is known yet.
    ///
    /// - Parameters:
    ///   - producer: who has pushed.
    ///   - arrival: when; see `Outbox.arrival`.
    mutating func openFanOut(of producer: UInt32, arrival: Int64) {
        fanOuts.isSearching = true
        producers.fanOutBegan(producer)
        fanOuts.append(FanOut(producer: producer, arrival: arrival, seed: fields.seed))
    }

    /// All matches of the batch have been found.
    mutating func endSearch() {
        guard let fanOut = fanOuts.last else { return }
        fanOuts.isSearching = false
        exchange(with: fanOut)
        fanOut.isWhole = true
    }

    /// Applies the next matches.
    ///
    /// - Parameters:
    ///   - count: no more than the first fan-out has.
    ///   - out: collects frames, timers and counts that result.
    mutating func applyPortion(_ count: Int, _ out: inout Outbox) {
        guard let fanOut = fanOuts.first else { return }
        if fanOut.isWhole { exchange(with: fanOut) }
        beginTurns(count)
        var left = count
        while left > 0 {
            let matches = fanOuts.removeFirst(atMost: left)
            left -= matches.count
            apply(matches.span, of: fanOut.producer, fanOut.arrival, &out) { state, out, match in
                state.takeLate(match, &out)
            }
        }
        endTurns()
        if fanOut.isWhole { exchange(with: fanOut) }
        if fanOut.isWhole && fanOut.count == 0 { end(fanOut, &out) }
    }

    /// Exchanges the state's batch with the fan-out's: the fan-out keeps its batch while its matches are not
    /// being applied.
    private mutating func exchange(with fanOut: FanOut) {
        swap(&batch, &fanOut.batch)
    }

    private mutating func end(_ fanOut: FanOut, _ out: inout Outbox) {
        fanOuts.endFirst()
        producers.fanOutEnded(fanOut.producer, now: clock.now)
        out.accepted.append(
            Outbox.AcceptedBatch(
                producer: fanOut.producer,
                matched: fanOut.batch.matched,
                arrival: fanOut.arrival
            )
        )
    }

    /// Applies a match of a fan-out, whose widget may have been removed or replaced since it was found.
    private mutating func takeLate(_ match: WidgetMatch, _ out: inout Outbox) {
        var push = batch.pushes[Int(match.tag)]
        if fanOuts.isRemoved(match.widget, since: push.burst) {
            if !push.isVoid { batch.matched &+= 1 }
            return
        }
        // The push's values belong to the configuration that the widget had before.
        if fanOuts.isReplaced(match.widget, since: push.burst) { push.fields = PushFields.none }
        take(match.widget, push, &out)
    }

    /// Drops a batch whose search has not ended: it was not acknowledged.
    mutating func abandonSearch() {
        forgetBatch()
        guard fanOuts.isSearching, let fanOut = fanOuts.last else { return }
        fanOuts.isSearching = false
        producers.fanOutEnded(fanOut.producer, now: nil)
        fanOuts.dropLast()
    }
}
