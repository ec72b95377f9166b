package import ReloadModel
package import RouterStore

/// Where a server listens, what it reads, and its limits.
package struct ServerConfiguration: Sendable {
    /// A host name or address, and a port; `*` is every address, `localhost` both loopbacks.
    package struct Endpoint: Equatable, Sendable, CustomStringConvertible {
        package var host: String
        package var port: UInt16

        package init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }

        /// Reads `HOST:PORT`, `[IPv6]:PORT`, `:PORT` (every address) or `HOST` (default port).
        ///
        /// - Returns: nil if the text is none of these.
        package init?(_ text: String, defaultPort: UInt16 = 7_410) {
            var host = Substring(text)
            var port = defaultPort
            if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
                let isBareIPv6 = text[..<colon].contains(":") && !text.hasPrefix("[")
                if !isBareIPv6 {
                    guard let number = UInt16(text[text.index(after: colon)...]) else { return nil }
                    port = number
                    host = text[..<colon]
                }
            }
            if host.hasPrefix("[") && host.hasSuffix("]") { host = host.dropFirst().dropLast() }
            self.host = host.isEmpty ? "*" : String(host)
            self.port = port
        }

        package var description: String {
            host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }

    package var endpoints: [Endpoint]
    /// The app file, read again on SIGHUP; nil if the apps came from elsewhere.
    package var appFile: String?
    package var limits: RouterLimits
    /// What to warn the operator of at the start: a sentence.
    package var warning: String?
    /// Of a store, if there is one.
    package var checkpoints: CheckpointLimits
    /// Of the program, as operators are told it.
    package var version = ""
    /// How long a drain may take before what is left is closed, in ms.
    package var drainTimeout: Int64

    package init(
        endpoints: [Endpoint],
        appFile: String?,
        limits: RouterLimits = RouterLimits(),
        warning: String? = nil,
        checkpoints: CheckpointLimits = CheckpointLimits(),
        drainTimeout: Int64 = 10_000
    ) {
        self.endpoints = endpoints
        self.appFile = appFile
        self.limits = limits
        self.warning = warning
        self.checkpoints = checkpoints
        self.drainTimeout = drainTimeout
    }
}
