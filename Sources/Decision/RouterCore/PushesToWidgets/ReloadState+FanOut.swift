internal import Basics
internal import ChangeDetection
internal import WidgetMatching

/// Fan-outs: matches that are applied in portions; see `Router.resumeFanOut`.
extension ReloadState {
    /// Begins a fan-out without matches, which are added as they are found. See `Outbox.arrival`
    /// for the time when its pushes came.
    mutating func openFanOut(of source: PushSource, arrival: ExactTime) {
        fanOuts.isSearching = true
        if let producer = source.producer { publishers.producers.fanOutBegan(producer) }
        fanOuts.append(FanOut(source: source, arrival: arrival, seed: reloads.fields.seed))
    }

    /// Ends the search: all matches of the batch have been found.
    mutating func endSearch() {
        guard let fanOut = fanOuts.last else { return }
        fanOuts.isSearching = false
        exchange(with: fanOut)
        fanOut.hasAllMatches = true
    }

    /// Applies the next `count` matches of the first fan-out, which has at least as many left, and
    /// ends it if none are left then.
    mutating func applyPortion(_ count: Int, into out: inout Outbox) {
        guard let fanOut = fanOuts.first else { return }
        assert((0...fanOut.count).contains(count), "the fan-out has fewer matches left")
        if fanOut.hasAllMatches { exchange(with: fanOut) }
        reloads.schedules.beginGrants(count)
        let app = publishers.app(of: fanOut.source)
        var left = count
        while left > 0 {
            let matches = fanOuts.removeFirst(atMost: left)
            left -= matches.count
            apply(matches.span, of: app, arrival: fanOut.arrival, into: &out) {
                state,
                out,
                match in
                state.applyLateMatch(match, into: &out)
            }
        }
        reloads.schedules.endGrants()
        if fanOut.hasAllMatches { exchange(with: fanOut) }
        if fanOut.hasAllMatches && fanOut.count == 0 { end(fanOut, into: &out) }
    }

    /// Exchanges the state's batch with the fan-out's: the fan-out keeps its batch while its
    /// matches are not being applied.
    private mutating func exchange(with fanOut: FanOut) { swap(&batch, &fanOut.batch) }

    /// Removes a fan-out that is delivered, and reports its pushes as accepted.
    private mutating func end(_ fanOut: FanOut, into out: inout Outbox) {
        assert(fanOuts.first === fanOut, "another fan-out is delivered now")
        fanOuts.endFirst()
        if let producer = fanOut.source.producer {
            publishers.fanOutEnded(
                of: producer,
                matched: fanOut.batch.matched,
                clock: &reloads.clock
            )
        }
        out.accepted.append(
            Outbox.AcceptedBatch(
                source: fanOut.source,
                matched: fanOut.batch.matched,
                arrival: fanOut.arrival
            )
        )
    }

    /// Applies a match of a fan-out, whose widget may have been removed or replaced since it was
    /// found.
    private mutating func applyLateMatch(_ match: WidgetMatch, into out: inout Outbox) {
        var push = batch.pushes[Int(match.tag)]
        if fanOuts.isRemoved(match.widget, since: push.fanOut) {
            if !push.isExpired { batch.matched &+= 1 }
            out.observer.outcomes.reportRemoved(match)
            return
        }
        // The push's values belong to the configuration that the widget had before.
        if fanOuts.isReplaced(match.widget, since: push.fanOut) { push.fields = .none }
        push.isLate = true
        if out.observer.outcomes.current == nil {
            reloads.applyMatch(match.widget, for: push, of: &batch, into: &out)
        } else {
            reloads.applyReporting(match, for: push, of: &batch, into: &out)
        }
    }

    /// Drops a batch whose search has not ended; its pushes were not acknowledged.
    mutating func abandonSearch() {
        batch.forget()
        guard fanOuts.isSearching, let fanOut = fanOuts.last else { return }
        fanOuts.isSearching = false
        if let producer = fanOut.source.producer {
            publishers.producers.fanOutEnded(
                producer,
                now: nil,
                counting: &reloads.clock.running
            )
        }
        fanOuts.dropLast()
    }
}
