/// Who answers a server's requests.
package protocol HTTPHandler: Sendable {
    /// How much of a request's body is kept for `respond`, in bytes; nil if none of it is read.
    ///
    /// Is called on the server's thread when the head of a request has come. What is longer is
    /// passed over, and `respond` is told that it was too large.
    func bodyLimit(of head: HTTPRequest) -> Int?

    /// Whether a request shows that its connection is to be kept before those of others.
    ///
    /// Is called on the server's thread when the head of a request has come. Connections that are
    /// trusted never make room for others that are not; see `OpenConnections`.
    func trusts(_ head: HTTPRequest) -> Bool

    /// Reports how many connections were closed to make room; called on the server's thread.
    func displaced(_ count: Int)

    /// A request has come.
    ///
    /// Is called on the server's thread, which serves nobody else meanwhile. It may be answered
    /// later, with these exceptions, which are answered before this returns, or else with 500, and
    /// whose connections are closed then: a request with another method than GET and HEAD whose body
    /// is not read; and one whose body is too large, if it was announced to be longer than
    /// `HTTPServerLimits.passedOverBytes`, or waits for leave to come.
    func respond(to request: HTTPRequest, with responder: HTTPResponder)
}

extension HTTPHandler {
    /// Of a handler to which all are the same.
    package func trusts(_ head: HTTPRequest) -> Bool { false }
    package func displaced(_ count: Int) {}

    /// Of a handler that reads no bodies.
    package func bodyLimit(of head: HTTPRequest) -> Int? { nil }
}

/// Where the answer to one request goes, at once or later, from any thread.
///
/// The first answer counts. A request whose responder is dropped without one is answered with 500.
package final class HTTPResponder: Sendable {
    private let exchange: HTTPExchange

    init(_ exchange: HTTPExchange) {
        self.exchange = exchange
    }

    deinit { _ = exchange.answer { HTTPExchange.unanswered } }

    package func send(_ response: HTTPResponse) {
        send { response }
    }

    /// Answers with what is made on the server's thread, so that whoever answers need not wait for it.
    ///
    /// - Parameter make: is called once, also if the client has gone meanwhile.
    /// - Returns: false if the request is over, or has an answer: `make` is not called then.
    @discardableResult
    package func send(making make: @escaping @Sendable () -> HTTPResponse) -> Bool {
        exchange.answer(make)
    }

    /// Answers with events: the connection stays open for them.
    package func beginEvents() -> HTTPEventStream {
        exchange.beginEvents()
        return HTTPEventStream(exchange)
    }
}
