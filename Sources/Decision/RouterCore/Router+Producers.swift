internal import DataStructures
internal import ReloadModel

/// Producers: found or added, and forgotten when they have been idle for long.
///
///     HELLO, POST /v1/pushes ─► known? ─► room? ─► [ `session` in the journal ]
///                                           │ no
///                                           └─► forget what is idle [ `forgotten` ] ─► room? ─► refuse
///     once a second ─────────────────────────► forget what is idle [ `forgotten` ]
///
/// Which ones are forgotten, and when, is in the journal: it depends on a setting, which the next process
/// may have otherwise.
extension Router {
    /// The most producers that an app may have: what its `quotas` say, else the setting for all.
    func producerLimit(of app: AppID) -> Int {
        state.quotas(of: app).producers ?? limits.producersPerApp ?? limits.fairProducers
    }

    /// Makes room for a producer that is not known, or refuses it.
    ///
    /// - Throws: `quota-exceeded` if it is the app that has too many, else `too-many-producers`.
    mutating func admitProducer(_ app: AppID, _ name: ByteView) throws(ProtocolError) {
        if state.producers.find(app, name) != nil || hasRoomForProducer(of: app) { return }
        forgetIdleProducers(atMost: RouterLimits.producersPerRefusal)
        if hasRoomForProducer(of: app) { return }
        outbox.observer.counters.producersRefused += 1
        try state.check(
            .producers,
            app,
            state.producers.count(of: app),
            more: 1,
            producerLimit(of: app),
            &outbox
        )
        throw ProtocolError(
            .tooManyProducers,
            "\(limits.producers) producers are known, of all apps; no more are taken"
        )
    }

    private func hasRoomForProducer(of app: AppID) -> Bool {
        state.producers.count(of: app) < producerLimit(of: app)
            && state.producers.count < limits.producers
    }

    // MARK: - Forgetting

    /// Forgets producers that have been idle for as long as they may be, the longest idle first.
    ///
    /// - Parameter most: the most to forget.
    mutating func forgetIdleProducers(atMost most: Int) {
        var idle: ContiguousArray<UInt32> = []
        var next = state.producers.longestIdle
        while idle.count < most, let producer = next,
            state.producers.idleTime(producer, now: state.clock.now) >= limits.producerIdle
        {
            idle.append(producer)
            next = state.producers.nextIdle(after: producer)
        }
        if !idle.isEmpty { forget(idle) }
    }

    mutating func forget(_ idle: ContiguousArray<UInt32>) {
        commit(.producersForgotten(idle.span))
        outbox.observer.counters.producersForgotten += UInt64(idle.count)
        outbox.work.charge(idle.count &* WorkCost.registration)
    }
}
