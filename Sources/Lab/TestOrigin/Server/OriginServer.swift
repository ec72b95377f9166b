package import Basics
package import HTTPServing
internal import Platform

/// A test origin over HTTP: the server that the widgets' timeline providers fetch from.
///
/// `GET /<pool>/<value>` is answered with the resource when the model allows it, or with 503 and
/// `Retry-After`. `GET /counts` returns the counts so far, and those of the last seconds one by
/// one: of 60 seconds, or with `?seconds=600` of 600.
package final class OriginServer: @unchecked Sendable {
    // Unchecked: `answering` is used only by the owner, who makes and stops the server.

    /// The most connections at a time.
    package static var connectionLimit: Int { 4_096 }

    private let origin: SharedOrigin
    private let server: HTTPServer
    private var answering: JoinableThread?

    /// The address, with the port that was picked.
    package var address: ListeningAddress { server.address }

    /// Starts listening and answering; the first second of the counts begins.
    ///
    /// - Throws: `HTTPServerError` if the address cannot be bound.
    package init(
        _ address: ListeningAddress,
        model: OriginModel,
        content: OriginContent,
        connections: Int = connectionLimit
    ) throws(HTTPServerError) {
        let origin = SharedOrigin(model, content: content)
        self.origin = origin
        var limits = HTTPServerLimits()
        limits.connections = connections
        server = try HTTPServer(address, limits: limits, handler: origin)
        answering = JoinableThread { origin.sendDelayedAnswers() }
    }

    deinit { stop() }

    /// The requests so far.
    package var counts: OriginCounts { origin.counts }

    /// Changes resources as a push says; see `OriginContent.apply`. May be called on any thread.
    ///
    /// - Parameter payload: a JSON object.
    /// - Returns: how many resources were changed.
    /// - Throws: `JSONError` if the payload is not a JSON object; then nothing is changed.
    @discardableResult
    package func apply(payload: [UInt8]) throws(JSONError) -> Int {
        try origin.apply(payload)
    }

    /// Closes all connections and ends the threads; requests that wait get no answer.
    ///
    /// Does nothing if the server was stopped before.
    package func stop() {
        guard let answering else { return }
        self.answering = nil
        server.stop()
        origin.stop()
        answering.join()
    }
}
