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
    ) throws(HTTPServerError) {
        isSecure = security != nil
        let settings = resources.settings
        var limits = HTTPServerLimits()
        limits.allBodiesBytes = settings.allBodiesBytes
        limits.idle = settings.idle
        limits.niceness = JoinableThread.besideTheLoop
        server = try HTTPServer(
            address,
            security: security,
            limits: limits,
            purpose: HTTPServerPurpose(
                " for the admin server",
                advice: "; --admin HOST:PORT sets another address, "
                    + "--admin none disables the server",
                files: "cert, key and admin-client-ca"
            ),
            handler: resources,
            onRefusal: settings.onRefusedHandshake
        )
    }

    /// The most file descriptors that TLS adds to those of the server's connections.
    package static var securityDescriptors: Int { HTTPServerLimits().handshakes ?? 0 }

    /// Uses other certificates for the TLS sessions that begin from now on; does nothing without
    /// TLS.
    ///
    /// - Throws: why they are not usable; the certificates are as before then.
    package func replaceCertificates(_ security: ServerSecurity) throws(HTTPServerError) {
        if isSecure { try server.replace(security) }
    }

    /// Closes all connections and ends the thread. A second call does nothing.
    package func stop() { server.stop() }
}
