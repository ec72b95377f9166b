internal import Basics
internal import HTTPServing

/// Refuses requests made by foreign web pages in a browser on this machine.
///
/// A browser sends requests of any page to 127.0.0.1, and names the page's server in `Origin`
/// unless the request only reads. A page whose server's name resolves to 127.0.0.1 may even read
/// (DNS rebinding); the `Host` header gives it away.
enum BrowserGuard {
    /// Why a request may not proceed, with the name of the foreign server; a local server is for
    /// this machine alone.
    static func problem(_ request: HTTPRequest, isLocal: Bool) -> AdminProblem? {
        let host = request.host ?? ""
        if isLocal, !isNumeric(host) {
            return AdminProblem(
                403,
                code: "host-foreign",
                detail:
                    "this server answers to localhost and to addresses only, and the request is for "
                    + quotation(host)
            )
        }
        guard let origin = request.header("Origin"), origin != "http://" + host,
            origin != "https://" + host
        else { return nil }
        return AdminProblem(
            403,
            code: "origin-foreign",
            detail: "a page of another server, \(quotation(origin)), may not ask"
        )
    }

    /// True for an address or localhost, with or without a port, and for no host at all, as in HTTP
    /// 1.0.
    private static func isNumeric(_ host: String) -> Bool {
        if host.isEmpty { return true }
        let isSix = host.utf8.first == UInt8(ascii: "[")
        let name =
            isSix
            ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
        return ListeningAddress(host: String(name), port: 0) != nil && name != "*"
    }
}
