import AdminAPI
import Basics
import CommandSupport
import Cryptography
import HTTPServing
import Logging
import Platform
import RouterServer

/// The HTTP listener for publishers of `serve`: its address, its certificates and its log.
struct ServePublishing {
    private let address: ListeningAddress
    private let security: ServerSecurity?
    private let logger: Logger
    private let webHookOrigins: WebHookOrigins
    private let idle: Milliseconds
    /// The answers so far, for the metrics.
    let counts = HTTPRequestCounts("publish")

    /// Reads the settings; nil if they ask for no listener.
    init?(_ settings: ServeSettings, logger: Logger) throws {
        guard let address = try settings.publishAddress() else { return nil }
        self.address = address
        webHookOrigins = try settings.webHookOrigins()
        idle = try settings.value(\.httpIdle)
        security = try settings.security()
        self.logger = logger
    }

    /// The most file descriptors that it needs.
    var descriptors: Int { PublishSettings.limits.connections }

    /// Listens; the loop of the router, which does not run yet, serves.
    func start(_ server: Server) throws {
        var resources = PublishResources.Settings(startedAt: .now)
        resources.onAnswer = { [logger] in logger.log($0, of: "publish") }
        resources.webHookOrigins = webHookOrigins
        var settings = PublishSettings(address: address, security: security)
        settings.limits.idle = idle
        settings.onRefusal = { [logger] peer, reason in
            logger.logHandshake(of: "publish", with: "\(peer)", failure: "\(reason)")
        }
        try server.listenForPublishers(settings, counts: counts, resources: resources)
    }
}

extension ServeSettings {
    /// The origins that may send events.
    func webHookOrigins() throws -> WebHookOrigins {
        let texts = try value(\.webHookOrigins)
        if let origins = WebHookOrigins(texts) { return origins }
        let wrong = texts.first { WebHookOrigins([$0]) == nil } ?? ""
        throw SettingsProblem(
            "webhook-origins",
            value: wrong.isEmpty ? "empty" : quotation(wrong),
            rule: "names of origins, such as eventgrid.azure.net, or *"
        )
    }
}
