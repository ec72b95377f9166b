/// What to ask an admin server.
package struct AdminQuestion: Equatable, Sendable {
    /// With its query; begins with a slash, and has no white space.
    package var path: String
    /// What to POST; nil for a GET.
    package var body: [UInt8]?
    /// Lines such as `Content-Type: application/json`, without line ends.
    package var headers: [String]

    package init(_ path: String, body: [UInt8]? = nil, headers: [String] = []) {
        self.path = path
        self.body = body
        self.headers = headers
    }

    /// The bytes of the request.
    ///
    /// A connection serves one question: nothing is kept open at a router for the next one.
    func request(to host: String) -> [UInt8] {
        var lines = ["\(body == nil ? "GET" : "POST") \(path) HTTP/1.1", "Host: \(host)"]
        lines += ["Connection: close"] + headers
        if let body { lines.append("Content-Length: \(body.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
    }
}

/// What an admin server has answered, whatever its status.
package struct AdminReply: Equatable, Sendable {
    package let status: Int
    package let body: [UInt8]
}

/// Why there is no answer.
package enum AdminClientError: Error, Equatable, Sendable, CustomStringConvertible {
    case unreachable(String)
    case timedOut
    case tooLarge
    /// What came is no answer of HTTP.
    case broken(String)
    case closed

    package var description: String {
        switch self {
        case .unreachable(let reason): "the server is out of reach: \(reason)"
        case .timedOut: "the server has not answered in time"
        case .tooLarge: "the answer is longer than it may be"
        case .broken(let reason): "what answers is no admin server: \(reason)"
        case .closed: "the client has been closed"
        }
    }
}
