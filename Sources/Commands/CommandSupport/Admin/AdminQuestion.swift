package import Cryptography
package import HTTPFetching
package import HTTPMessages
package import LibuvLoop

/// A request to an admin server.
package struct AdminQuestion: Equatable, Sendable {
    /// Path and query; it begins with a slash and contains no white space.
    package var path: String
    /// The method.
    package let method: String
    /// The body; nil for none.
    package var body: [UInt8]?
    /// Further header lines such as `Content-Type: application/json`, without line ends.
    package var headers: [String]

    /// Makes a request: if no method is given, a GET, or a POST if there is a body.
    package init(
        _ path: String,
        method: String? = nil,
        body: [UInt8]? = nil,
        headers: [String] = []
    ) {
        self.path = path
        self.method = method ?? (body == nil ? "GET" : "POST")
        self.body = body
        self.headers = headers
    }

    /// The bytes of the HTTP request.
    ///
    /// The connection is closed after one request, so that no idle connection stays open at the
    /// router.
    func request(to host: String) -> [UInt8] {
        assert(path.utf8.first == UInt8(ascii: "/"), "the path does not begin with a slash")
        assert(path.utf8.allSatisfy { $0 > 0x20 }, "the path must be escaped")
        assert(!headers.contains { $0.contains(where: \.isNewline) }, "a header has several lines")
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)"]
        lines += ["Connection: close"] + headers
        if let body { lines.append("Content-Length: \(body.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
    }
}

/// Sends requests to a router's admin server, one at a time, each on a connection of its own.
package typealias AdminClient = HTTPConversation
/// Why a request got no answer.
package typealias AdminClientError = HTTPFetchError

extension HTTPConversation {
    /// Sends a question; see the other `ask`.
    package func ask(
        _ question: AdminQuestion,
        completion: @escaping (Result<HTTPAnswer, AdminClientError>) -> Void
    ) {
        ask(question.request(to: server.description), completion: completion)
    }

    /// Sends one request on a loop of its own, and blocks until its outcome is known.
    package static func outcome(
        of question: AdminQuestion,
        at server: Endpoint,
        security: TLSClientContext?,
        limits: Limits
    ) throws -> Result<HTTPAnswer, AdminClientError> {
        let loop = try Loop()
        let client = try AdminClient(loop, server: server, security: security, limits: limits)
        var outcome = Result<HTTPAnswer, AdminClientError>.failure(.closed)
        client.ask(question) { result in
            outcome = result
            client.close()
        }
        // The loop runs until the connection is closed.
        try withExtendedLifetime(client) { try loop.run() }
        try loop.close()
        return outcome
    }
}
