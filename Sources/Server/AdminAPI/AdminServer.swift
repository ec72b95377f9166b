package import Cryptography
package import HTTPServing
internal import SecureHTTPServing

/// The admin HTTP server, with or without TLS. It has threads of its own, which never touch state
/// of the loop.
package final class AdminServer: Sendable {
    private let server: WebServer

    /// The address listened on, with the port that the system chose if 0 was asked for.
    package var address: ListeningAddress { server.address }

    /// The URL to which the path of a request is appended, by the address.
    package var url: String { server.url }

    /// Binds, listens and serves.
    ///
    /// - Parameters:
    ///   - address: where it listens.
    ///   - security: how the server proves itself with TLS; nil to speak without.
    ///   - resources: answers the requests.
    /// - Throws: `AdminServerError`.
    package init(
        _ address: ListeningAddress,
        security: ServerSecurity? = nil,
        resources: AdminResources
    ) throws(AdminServerError) {
        do throws(SecureHTTPServerError) {
            server = try WebServer(
                address,
                security: security,
                limits: Self.limits(resources.settings),
                handler: resources,
                onRefusal: resources.settings.onRefusedHandshake
            )
        } catch {
            throw AdminServerError(error)
        }
    }

    private static func limits(_ settings: AdminSettings? = nil) -> HTTPServerLimits {
        var limits = HTTPServerLimits()
        if let allBodiesBytes = settings?.allBodiesBytes { limits.allBodiesBytes = allBodiesBytes }
        if let idle = settings?.idle { limits.idle = idle }
        limits.niceness = AdminResources.niceness
        return limits
    }

    /// The most file descriptors that TLS adds to those of the server's connections.
    package static var securityDescriptors: Int {
        WebServer.securityDescriptors(limits())
    }

    /// Uses other certificates for the TLS sessions that begin from now on; does nothing without
    /// TLS.
    ///
    /// - Throws: `security` if they are not usable; the certificates are as before then.
    package func replaceCertificates(_ security: ServerSecurity) throws(AdminServerError) {
        do throws(SecureHTTPServerError) {
            try server.replaceCertificates(security)
        } catch {
            throw AdminServerError(error)
        }
    }

    /// Closes all connections and ends the threads. A second call does nothing.
    package func stop() { server.stop() }
}

/// Why the admin server cannot serve.
package enum AdminServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The HTTP server's error: the address, and the system's reason.
    case address(HTTPServerError)
    /// A certificate or a key is not usable.
    case security(TLSError)

    fileprivate init(_ error: SecureHTTPServerError) {
        switch error {
        case .address(let cause): self = .address(cause)
        case .security(let cause): self = .security(cause)
        }
    }

    /// A sentence that says what to do.
    package var description: String {
        switch self {
        case .address(let cause):
            "cannot listen on \(cause.address) for the admin server: \(cause.reason); "
                + "--admin HOST:PORT sets another address, --admin none disables the server"
        case .security(let cause): "cert, key and admin-client-ca: \(cause)"
        }
    }
}
