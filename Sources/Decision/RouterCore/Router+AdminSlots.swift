internal import DataStructures
package import ReloadModel
internal import ReloadScheduling

/// Places in an origin's ledger for those who hold no connection, and the ledger's next seconds.
extension Router {
    /// How far ahead a date may lie that nobody holds a place for, in ms.
    package static var slotHorizon: Int64 { 35 * 86_400_000 }

    /// Gives dates their places, as those of timelines of the kind.
    ///
    /// Nobody holds such a place afterwards: it stays counted until its second is over, and does not
    /// move. So it is journaled, and in checkpoints, as places are whose reload has happened.
    ///
    /// - Parameters:
    ///   - app: by name.
    ///   - kind: of the app.
    ///   - dates: in ms since 1970, none further ahead than `slotHorizon`.
    ///   - now: the clocks of this turn.
    /// - Returns: a place for each date, in their order; nil if the origin has no room for so many that
    ///   nobody holds.
    /// - Throws: `app-unknown` or `kind-unknown`.
    package mutating func takeSlots(
        app: String,
        kind: String,
        dates: [Int64],
        now: Instant
    ) throws(ProtocolError) -> [GivenSlot]? {
        tick(now)
        let app = try declaredApp(app)
        let kind = try kind.withByteView { (name) throws(ProtocolError) in
            try state.declaredKind(app, name)
        }
        let origin = state.catalog.kinds[Int(kind)].rules.origin
        if !state.origins[origin].unheld.hasRoom(for: dates.count, now: now.wall) { return nil }
        commit(.slotsTaken(kind: kind, dates: dates.span))
        var slots: [GivenSlot] = []
        swap(&slots, &outbox.givenSlots)
        return slots
    }

    // MARK: - Origins

    /// So many seconds of each origin are told of.
    package static var originSeconds: Int { 120 }

    /// So many origins are told of, in the order in which they were declared.
    package static var originLimit: Int { 1_000 }

    /// Origins of apps that are declared, and their next seconds.
    ///
    /// - Complexity: in proportion to the origins, and to the seconds' groups up to a limit.
    package func originFacts(now: Instant) -> [OriginFacts] {
        var facts: [OriginFacts] = []
        var groupsLeft = SlotLedger.useGroupLimit
        for (key, origin) in state.catalog.originsByName.sorted(by: { $0.value < $1.value })
        where state.catalog.apps[Int(key.app)].isDeclared && facts.count < Self.originLimit {
            let second = state.clock.schedule.now / 1_000
            let use = state.origins[origin].ledger.use(
                from: state.clock.schedule.now,
                seconds: Self.originSeconds,
                &groupsLeft
            )
            facts.append(
                OriginFacts(
                    app: state.catalog.apps[Int(key.app)].declaration.app,
                    origin: String(decoding: key.name, as: UTF8.self),
                    perSecond: state.origins[origin].perSecond,
                    waiting: state.origins[origin].queue.count,
                    held: state.origins[origin].ledger.statistics.pending,
                    secondsFrom: now.wall - (state.clock.schedule.now - second * 1_000),
                    asked: use.asked.map(Int.init),
                    given: use.given.map(Int.init)
                )
            )
        }
        return facts
    }
}
