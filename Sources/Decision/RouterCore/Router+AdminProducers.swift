internal import DataStructures
internal import FrameCodec
package import ReloadModel

/// What operators ask about producers.
extension Router {
    /// So many numbers of producers are looked at for one page.
    package static var producersLookedAt: UInt32 { 8_192 }

    /// Producers that are known, by number.
    ///
    /// - Parameters:
    ///   - app: whose; nil for those of all apps.
    ///   - first: the number to begin with.
    ///   - limit: the most to tell of.
    ///   - now: the clocks of this turn.
    /// - Returns: them, and where the next ones begin, if there may be more; fewer than `limit` may be
    ///   found and more there.
    /// - Throws: `app-unknown`.
    /// - Complexity: in proportion to the numbers that are looked at: `producersLookedAt` at most.
    package func producers(
        of app: String?,
        from first: UInt32,
        limit: Int,
        now: Instant
    ) throws(ProtocolError) -> (found: [ProducerFacts], next: UInt32?) {
        let app = if let app { try knownApp(app) } else { nil as AppID? }
        var found: [ProducerFacts] = []
        var number = min(first, state.producers.end)
        let end = min(state.producers.end, number + Self.producersLookedAt)
        while number < end {
            if state.producers.isKnown(number), app == nil || state.producers[number].app == app {
                if found.count == limit { break }
                found.append(facts(ofProducer: number, now: now))
            }
            number += 1
        }
        return (found, number < state.producers.end ? number : nil)
    }

    private func facts(ofProducer number: UInt32, now: Instant) -> ProducerFacts {
        let producer = state.producers[number]
        return ProducerFacts(
            app: state.catalog.apps[Int(producer.app)].declaration.app,
            name: state.producers.name(number).string,
            lastSeq: producer.lastSeq,
            usedAt: producer.usedAt,
            idleFor: producer.isIdle ? state.producers.idleTime(number, now: now) : nil,
            hasSession: producer.hasSession
        )
    }

    /// Forgets a producer, however short a time it has been idle.
    ///
    /// - Throws: `app-unknown`.
    package mutating func forgetProducer(
        _ name: String,
        app: String,
        now: Instant
    ) throws(ProtocolError) -> ProducerForgetting {
        tick(now)
        let app = try knownApp(app)
        let found = Array(name.utf8).withByteView { state.producers.find(app, $0) }
        guard let producer = found else { return .unknown }
        if !state.producers[producer].isIdle { return .inUse }
        forget([producer])
        return .forgotten
    }

    /// An app that is declared, or was: of those, too, producers are known.
    private func knownApp(_ name: String) throws(ProtocolError) -> AppID {
        if let app = state.catalog.appsByName[Array(name.utf8)] { return app }
        return try declaredApp(name)
    }
}
