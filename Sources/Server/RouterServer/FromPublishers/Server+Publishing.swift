package import AdminAPI
package import Cryptography
package import HTTPServing

/// The listener for publishers over HTTP, as the program sets it up.
extension Server {
    /// Listens for publishers over HTTP; to be called before `run`. The settings have the address
    /// and the certificates, the resources the clock and the log of the answers, which are counted.
    package func listenForPublishers(
        _ settings: PublishSettings,
        counts: HTTPRequestCounts,
        resources: PublishResources.Settings
    ) throws(HTTPServerError) {
        assert(publishing.listener == nil, "there is a listener already")
        var settings = settings
        settings.limits.allBodiesBytes = configuration.memory.publishedBodies
        settings.limits.connections = configuration.memory.publishedConnections
        publishing.listener = try PublishListener(
            publishing,
            settings: settings,
            resources: PublishResources(
                publishing.gatekeeper.publisherGate,
                counts: counts,
                settings: resources
            )
        )
    }

    /// The address at which publishers over HTTP are listened for; nil if they are not.
    package var publishAddress: ListeningAddress? { publishing.listener?.address }

    /// Uses other certificates for publishers over HTTP; see `HTTPListener.replace`.
    package func replacePublishersCertificates(
        _ security: ServerSecurity
    ) throws(HTTPServerError) {
        try publishing.listener?.http.replace(security)
    }
}
