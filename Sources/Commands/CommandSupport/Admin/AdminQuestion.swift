import HTTPMessages

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

/// Why a request got no answer.
package enum AdminClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No address could be reached, or the connection broke.
    case unreachable(String)
    /// TLS with the server has failed, such as because its certificate is not one to trust.
    case security(String)
    /// A limit on time was exceeded.
    case timedOut
    /// The body is longer than `AdminClient.Limits.bodyBytes`.
    case tooLarge
    /// The bytes received are not a complete HTTP answer.
    case broken(String)
    /// The client was closed.
    case closed

    init(_ problem: AnswerProblem) {
        switch problem {
        case .tooLarge: self = .tooLarge
        case .invalid(let reason): self = .broken(reason)
        }
    }

    /// A sentence for people, without a full stop.
    package var description: String {
        switch self {
        case .unreachable(let reason): "the server is out of reach: \(reason)"
        case .security(let reason): "no TLS with the server: \(reason)"
        case .timedOut: "the server has not answered in time"
        case .tooLarge: "the answer is longer than it may be"
        case .broken(let reason): "what answers is not an admin server: \(reason)"
        case .closed: "the client has been closed"
        }
    }
}
