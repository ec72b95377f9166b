internal import ByteStorage
internal import FrameCodec
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
            try declaredKind(app, name)
        }
        let origin = kinds[Int(kind)].rules.origin
        if !origins[origin].unheld.hasRoom(for: dates.count, now: now.wall) { return nil }
        commit(.slotsTaken(kind: kind, dates: dates.span))
        var slots: [GivenSlot] = []
        swap(&slots, &givenSlots)
        return slots
    }

    mutating func takeSlot(_ kind: KindID, _ wanted: Int64) -> GivenSlot {
        let rules = kinds[Int(kind)].rules
        let date = max(min(wanted, Self.lastDate), now.wall)
        let earliest = scheduleClock.schedule(wall: date)
        var delay: Int64 = 0
        if earliest < SlotLedger.latest, let slot = takeSlot(rules, earliest, date) {
            origins[rules.origin].ledger.finish(slot.position, now: scheduleClock.now)
            origins[rules.origin].unheld.add(date)
            delay = max(0, slot.at - earliest)
        }
        return GivenSlot(reloadAt: date + delay, slotDelay: date + delay - wanted)
    }

    /// Nil if the kind's dates are not spread.
    private mutating func takeSlot(_ rules: KindRules, _ earliest: Int64, _ date: Int64) -> Slot? {
        switch rules.mode {
        case .none: return nil
        case .uniform:
            // Another time for each, and the same one when the journal is read.
            let taken = UInt64(origins[rules.origin].ledger.statistics.taken)
            let salt = UInt64(bitPattern: date) ^ 0x9e37_79b9_7f4a_7c15
            return origins[rules.origin].ledger.takeUniform(
                0,
                earliest: earliest,
                window: rules.window,
                hash: foldedProduct(salt &+ taken, 0xe703_7ed1_a0b4_28db)
            )
        case .ledger:
            let before = origins[rules.origin].ledger.statistics.windowsGrown
            let slot = origins[rules.origin].ledger.take(
                0,
                earliest: earliest,
                window: rules.window,
                isFixed: true,
                now: scheduleClock.now
            )
            let grown = origins[rules.origin].ledger.statistics.windowsGrown - before
            counters.windowsGrown &+= UInt64(grown)
            return slot
        }
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
        for (key, origin) in originsByName.sorted(by: { $0.value < $1.value })
        where apps[Int(key.app)].isDeclared && facts.count < Self.originLimit {
            let second = scheduleClock.now / 1_000
            let use = origins[origin].ledger.use(
                from: scheduleClock.now,
                seconds: Self.originSeconds,
                &groupsLeft
            )
            facts.append(
                OriginFacts(
                    app: apps[Int(key.app)].declaration.app,
                    origin: String(decoding: key.name, as: UTF8.self),
                    perSecond: origins[origin].perSecond,
                    waiting: origins[origin].queue.count,
                    held: origins[origin].ledger.statistics.pending,
                    secondsFrom: now.wall - (scheduleClock.now - second * 1_000),
                    asked: use.asked.map(Int.init),
                    given: use.given.map(Int.init)
                )
            )
        }
        return facts
    }
}
