package import HTTPServing
internal import Platform
package import StrictJSON

/// The server that widgets' providers ask, over HTTP.
///
/// `GET /<pool>/<value>` is answered with the resource when the model says so, or with 503 and
/// `Retry-After`; `GET /counts` with what there has been, `?seconds=600` of it second by second.
package final class OriginServer: @unchecked Sendable {
    // Unchecked: `answering` is used by whoever begins and stops it.

    /// Connections at a time.
    package static var connectionLimit: Int { 4_096 }

    private let origin: Origin
    private let server: HTTPServer
    private var answering: JoinableThread?

    /// What is listened on, with the port that was picked.
    package var address: ListeningAddress { server.address }

    /// Binds, listens and serves; the first second begins.
    ///
    /// - Throws: `HTTPServerError` if the address cannot be bound.
    package init(
        _ address: LoopbackAddress,
        model: OriginModel,
        content: OriginContent,
        connections: Int = connectionLimit
    ) throws(HTTPServerError) {
        let origin = Origin(model, content)
        self.origin = origin
        var limits = HTTPServerLimits()
        limits.connections = connections
        server = try HTTPServer(address, limits: limits, handler: origin)
        answering = JoinableThread { origin.answerLate() }
    }

    deinit { stop() }

    /// What there has been so far.
    package var counts: OriginCounts { origin.counts }

    /// Lets the world be as a push says, from any thread; see `OriginContent.apply`.
    ///
    /// - Parameter payload: a JSON object.
    /// - Returns: how many resources have changed.
    /// - Throws: `JSONError` if the payload is none; nothing has changed then.
    @discardableResult
    package func apply(payload: [UInt8]) throws(JSONError) -> Int {
        try origin.apply(payload)
    }

    /// Closes all connections and ends the threads; requests that wait get no answer.
    ///
    /// Stopping twice is no error.
    package func stop() {
        guard let answering else { return }
        self.answering = nil
        server.stop()
        origin.stop()
        answering.join()
    }
}
