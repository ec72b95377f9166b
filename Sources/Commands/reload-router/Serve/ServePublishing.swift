import AdminAPI
import CommandSupport
import Cryptography
import HTTPServing
import Logging
import Platform
import RouterServer
import Times

/// The HTTP listener for publishers of `serve`: its address, its certificates and its log.
struct ServePublishing {
    private let address: ListeningAddress
    private let security: ServerSecurity?
    private let logger: Logger
    /// The answers so far, for the metrics.
    let counts = HTTPRequestCounts("publish")

    /// Reads the settings; nil if they ask for no listener.
    ///
    /// - Parameters:
    ///   - settings: the address and the certificates.
    ///   - logger: logs requests.
    /// - Throws: `SettingsProblem`.
    init?(_ settings: ServeSettings, logger: Logger) throws {
        guard let address = try settings.publishAddress() else { return nil }
        self.address = address
        security = try settings.security()
        self.logger = logger
    }

    /// The most file descriptors that it needs.
    var descriptors: Int { PublishListener.descriptors }

    /// Listens; the router's loop serves.
    ///
    /// - Parameter server: the router, which does not run yet.
    /// - Returns: the listener.
    /// - Throws: `PublishListenerError`.
    func start(_ server: Server) throws -> PublishListener {
        var resources = PublishResources.Settings(startedAt: .now)
        resources.onAnswer = { [logger] answered in
            let isForeign = answered.status == 401 || answered.status == 403
            logger.log(
                level: isForeign ? .notice : .debug,
                isForeign ? "publish request refused" : "publish request",
                metadata: [
                    "request": "\(answered.id)", "method": "\(answered.method)",
                    "route": "\(answered.route)", "status": "\(answered.status)",
                ]
            )
        }
        var settings = PublishListener.Settings(address: address, security: security)
        settings.onRefusal = { [logger] peer, reason in
            logger.notice(
                "publish TLS handshake failed",
                metadata: ["peer": "\(peer)", "error": "\(reason)"]
            )
        }
        return try server.listenForPublishers(settings, counts: counts, resources: resources)
    }
}
