/// A host and a port, as people write them.
package struct Endpoint: Equatable, Sendable, CustomStringConvertible {
    /// A name or an address; `localhost` is both loopbacks, `*` every address of this machine.
    package var host: String
    package var port: UInt16

    /// The default port of a router.
    package static let routerPort: UInt16 = 7_410

    package init(host: String, port: UInt16 = Endpoint.routerPort) {
        self.host = host
        self.port = port
    }

    /// Reads where to connect: `HOST:PORT`, `[IPv6]:PORT`, `HOST` or a bare IPv6 address.
    ///
    /// - Returns: nil if the text is none of these.
    package init?(_ text: String, defaultPort: UInt16 = Endpoint.routerPort) {
        self.init(text, defaultPort, withoutHost: nil)
    }

    /// Reads where to listen, which may be `:PORT` too: every address.
    ///
    /// - Returns: nil if the text is none of these.
    package init?(listening text: String, defaultPort: UInt16 = Endpoint.routerPort) {
        self.init(text, defaultPort, withoutHost: "*")
    }

    private init?(_ text: String, _ defaultPort: UInt16, withoutHost everyHost: String?) {
        var host = Substring(text)
        port = defaultPort
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

    /// The message for a text that is no endpoint.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - option: the option or setting that has it.
    ///   - example: a valid text.
    /// - Returns: a sentence.
    package static func problem(
        _ text: String,
        of option: String,
        suchAs example: String = "localhost:7410"
    ) -> String {
        "\(option) is \(text); it must be HOST:PORT, such as \(example)"
    }

    /// `HOST:PORT`, with brackets around an IPv6 address.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
