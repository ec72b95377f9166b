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
    /// The row of the setting `webhook-origins`.
    static let origins = ListSetting(
        description: SettingDescription(
            name: "webhook-origins",
            form: .list,
            unit: "origin",
            rule: #"a list of names such as ["eventgrid.azure.net"]"#,
            help: "Origin that is permitted to send CloudEvents to --publish when it asks with "
                + "WebHook-Request-Origin (protocol/http.md); may be repeated. Each event needs a "
                + "credential all the same.",
            defaultValue: "*, all origins"
        ),
        defaultValue: ["*"]
    )
    /// The row of the setting `http-idle`.
    static let idle = Setting<Milliseconds>(
        description: SettingDescription(
            name: "http-idle",
            form: .number,
            unit: "seconds",
            rule: "a number of seconds from 1 to 3600",
            help: "Time after which a connection over HTTP on which no request comes is closed; "
                + "longer than the idle time of a load balancer in front of the router.",
            defaultValue: "75"
        ),
        defaultValue: .seconds(75)
    ) { text in
        guard let time = SettingText.seconds(text) else { return nil }
        return time >= .seconds(1) && time <= .seconds(3_600) ? time : nil
    }
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
        webHookOrigins = try settings.webHookOrigins()
        idle = try settings.httpIdle()
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
        resources.webHookOrigins = webHookOrigins
        var settings = PublishListener.Settings(address: address, security: security)
        settings.limits.idle = idle
        settings.onRefusal = { [logger] peer, reason in
            logger.notice(
                "publish TLS handshake failed",
                metadata: ["peer": "\(peer)", "error": "\(reason)"]
            )
        }
        return try server.listenForPublishers(settings, counts: counts, resources: resources)
    }
}

extension ServeSettings {
    /// The origins that may send events.
    ///
    /// - Throws: `SettingsProblem` if one is no name.
    func webHookOrigins() throws -> WebHookOrigins {
        let texts = values(SettingsTable.shared.webHookOrigins)
        if let origins = WebHookOrigins(texts) { return origins }
        let wrong = texts.first { WebHookOrigins([$0]) == nil } ?? ""
        throw SettingsProblem(
            "webhook-origins",
            value: wrong.isEmpty ? "empty" : quotation(wrong),
            rule: "names of origins, such as eventgrid.azure.net, or *"
        )
    }

    /// How long a connection over HTTP may be without a request.
    func httpIdle() throws -> Milliseconds { try value(SettingsTable.shared.httpIdle) }
}
