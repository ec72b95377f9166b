package import Cryptography
package import HTTPServing
internal import Platform

/// The admin HTTP server, with or without TLS. It has a thread of its own, which never touches
/// state of the router's loop.
package final class AdminServer: Sendable {
    private let server: HTTPServer
    private let isSecure: Bool

    /// The address listened on, with the port that the system chose if 0 was asked for.
    package var address: ListeningAddress { server.address }

    /// The URL to which the path of a request is appended, by the address.
    package var url: String { (isSecure ? "https://" : "http://") + "\(address)" }

    /// Binds, listens and serves.
    package init(
        _ address: ListeningAddress,
        security: ServerSecurity? = nil,
        resources: AdminResources
    ) throws(AdminServerError) {
        isSecure = security != nil
        let settings = resources.settings
        var limits = HTTPServerLimits()
        limits.allBodiesBytes = settings.allBodiesBytes
        limits.idle = settings.idle
        limits.niceness = JoinableThread.besideTheLoop
        guard let security else {
            do throws(HTTPServerError) {
                server = try HTTPServer(address, limits: limits, handler: resources)
                return
            } catch {
                throw .address(error)
            }
        }
        do throws(SecureServerError) {
            server = try HTTPServer(
                address,
                security: security,
                limits: limits,
                handler: resources,
                onRefusal: settings.onRefusedHandshake
            )
        } catch {
            switch error {
            case .address(let cause): throw .address(cause)
            case .security(let cause): throw .security(cause)
            }
        }
    }

    /// The most file descriptors that TLS adds to those of the server's connections.
    package static var securityDescriptors: Int { HTTPServerLimits().handshakes ?? 0 }

    /// Uses other certificates for the TLS sessions that begin from now on; does nothing without
    /// TLS.
    ///
    /// - Throws: `security` if they are not usable; the certificates are as before then.
    package func replaceCertificates(_ security: ServerSecurity) throws(AdminServerError) {
        if !isSecure { return }
        do throws(TLSError) {
            try server.replace(security)
        } catch {
            throw .security(error)
        }
    }

    /// Closes all connections and ends the thread. A second call does nothing.
    package func stop() { server.stop() }
}

/// Why the admin server cannot serve.
package enum AdminServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The HTTP server's error: the address, and the system's reason.
    case address(HTTPServerError)
    /// A certificate or a key is not usable.
    case security(TLSError)

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
