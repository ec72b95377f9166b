package import HTTPMessages

/// Answers the requests of an `HTTPServer`. All methods are called on the server's thread.
package protocol HTTPHandler: Sendable {
    /// The most bytes of a request's body that are kept for `respond`; nil if the body is not read.
    ///
    /// Called when the head of a request has arrived. A longer body is read and discarded, and
    /// `respond` gets `HTTPBody.tooLarge`.
    func bodyLimit(of head: HTTPRequest) -> Int?

    /// True if the request proves that its connection deserves to be kept in preference to others.
    ///
    /// Called when the head of a request has arrived. A trusted connection is never closed to give
    /// its slot to an untrusted one; see `OpenConnections`.
    func trusts(_ head: HTTPRequest) -> Bool

    /// Reports how many connections were closed to make room since the last report.
    func displaced(_ count: Int)

    /// Answers what is not read as a request; the connection ends after the answer.
    func response(to failure: RequestFailure) -> HTTPResponse

    /// Answers a request that has arrived, now or later.
    ///
    /// The server serves no other request until this returns. Two kinds of requests are answered
    /// with 500 unless they are answered before it returns, and their connections are closed after
    /// the answer if there is a body. The first is a request with a method other than GET and HEAD
    /// whose body is not read. The second is one whose body is too large, if it was announced to be
    /// longer than `HTTPServerLimits.discardedBytes`, or if the client waits for permission to send
    /// it (`Expect`).
    func respond(to request: HTTPRequest, with responder: HTTPResponder)
}

extension HTTPHandler {
    /// For a handler that trusts no connection.
    package func trusts(_ head: HTTPRequest) -> Bool { false }
    /// For a handler that does not count displaced connections.
    package func displaced(_ count: Int) {}

    /// For a handler whose problems have no codes.
    package func response(to failure: RequestFailure) -> HTTPResponse {
        .problem(failure.status, detail: failure.detail)
    }

    /// For a handler that reads no bodies.
    package func bodyLimit(of head: HTTPRequest) -> Int? { nil }
}

/// Sends the answer to one request, at once or later, from any thread.
///
/// Only the first answer counts. A request whose responder is released without an answer is
/// answered with 500.
package final class HTTPResponder: Sendable {
    private let exchange: HTTPExchange

    init(_ exchange: HTTPExchange) { self.exchange = exchange }

    deinit { _ = exchange.answer { HTTPExchange.unanswered } }

    /// Answers with a response.
    package func send(_ response: HTTPResponse) {
        send { response }
    }

    /// Answers with a response that is made later, on the server's thread, so that the caller need
    /// not wait.
    ///
    /// - Parameter make: called exactly once, even if the client has gone meanwhile.
    /// - Returns: false if the request is over or has an answer already; `make` is not called then.
    @discardableResult
    package func send(making make: @escaping @Sendable () -> HTTPResponse) -> Bool {
        exchange.answer(make)
    }

    /// Answers with a stream of events, for which the connection stays open.
    package func beginEvents() -> HTTPEventStream {
        exchange.beginEvents()
        return HTTPEventStream(exchange)
    }
}
