internal import Basics

/// Producers: found or added, and forgotten when they have been idle for long.
///
///     HELLO or POST ─► known? ─► room? ─► [ `session` in the journal ]
///                                  │ no
///                                  └─► forget idle ones [ `forgotten` ] ─► room? ─► refuse
///     once a second ─────────────────► forget idle ones [ `forgotten` ]
///
/// Which ones are forgotten, and when, is in the journal, because it depends on a setting that may
/// differ in the next process.
extension Router {
    /// The largest number of producers of an app: its quota, otherwise the setting for all apps,
    /// otherwise a quarter of the limit for all apps together.
    func producerLimit(of app: AppID) -> Int {
        state.reloads.catalog.quotas(of: app, defaults: limits.appQuotas).producers ?? limits
            .producersPerApp ?? limits.fairProducers
    }

    /// Makes room for a producer that is not known, or refuses it.
    ///
    /// - Throws: `quota-exceeded` if the app has too many producers, otherwise
    ///   `too-many-producers`.
    mutating func admitProducer(of app: AppID, named name: ByteView) throws(ProtocolError) {
        if let known = state.publishers.producers.find(of: app, named: name) {
            forgetIfSpent(known)
            if state.publishers.producers.isKnown(known) { return }
        }
        if hasRoomForProducer(of: app) { return }
        forgetIdleProducers(atMost: RouterLimits.producersPerRefusal)
        if hasRoomForProducer(of: app) { return }
        outbox.observer.counters.producersRefused += 1
        try state.reloads.catalog.check(
            .producers,
            of: app,
            used: state.publishers.producers.count(of: app),
            more: 1,
            limit: producerLimit(of: app),
            into: &outbox
        )
        throw ProtocolError(
            .tooManyProducers,
            message: "\(limits.producers) producers are known, of all apps; no more are accepted"
        )
    }

    /// Forgets a producer that an older version has let use numbers beyond the highest: it could
    /// never push again.
    private mutating func forgetIfSpent(_ producer: ProducerID) {
        if state.publishers.producers[producer].lastSeq < RouterLimits.numberLimit { return }
        if state.publishers.producers[producer].isIdle { forget([producer]) }
    }

    private func hasRoomForProducer(of app: AppID) -> Bool {
        state.publishers.producers.count(of: app) < producerLimit(of: app)
            && state.publishers.producers.count < limits.producers
    }

    // MARK: - Forgetting

    /// Forgets at most `most` producers that have been idle for as long as they may be, the longest
    /// idle first.
    mutating func forgetIdleProducers(atMost most: Int) {
        var idle: ContiguousArray<ProducerID> = []
        let now = state.reloads.clock.running.time(at: state.reloads.clock.now.monotonic)
        var next = state.publishers.producers.longestIdle
        while idle.count < most, let producer = next,
            state.publishers.producers.idleTime(producer, at: now) >= limits.producerIdle
        {
            idle.append(producer)
            next = state.publishers.producers.nextIdle(after: producer)
        }
        if !idle.isEmpty { forget(idle) }
    }

    /// Forgets producers that are idle, and counts them.
    mutating func forget(_ idle: ContiguousArray<ProducerID>) {
        commit(.producersForgotten(idle.span))
        outbox.observer.counters.producersForgotten += UInt64(idle.count)
        outbox.work.charge(idle.count &* WorkCost.registration)
    }
}
