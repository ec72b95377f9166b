internal import HTTPServing
internal import ReloadModel

/// Keeps pages of other servers, which a browser on this machine shows, from asking.
///
/// A browser sends requests of any page to 127.0.0.1, and names the page in `Origin` unless it only
/// reads. A page whose server's name leads to 127.0.0.1 as well may even read: it is told by `Host`.
enum BrowserGuard {
    /// Why a request is refused; nil if it is not.
    ///
    /// - Parameters:
    ///   - request: that somebody sends.
    ///   - isOpen: whether no token is needed.
    /// - Returns: a problem that names what is foreign.
    static func problem(_ request: HTTPRequest, isOpen: Bool) -> AdminProblem? {
        let host = request.header("Host") ?? ""
        if isOpen, !isLocal(host) {
            return AdminProblem(
                403,
                "host-foreign",
                "without a token this server answers to localhost and to addresses only, and the "
                    + "request is for \(quotation(host))"
            )
        }
        guard let origin = request.header("Origin"), origin != "http://" + host,
            origin != "https://" + host
        else { return nil }
        return AdminProblem(
            403,
            "origin-foreign",
            "a page of another server, \(quotation(origin)), may not ask"
        )
    }

    /// Whether it is an address or localhost, with or without a port; or nothing, as in HTTP 1.0.
    private static func isLocal(_ host: String) -> Bool {
        if host.isEmpty { return true }
        let isSix = host.utf8.first == UInt8(ascii: "[")
        let name =
            isSix
            ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
        return ListeningAddress(host: String(name), port: 0) != nil && name != "*"
    }
}
