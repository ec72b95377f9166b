/// Where a router listens.
public struct RouterAddress: Equatable, Sendable, CustomStringConvertible {
    /// A name or an address.
    public let host: String
    /// The TCP port.
    public let port: UInt16

    /// The port that a router listens on unless it is told otherwise.
    public static let defaultPort: UInt16 = 7_410

    /// Makes an address from its parts.
    public init(host: String, port: UInt16 = RouterAddress.defaultPort) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`, `[IPv6]:PORT`, `HOST` or a bare IPv6 address.
    ///
    /// - Returns: nil if the text is none of these.
    public init?(_ text: String) {
        var host = Substring(text)
        var port = Self.defaultPort
        if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
            let isBareIPv6 = text[..<colon].contains(":") && !text.hasPrefix("[")
            if !isBareIPv6 {
                guard let number = UInt16(text[text.index(after: colon)...]) else { return nil }
                port = number
                host = text[..<colon]
            }
        }
        if host.hasPrefix("[") && host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.isEmpty { return nil }
        self.init(host: String(host), port: port)
    }

    /// `HOST:PORT`, with brackets around an IPv6 address.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
