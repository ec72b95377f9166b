internal import LibuvLoop

/// A request to be sent to an HTTP server; see `HTTPClient.send`.
package struct HTTPCall: Equatable, Sendable {
    /// The address, `http://host:port/path`, or the same with `https`.
    package var url: String
    /// The method; nil for POST if there is a body, and otherwise for GET.
    package var method: String?
    /// The body; nil for none.
    package var body: [UInt8]?
    /// The header lines, such as `Content-Type: application/json`, without line ends; what is no
    /// such line is left out.
    package var headers: [String] = []

    /// A GET of this address, without further headers.
    package init(_ url: String) { self.url = url }

    /// The bytes of the request to its address, taken apart.
    func bytes(to address: HTTPAddress) -> [UInt8] {
        let method = method ?? (body == nil ? "GET" : "POST")
        var head = "\(method) \(address.target) HTTP/1.1\r\nHost: \(address.authority)\r\n"
        for line in headers where line.contains(":") && line.utf8.allSatisfy({ $0 >= 0x20 }) {
            head += "\(line)\r\n"
        }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array("\(head)\r\n".utf8) + (body ?? [])
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
    /// The server as the address names it.
    let authority: Substring
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
        authority = rest.prefix { $0 != "/" && $0 != "?" }
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
