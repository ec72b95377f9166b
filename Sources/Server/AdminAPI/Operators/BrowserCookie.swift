internal import Basics
internal import Credentials
internal import HTTPServing

/// The cookie of a browser, the half of its proof that scripts cannot read; see `BrowserSessions`.
///
/// Browsers send the cookies of a host to all its ports, so the name has the port: two routers of
/// one machine have two.
enum BrowserCookie {
    private static func name(at host: String, isSecure: Bool) -> String {
        // With TLS, a browser takes it from the server itself alone (RFC 6265bis, 4.1.3.2).
        let name = (isSecure ? "__Host-" : "") + "reload-router"
        let isSix = host.utf8.last == UInt8(ascii: "]")
        let port = isSix ? nil : host.split(separator: ":").dropFirst().last
        guard let port, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return name }
        return "\(name)-\(port)"
    }

    /// The header by which a browser keeps a cookie until it ends; by an empty value, it drops it.
    static func header(
        _ value: String,
        at host: String,
        lasting: Milliseconds,
        isSecure: Bool
    ) -> (name: String, value: String) {
        let name = name(at: host, isSecure: isSecure)
        return (
            "Set-Cookie",
            "\(name)=\(value); Path=/; Max-Age=\(lasting.rawValue / 1_000)"
                + "; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
        )
    }

    /// The value that a browser has sent back; nil if there is none. With TLS, one that another
    /// server of the host may have set without it is none.
    static func value(of request: HTTPRequest, isSecure: Bool) -> Secret? {
        guard let cookies = request.secretHeader("Cookie") else { return nil }
        let beginning = name(at: request.header("Host") ?? "", isSecure: isSecure) + "="
        return cookies.withByteView { value(after: Array(beginning.utf8), in: $0) }
    }

    /// What follows a beginning, up to the next semicolon.
    private static func value(after beginning: [UInt8], in cookies: ByteView) -> Secret? {
        var start = 0
        while start < cookies.count {
            while start < cookies.count, cookies[start] == UInt8(ascii: " ") { start += 1 }
            var end = start
            while end < cookies.count, cookies[end] != UInt8(ascii: ";") { end += 1 }
            let pair = cookies.slice(start, to: end)
            if pair.count > beginning.count,
                beginning.indices.allSatisfy({ pair[$0] == beginning[$0] })
            {
                return Secret(pair.slice(beginning.count, to: pair.count))
            }
            start = end + 1
        }
        return nil
    }
}
