package import Cryptography
package import HTTPServing
internal import SecureHTTPServing

/// The HTTP listener for publishers, with or without TLS, beside that of the push protocol.
package final class PublishServer: Sendable {
    private let server: WebServer

    /// The address listened on, with the port that the system chose if 0 was asked for.
    package var address: ListeningAddress { server.address }

    /// Binds, listens and serves.
    ///
    /// - Parameters:
    ///   - address: where it listens.
    ///   - security: how the server proves itself with TLS; nil to speak without.
    ///   - resources: answers the requests.
    ///   - onRefusal: called with the address of each client whose handshake has failed, and the
    ///     reason; on a thread of the server.
    /// - Throws: `PublishServerError`.
    package init(
        _ address: ListeningAddress,
        security: ServerSecurity? = nil,
        resources: PublishResources,
        onRefusal: @escaping @Sendable (_ peer: String, _ reason: String) -> Void = { _, _ in }
    ) throws(PublishServerError) {
        do throws(SecureHTTPServerError) {
            server = try WebServer(
                address,
                security: security,
                limits: Self.limits,
                handler: resources,
                onRefusal: onRefusal
            )
        } catch {
            throw PublishServerError(cause: error)
        }
    }

    /// A thousand publishers, besides the eighth that is reserved for connections whose client has
    /// not proved to be one yet.
    private static var limits: HTTPServerLimits {
        var limits = HTTPServerLimits()
        limits.connections = 1_200
        // Publishers over HTTP must not delay those with sessions, whom the loop serves.
        limits.niceness = 5
        return limits
    }

    /// The most file descriptors that the listener needs.
    ///
    /// - Parameter isSecure: whether it speaks TLS.
    /// - Returns: their number.
    package static func descriptors(isSecure: Bool) -> Int {
        limits.connections + (isSecure ? WebServer.securityDescriptors(limits) : 0)
    }

    /// Uses other certificates for the TLS sessions that begin from now on; does nothing without
    /// TLS.
    ///
    /// - Throws: `PublishServerError` if they are not usable; the certificates are as before then.
    package func replaceCertificates(_ security: ServerSecurity) throws(PublishServerError) {
        do throws(SecureHTTPServerError) {
            try server.replaceCertificates(security)
        } catch {
            throw PublishServerError(cause: error)
        }
    }

    /// Closes all connections and ends the threads. A second call does nothing.
    package func stop() { server.stop() }
}

/// Why the listener for publishers cannot serve.
package struct PublishServerError: Error, Equatable, Sendable, CustomStringConvertible {
    private let cause: Cause

    private enum Cause: Equatable, Sendable {
        case address(HTTPServerError)
        case security(TLSError)
    }

    fileprivate init(cause: SecureHTTPServerError) {
        switch cause {
        case .address(let error): self.cause = .address(error)
        case .security(let error): self.cause = .security(error)
        }
    }

    /// A sentence that says what to do.
    package var description: String {
        switch cause {
        case .address(let cause):
            "cannot listen on \(cause.address) for publishers over HTTP: \(cause.reason); "
                + "--publish HOST:PORT sets another address"
        case .security(let cause): "cert, key and client-ca: \(cause)"
        }
    }
}
