package import Basics
package import Credentials
internal import HTTPMessages

/// A request as an `HTTPHandler` sees it.
///
/// What a client sends in headers and arguments may be its token, and is kept as a secret.
package struct HTTPRequest: Sendable {
    /// GET, HEAD or any other method.
    package let method: String
    /// The path as it was sent: with its percent-escapes, without the query.
    package let rawPath: String
    /// The query, decoded; an argument without a value has an empty one.
    package let arguments: [HTTPField]
    /// The host, with its port, that the head names, be it in a target in absolute form.
    private var authority: String?
    private let headers: [HTTPField]
    /// `.whole([])` if the body is not read; see `HTTPHandler.bodyLimit`.
    package var body: HTTPBody
    /// The certificate by which the client has proved itself on this connection, as it was verified
    /// when the connection began; nil for none, and without TLS.
    package var certificate: ShownCertificate?
    /// The client's address, such as `127.0.0.1:51234` or `[::1]:51234`; empty if it is not known.
    package var client = ""

    /// Makes a request of a path with its percent-escapes, the decoded names and values of its
    /// query, and its headers in the order in which they arrived.
    package init(
        method: String,
        path: String,
        arguments: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [],
        body: HTTPBody = .whole([])
    ) {
        self.method = method
        rawPath = path
        self.arguments = arguments.map { HTTPField(name: $0.name, value: Secret($0.value)) }
        self.headers = headers.map { HTTPField(name: $0.name, value: Secret($0.value)) }
        self.body = body
    }

    /// The host, with its port, that the request is for: a target in absolute form names it, and
    /// then the header does not count; nil if nothing does.
    package var host: String? { authority ?? header("Host") }

    /// A request of which the head was read; it has copies of what the head says.
    init(_ head: RequestHead) {
        var arguments: [HTTPField] = []
        head.visitArguments { name, value in
            let name = String(decoding: name, as: UTF8.self)
            arguments.append(HTTPField(name: name, value: Secret(value)))
            value.erase()
        }
        var fields: [HTTPField] = []
        head.visitHeaders { name, value in
            fields.append(HTTPField(name: name.string, value: Secret(value)))
        }
        method = head.methodName
        rawPath = head.path.string
        self.arguments = arguments
        headers = fields
        body = .whole([])
        authority = head.host?.string
    }

    /// The path decoded, without the query; invalid UTF-8 is replaced.
    package var path: String {
        rawPath.withByteView { path in
            String(decoding: PercentEscapes.decode(path, isQuery: false), as: UTF8.self)
        }
    }

    /// The value of the query's first argument of this name, decoded and possibly empty; nil if
    /// there is none.
    package func query(_ name: String) -> String? { secretQuery(name)?.text }

    /// Does what `query` does, without a copy that would stay in memory.
    package func secretQuery(_ name: String) -> Secret? {
        arguments.first { $0.name == name }?.value
    }

    /// The value of the first header of this name, whose case is ignored.
    package func header(_ name: String) -> String? { secretHeader(name)?.text }

    /// The values of all headers of this name, in their order.
    package func headers(_ name: String) -> [String] {
        headers.filter { isEqual($0.name, to: name) }.map(\.value.text)
    }

    /// The names of headers that there are more than once.
    package var repeatedNames: [String] {
        RequestHead.repetitions(among: headers.count) {
            isEqual(headers[$0].name, to: headers[$1].name)
        }.map { headers[$0].name }
    }

    /// The names of the headers that begin with a prefix, which is in lower case.
    package func headerNames(beginning prefix: StaticString) -> [String] {
        headers.map(\.name).filter { $0.lowercased().hasPrefix("\(prefix)") }
    }

    /// Does what `header` does, without a copy that would stay in memory.
    package func secretHeader(_ name: String) -> Secret? {
        headers.first { isEqual($0.name, to: name) }?.value
    }

    /// Drops the body once it is answered, and overwrites it unless something else keeps it.
    mutating func eraseBody() {
        guard case .whole(var bytes) = body else { return }
        body = .whole([])
        bytes.erase()
    }

    /// True if the request only reads (GET, HEAD).
    package var isRead: Bool { method == "GET" || method == "HEAD" }
}

/// A header or an argument of a request.
package struct HTTPField: Sendable {
    /// What it is called.
    package let name: String
    /// What it says; a token, perhaps.
    package let value: Secret

    /// A field of a request.
    package init(name: String, value: Secret) {
        self.name = name
        self.value = value
    }
}

/// Whether two names are equal except for the case of ASCII letters.
private func isEqual(_ one: String, to other: String) -> Bool {
    one.utf8.count == other.utf8.count
        && one.withByteView { one in other.withByteView { RequestHead.isEqual(one, to: $0) } }
}

/// The body of a request, or why it was not kept.
package enum HTTPBody: Equatable, Sendable {
    /// The complete body; empty if there is none.
    case whole([UInt8])
    /// The body is longer than the handler accepts; nothing of it was kept.
    case tooLarge
    /// The bodies of all requests would exceed `HTTPServerLimits.allBodiesBytes`; nothing of it was
    /// kept.
    case noRoom
}
