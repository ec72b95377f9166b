internal import Basics
internal import ChangeDetection
internal import ReloadScheduling
internal import WidgetMatching

/// Applying matches: each leads to a reload request for its widget, or to nothing.
extension ReloadState {
    /// Applies the matches of a batch, or keeps them for its fan-out.
    mutating func applyMatches(
        of source: PushSource,
        areApplied: Bool,
        pushes: Span<MatchedPush>,
        matches: Span<WidgetMatch>,
        into out: inout Outbox
    ) {
        if !areApplied && !fanOuts.isSearching { openFanOut(of: source, arrival: out.arrival) }
        let app = publishers.app(of: source)
        for index in pushes.indices {
            batch.add(
                pushes[index],
                of: app,
                catalog: reloads.fields.catalog,
                after: reloads.numbers
            )
        }
        if !areApplied { return fanOuts.append(contentsOf: matches) }
        reloads.schedules.beginGrants(matches.count)
        if out.observer.outcomes.current == nil {
            apply(matches, of: app, arrival: out.arrival, into: &out) { state, out, match in
                let push = state.batch.pushes[Int(match.tag)]
                state.reloads.applyMatch(match.widget, for: push, of: &state.batch, into: &out)
            }
        } else {
            applyReporting(matches, of: app, into: &out)
        }
        reloads.schedules.endGrants()
    }

    /// Applies matches of pushes whose publisher asks what becomes of them.
    @inline(never)
    private mutating func applyReporting(
        _ matches: Span<WidgetMatch>,
        of app: AppID,
        into out: inout Outbox
    ) {
        apply(matches, of: app, arrival: out.arrival, into: &out) { state, out, match in
            let push = state.batch.pushes[Int(match.tag)]
            state.reloads.applyReporting(match, for: push, of: &state.batch, into: &out)
        }
    }

    /// Applies matches of pushes of an app in three passes, so that the waits for the memory
    /// of widgets and of their devices overlap; `apply` applies one match. See `Outbox.arrival` for
    /// the time when the pushes came.
    @inline(__always)
    mutating func apply(
        _ matches: Span<WidgetMatch>,
        of app: AppID,
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
                reloads.delivery.widgets.prefetch(matches[index].widget)
                reloads.schedules.widgets.prefetch(matches[index].widget)
            }
            for index in start..<end {
                let device = reloads.delivery.widgets[matches[index].widget].device
                // A widget that was removed has no device.
                if !device.isNone { reloads.delivery.devices.prefetch(device) }
            }
            for index in start..<end { apply(&self, &out, matches[index]) }
            start = end
        }
        out.agenda.arrival = .none
        out.observer.push = .none
        let count = UInt64(batch.matched &- before)
        out.observer.counters.pushesMatched &+= count
        out.observer.appMetrics[app].matched &+= count
    }

    /// The most matches whose records are prefetched before they are applied.
    private static var passLength: Int { 64 }

    /// Ends a batch: all its matches are known, and its pushes are accepted.
    mutating func endBatch(of source: PushSource, last: UInt64, count: UInt64) {
        reloads.numbers.fanOut &+= count
        let running = reloads.clock.running.total
        switch source {
        case .producer(let producer):
            publishers.accepted(upTo: last, count: count, of: producer, running: running)
        case .home(let source):
            publishers.evaluated[source.home.index].record(batch.numbers, upTo: last)
            batch.numbers.removeAll(keepingCapacity: true)
        }
        if fanOuts.isSearching { return endSearch() }
        if let producer = source.producer {
            publishers.requestKeys.matched(batch.matched, of: producer, now: running)
        }
        batch.forget()
    }
}
