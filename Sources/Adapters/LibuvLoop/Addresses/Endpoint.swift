/// A host and a port, as people write them in options and settings.
package struct Endpoint: Equatable, Sendable, CustomStringConvertible {
    /// A name or an address; `localhost` stands for both loopback addresses, `*` for every address
    /// of this machine.
    package var host: String
    /// The TCP port.
    package var port: UInt16

    /// The default port of a router.
    package static let routerPort: UInt16 = 7_410

    /// An endpoint of a host and a port; see `host` for what is allowed.
    package init(host: String, port: UInt16 = Endpoint.routerPort) {
        self.host = host
        self.port = port
    }

    /// Parses an endpoint to connect to: `HOST:PORT`, `[IPv6]:PORT`, `HOST`, a bare IPv6 address,
    /// or `PORT`, which is a port of this machine. Returns nil if the text is none of these.
    package init?(_ text: String, defaultPort: UInt16 = Endpoint.routerPort) {
        self.init(text, defaultPort: defaultPort, withoutHost: nil)
    }

    /// Parses an endpoint to listen on, which may also be `:PORT`: a port of every address. Returns
    /// nil if the text is invalid.
    package init?(listening text: String, defaultPort: UInt16 = Endpoint.routerPort) {
        self.init(text, defaultPort: defaultPort, withoutHost: "*")
    }

    private init?(_ text: String, defaultPort: UInt16, withoutHost everyHost: String?) {
        var host = Substring(text)
        port = defaultPort
        // No host consists of digits alone.
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            guard let number = UInt16(text) else { return nil }
            (self.host, port) = ("localhost", number)
            return
        }
        if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
            let isBareIPv6 = text[..<colon].contains(":") && !text.hasPrefix("[")
            if !isBareIPv6 {
                guard let number = UInt16(text[text.index(after: colon)...]) else { return nil }
                port = number
                host = text[..<colon]
            }
        }
        if host.hasPrefix("[") && host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard let host = host.isEmpty ? everyHost : String(host) else { return nil }
        self.host = host
    }

    /// Whether the host is this machine, as only its own processes reach it: `localhost`, or an
    /// address that begins with 127, or ::1. Other names are not looked up.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1"
            || host.hasPrefix("127.") && SocketAddress.withoutLookup(host: host, port: port) != nil
    }

    /// The error message, a sentence, for a text that is no endpoint: of the option or setting that
    /// has it, with a valid example.
    package static func problem(
        _ text: String,
        of option: String,
        suchAs example: String = "localhost:7410"
    ) -> String {
        "\(option) is \(text); it must be HOST:PORT, such as \(example), or a port of this machine"
    }

    /// `HOST:PORT`, with brackets around an IPv6 address.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
