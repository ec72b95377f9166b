package import Basics
internal import FrameCodec

/// What is known of a request over HTTP by its key.
package struct RequestProgress: Equatable, Sendable {
    /// Its key, as it was when the request came first.
    package var key: RequestKey
    /// The lines up to the last one that was accepted or, if it is answered, all its lines.
    package var lines: Int
    /// The accepted pushes.
    package var accepted: Int
    /// The widgets that they matched.
    package var matched: UInt64
    /// Whether all its lines are accepted or refused.
    package var isAnswered: Bool
    /// The refused lines that are remembered, from 1.
    package var rejected: [(line: Int, code: ErrorCode)]

    /// Whether both are known to be the same.
    package static func == (left: RequestProgress, right: RequestProgress) -> Bool {
        left.key == right.key && left.lines == right.lines && left.accepted == right.accepted
            && left.matched == right.matched && left.isAnswered == right.isAnswered
            && left.rejected.elementsEqual(right.rejected) { $0 == $1 }
    }
}

/// Requests over HTTP with keys.
///
///     request ─► known? ─► answered ─► the answer again
///                  │ no, or in part
///                  └─► beginRequest [ `request` ] ─► its pushes [ `batch` … ] ─► [ `answered` ]
///
/// A repeated request whose first part is applied continues after that part.
extension Router {
    /// What is known of a request; nil if its key is not kept.
    package func progress(of key: RequestKey) -> RequestProgress? {
        guard let number = state.publishers.requestKeys.find(key) else { return nil }
        let entry = state.publishers.requestKeys.slots[number]
        let rejected = state.publishers.requestKeys.rejections[number] ?? []
        return RequestProgress(
            key: entry.key,
            lines: entry.lines,
            accepted: entry.accepted,
            matched: UInt64(entry.matched),
            isAnswered: entry.isAnswered,
            rejected: rejected.map { (Int($0.line), $0.code) }
        )
    }

    /// Whether pushes of a request from before a restart are still applied.
    package func isFinishing(_ key: RequestKey) -> Bool {
        // There are few fan-outs, however many requests are under way.
        state.fanOuts.fanOuts.contains { fanOut in
            guard let producer = fanOut.source.producer,
                let request = state.publishers.requestKeys.open[producer]
            else { return false }
            return request.hasEnded && request.key.hasName(of: key)
        }
    }

    /// Begins a request with a key on a publisher's connection, or continues one whose first part
    /// was applied.
    ///
    /// - Parameters:
    ///   - connection: a connection that `openPublisher` has opened, and that is not paused; the
    ///     pushes of earlier requests on it must have been acknowledged.
    ///   - key: the key of a request that is not answered, and whose content is this one's.
    ///   - firstSeq: the number that the push of its first line has, or would have.
    ///   - now: the present time.
    /// - Returns: what is known of the request: the lines that are not to be sent again.
    package mutating func beginRequest(
        _ connection: ConnectionSlot,
        key: RequestKey,
        firstSeq: UInt64,
        now: Instant
    ) -> RequestProgress? {
        tick(now)
        assert(
            state.reloads.delivery.sessions[connection].role == .publisher,
            "no publisher has the request"
        )
        let producer = state.reloads.delivery.sessions[connection].producer
        let app = state.reloads.delivery.sessions[connection].app
        if state.publishers.requestKeys.open[producer] != nil {
            commit(.requestEnded(producer: producer, lines: 0))
        }
        let known = progress(of: key)
        if known == nil {
            let excess = state.publishers.requestKeys.count(of: app) + 1 - requestKeyLimit
            if excess > 0 {
                let count = min(excess, RouterLimits.requestKeysPerRequest)
                commit(.requestKeysForgotten(app: app, count: count))
                outbox.observer.counters.requestKeysDisplaced += UInt64(count)
            }
        }
        commit(.requestBegan(producer: producer, key: key, firstSeq: firstSeq))
        return known
    }

    /// Ends the request that `beginRequest` began on a connection. Each of its lines is accepted or
    /// refused; 0 if some are neither. The router may know of more, from a repaired store.
    package mutating func endRequest(_ connection: ConnectionSlot, lines: Int, now: Instant) {
        tick(now)
        guard let producer = openRequest(connection) else { return }
        let known = state.publishers.requestKeys.open[producer]!.lines
        commit(.requestEnded(producer: producer, lines: lines == 0 ? 0 : max(lines, known)))
    }

    /// Remembers that the driver has refused a line: its frame would not be decoded, or it is none.
    ///
    /// The journal has one code for both. The driver, which gets the same request again, finds out
    /// which of them it was.
    package mutating func refuseLine(_ connection: ConnectionSlot, seq: UInt64, now: Instant) {
        tick(now)
        guard let producer = openRequest(connection) else { return }
        commit(.pushRejected(producer: producer, seq: seq, code: .frameLength))
    }

    /// The producer of a connection's request that is under way; nil if there is none, or if the
    /// session has ended.
    private func openRequest(_ connection: ConnectionSlot) -> ProducerID? {
        let session = state.reloads.delivery.sessions[connection]
        if session.role != .publisher { return nil }
        return state.publishers.requestKeys.open[session.producer] == nil ? nil : session.producer
    }

    /// Counts a request that got the first answer again.
    package mutating func countRepeatedRequest() { outbox.observer.counters.requestsRepeated += 1 }

    // MARK: - Forgetting

    /// The most keys of an app: the setting for each app, otherwise an equal share for each of the
    /// apps that the app file declares.
    private var requestKeyLimit: Int {
        if let limit = limits.requestKeysPerApp { return limit }
        return max(1, limits.requestKeys / max(1, state.reloads.catalog.declaredAppCount))
    }

    /// Forgets the keys of requests that have been kept for long enough, at most `most` of them.
    mutating func forgetOldRequestKeys(atMost most: Int) {
        if state.publishers.requestKeys.count == 0 { return }
        let now = RequestKeyTable.KeepTime(state.reloads.clock.running.total)
        var left = most
        for app in state.publishers.requestKeys.queues.ids where left > 0 {
            let count = state.publishers.requestKeys.countOld(of: app, at: now, atMost: left)
            if count == 0 { continue }
            commit(.requestKeysForgotten(app: app, count: count))
            outbox.observer.counters.requestKeysForgotten += UInt64(count)
            left -= count
        }
    }
}
