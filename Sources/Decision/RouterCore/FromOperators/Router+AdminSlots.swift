package import Basics
internal import ReloadScheduling

/// Slots for dates of apps that hold no connection, and views of the origins' next seconds.
extension Router {
    /// How far ahead a date may be for which `takeSlots` takes a slot.
    package static var slotHorizon: Milliseconds { .days(35) }

    /// Takes slots for dates, as for dates of timelines of the kind.
    ///
    /// No widget holds these slots, so they count until their seconds are over, and do not move.
    /// They are kept in the journal and in checkpoints, as the slots of reloads that have happened
    /// are.
    ///
    /// - Parameters:
    ///   - app: the app's name.
    ///   - kind: the name of one of its kinds.
    ///   - dates: the dates, none further ahead than `slotHorizon`.
    ///   - now: the present time.
    /// - Returns: a slot for each date, in their order; nil if the origin has reached its limit of
    ///   slots that no widget holds.
    /// - Throws: `app-unknown` or `kind-unknown`.
    package mutating func takeSlots(
        app: String,
        kind: String,
        dates: [WallTime],
        now: Instant
    ) throws(ProtocolError) -> [AssignedSlot]? {
        tick(now)
        let app = try declaredApp(app)
        let kind = try kind.withByteView { (name) throws(ProtocolError) in
            try state.reloads.catalog.declaredKind(of: app, named: name)
        }
        let origin = state.reloads.catalog.kinds[kind].rules.origin
        if !state.reloads.schedules.origins[origin].unownedSlots.hasRoom(
            for: dates.count,
            now: now.wall
        ) {
            return nil
        }
        commit(.slotsTaken(kind: kind, dates: dates.span))
        var slots: [AssignedSlot] = []
        swap(&slots, &outbox.assignedSlots)
        return slots
    }

    // MARK: - Origins

    /// The number of seconds in the view of an origin.
    package static var originSeconds: Int { 120 }

    /// The largest number of origins that are examined for one page; a view of one takes 2 µs.
    package static var originsPerPage: Int { 250 }

    /// The origins of declared apps with their next seconds, in the order in which they were
    /// declared.
    ///
    /// - Parameters:
    ///   - last: the last number of the page before; nil for the first page.
    ///   - limit: the largest number of origins to return.
    ///   - now: the present time.
    /// - Returns: the origins, and the last number that was examined; nil if there are no more.
    ///   Fewer than `limit` may be found although there are more.
    /// - Complexity: proportional to the origins that are examined, at most `originsPerPage`, and
    ///   to the groups of those seconds up to a limit.
    package func originViews(
        after last: OriginID?,
        limit: Int,
        now: Instant
    ) -> (found: [OriginView], next: OriginID?) {
        var found: [OriginView] = []
        var groupsLeft = SlotLedger.useGroupLimit
        let start = min(last.map { $0.index + 1 } ?? 0, state.reloads.schedules.origins.count)
        let end = min(start + Self.originsPerPage, state.reloads.schedules.origins.count)
        var number = start
        while number < end && found.count < limit {
            let origin = OriginID(index: number)
            if state.reloads.catalog.apps[state.reloads.catalog.originKeys[origin].app].isDeclared {
                found.append(view(of: origin, now: now, groupsLeft: &groupsLeft))
            }
            number += 1
        }
        return (
            found,
            number == state.reloads.schedules.origins.count ? nil : OriginID(index: number - 1)
        )
    }

    private func view(of origin: OriginID, now: Instant, groupsLeft: inout Int) -> OriginView {
        let key = state.reloads.catalog.originKeys[origin]
        let use = state.reloads.schedules.origins[origin].ledger.use(
            from: state.reloads.clock.schedule.now,
            seconds: Self.originSeconds,
            groupsLeft: &groupsLeft
        )
        return OriginView(
            app: state.reloads.catalog.apps[key.app].declaration.app,
            origin: String(decoding: key.name, as: UTF8.self),
            perSecond: state.reloads.schedules.origins[origin].perSecond,
            waiting: state.reloads.schedules.origins[origin].queue.count,
            slotCount: state.reloads.schedules.origins[origin].ledger.counters.pending,
            secondsFrom: now.wall - state.reloads.clock.schedule.now.offsetInSecond,
            requested: use.requested.map(Int.init),
            assigned: use.assigned.map(Int.init)
        )
    }
}
