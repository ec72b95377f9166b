/// Who answers a server's requests.
package protocol HTTPHandler: Sendable {
    /// A request has come.
    ///
    /// Is called on the server's thread, which serves nobody else meanwhile. GET and HEAD may be
    /// answered later. Any other method is answered before this returns, or else with 500: its body
    /// is not read, and its connection is closed.
    func respond(to request: HTTPRequest, with responder: HTTPResponder)
}

/// Where the answer to one request goes, at once or later, from any thread.
///
/// The first answer counts. A request whose responder is dropped without one is answered with 500.
package final class HTTPResponder: Sendable {
    private let exchange: HTTPExchange

    init(_ exchange: HTTPExchange) {
        self.exchange = exchange
    }

    deinit { exchange.answer(HTTPExchange.unanswered) }

    package func send(_ response: HTTPResponse) {
        exchange.answer(response)
    }

    /// Answers with events: the connection stays open for them.
    package func beginEvents() -> HTTPEventStream {
        exchange.beginEvents()
        return HTTPEventStream(exchange)
    }
}
