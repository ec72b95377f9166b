internal import LibuvLoop

/// A request to be sent to an HTTP server.
package struct HTTPCall: Equatable, Sendable {
    /// What is asked for: of an `HTTPClient` the address, `http://host:port/path`, or the same with
    /// `https`; of an `HTTPConversation`, which has its server, path and query, escaped.
    package var target: String
    /// The method; nil for POST if there is a body, and otherwise for GET.
    package var method: String?
    /// The body; nil for none.
    package var body: [UInt8]?
    /// The header lines, such as `Content-Type: application/json`, without line ends; what is no
    /// such line is left out.
    package var headers: [String]

    /// A request: if no method is given, a GET, or a POST if there is a body.
    package init(
        _ target: String,
        method: String? = nil,
        body: [UInt8]? = nil,
        headers: [String] = []
    ) {
        self.target = target
        self.method = method
        self.body = body
        self.headers = headers
    }

    /// The bytes of the request to a host; `isLast` says that the server is to close the connection
    /// after its answer.
    func bytes(to host: String, isLast: Bool) -> [UInt8] {
        assert(target.utf8.first == UInt8(ascii: "/"), "the path does not begin with a slash")
        assert(target.utf8.allSatisfy { $0 > 0x20 }, "the path must be escaped")
        let method = method ?? (body == nil ? "GET" : "POST")
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)"]
        if isLast { lines.append("Connection: close") }
        lines += headers.filter { $0.contains(":") && $0.utf8.allSatisfy { $0 >= 0x20 } }
        if let body { lines.append("Content-Length: \(body.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
    }
}

/// The address of a request, taken apart.
struct HTTPAddress {
    /// A server, and how it is reached.
    struct Server: Equatable {
        let endpoint: Endpoint
        /// Whether by TLS.
        let isSecure: Bool
    }

    let server: Server
    /// What is asked for: the path, and what follows it.
    let target: String

    /// Throws `addressInvalid`.
    init(_ url: String) throws(HTTPFetchError) {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://"),
            ["http", "https"].contains(url[..<colon].lowercased())
        else { throw .addressInvalid("it begins neither with http:// nor with https://") }
        if url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) {
            throw .addressInvalid("it has a blank or a control character")
        }
        let isSecure = colon == url.index(url.startIndex, offsetBy: 5)
        let rest = url[url.index(colon, offsetBy: 3)...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest[authority.endIndex...]
        self.target = target.hasPrefix("/") ? String(target) : "/\(target)"
        guard let endpoint = Endpoint(String(authority), defaultPort: isSecure ? 443 : 80),
            !authority.contains("@"),
            !endpoint.host.contains(":")
                || SocketAddress.withoutLookup(host: endpoint.host, port: 0) != nil
        else { throw .addressInvalid("it names no server") }
        server = Server(endpoint: endpoint, isSecure: isSecure)
    }
}
