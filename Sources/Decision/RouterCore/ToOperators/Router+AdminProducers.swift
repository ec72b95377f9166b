package import Basics
internal import FrameCodec

/// Producers, as operators see them.
extension Router {
    /// The largest number of producer numbers that are examined for one page.
    package static var producersPerPage: Int { 8_192 }

    /// The known producers, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - app: the app's name; nil for the producers of all apps.
    ///   - last: the last number of the page before; nil for the first page.
    ///   - limit: the largest number of producers to return.
    ///   - now: the present time.
    /// - Returns: the producers, and the last number that was examined; nil if there are no more.
    ///   Fewer than `limit` may be found although there are more.
    /// - Throws: `app-unknown`.
    /// - Complexity: proportional to the numbers that are examined, at most `producersPerPage`.
    package func producers(
        of app: String?,
        after last: ProducerID?,
        limit: Int,
        now: Instant
    ) throws(ProtocolError) -> (found: [ProducerView], next: ProducerID?) {
        let app = if let app { try knownApp(app) } else { nil as AppID? }
        var found: [ProducerView] = []
        let start = min(last.map { $0.index + 1 } ?? 0, Int(state.publishers.producers.end))
        var numbers = NumberRange<ProducerID>(from: start, to: start + Self.producersPerPage)
            .clamped(to: state.publishers.producers.end)[...]
        while let number = numbers.first {
            if state.publishers.producers.isKnown(number),
                app == nil || state.publishers.producers[number].app == app
            {
                if found.count == limit { break }
                found.append(view(ofProducer: number, now: now))
            }
            numbers.removeFirst()
        }
        let isLast = numbers.startIndex == Int(state.publishers.producers.end)
        return (found, isLast ? nil : ProducerID(index: numbers.startIndex - 1))
    }

    private func view(ofProducer number: ProducerID, now: Instant) -> ProducerView {
        let producer = state.publishers.producers[number]
        let running = state.reloads.clock.running.time(at: now.monotonic)
        return ProducerView(
            app: state.reloads.catalog.apps[producer.app].declaration.app,
            name: state.publishers.producers.name(number).string,
            lastSeq: producer.lastSeq,
            usedAt: producer.usedAt,
            idleFor: producer.isIdle ? running - producer.idleSince : nil,
            hasSession: producer.hasSession
        )
    }

    /// Forgets a producer at an operator's request, however short a time it has been idle.
    ///
    /// - Returns: whether it was forgotten, and if not, why.
    /// - Throws: `app-unknown`.
    package mutating func forgetProducer(
        _ name: String,
        app: String,
        now: Instant
    ) throws(ProtocolError) -> ProducerForgetting {
        tick(now)
        let app = try knownApp(app)
        let found = Array(name.utf8).withByteView {
            state.publishers.producers.find(of: app, named: $0)
        }
        guard let producer = found else { return .unknown }
        if !state.publishers.producers[producer].isIdle { return .inUse }
        forget([producer])
        return .forgotten
    }

    /// The number of an app that is or was declared: producers stay known when their app is not
    /// declared any more.
    func knownApp(_ name: String) throws(ProtocolError) -> AppID {
        if let app = state.reloads.catalog.appsByName[Array(name.utf8)] { return app }
        return try declaredApp(name)
    }
}
