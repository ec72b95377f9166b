internal import Cryptography
internal import HTTPServing
internal import SecureHTTPServing

/// An HTTP server with or without TLS. It has threads of its own, which never touch state of the
/// loop.
final class WebServer: Sendable {
    private enum Kind {
        case plain(HTTPServer)
        case secure(SecureHTTPServer)
    }

    private let kind: Kind

    /// The address listened on, with the port that the system chose if 0 was asked for.
    var address: ListeningAddress {
        switch kind {
        case .plain(let server): server.address
        case .secure(let server): server.address
        }
    }

    /// The URL to which the path of a request is appended, by the address.
    var url: String {
        switch kind {
        case .plain(let server): "http://\(server.address)"
        case .secure(let server): "https://\(server.address)"
        }
    }

    /// Binds, listens and serves.
    ///
    /// - Parameters:
    ///   - address: where it listens.
    ///   - security: how the server proves itself with TLS; nil to speak without.
    ///   - limits: the limits of the HTTP server.
    ///   - handler: answers the requests.
    ///   - onRefusal: called with the address of each client whose handshake has failed, and the
    ///     reason; on a thread of the server.
    /// - Throws: `SecureHTTPServerError`.
    init(
        _ address: ListeningAddress,
        security: ServerSecurity?,
        limits: HTTPServerLimits,
        handler: any HTTPHandler,
        onRefusal: @escaping @Sendable (_ peer: String, _ reason: String) -> Void
    ) throws(SecureHTTPServerError) {
        if let security {
            kind = .secure(
                try SecureHTTPServer(
                    address,
                    security: security,
                    limits: limits,
                    handler: handler,
                    onRefusal: onRefusal
                )
            )
            return
        }
        do throws(HTTPServerError) {
            kind = .plain(try HTTPServer(address, limits: limits, handler: handler))
        } catch {
            throw .address(error)
        }
    }

    /// The file descriptors that TLS adds to those of a server's connections.
    static func securityDescriptors(_ limits: HTTPServerLimits) -> Int {
        SecureHTTPLimits().descriptors(connections: limits.connections) - limits.connections
    }

    /// Uses other certificates for the TLS sessions that begin from now on; does nothing without
    /// TLS.
    ///
    /// - Throws: `security` if they are not usable; the certificates are as before then.
    func replaceCertificates(_ security: ServerSecurity) throws(SecureHTTPServerError) {
        guard case .secure(let server) = kind else { return }
        try server.replace(security)
    }

    /// Closes all connections and ends the threads. A second call does nothing.
    func stop() {
        switch kind {
        case .plain(let server): server.stop()
        case .secure(let server): server.stop()
        }
    }
}
