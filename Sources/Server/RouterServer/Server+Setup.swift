package import AdminAPI
package import Basics
internal import CaptureFiles
package import Cryptography
package import HTTPServing
package import LibuvLoop
internal import Logging
package import Platform
internal import RouterCore

/// What the program gives the server before `run`, and asks it for.
extension Server {
    /// The addresses listened on, as `HOST:PORT`.
    package var listeningAddresses: [String] { reading.addresses }

    /// Sets the queue that requests are taken from; to be called before `run`.
    package func setMailbox(_ mailbox: AdminMailbox) {
        assert(admin.mailbox == nil, "the requests have a queue already")
        admin.mailbox = mailbox
    }

    /// Notes the digest of the app file with which the server has begun; see `AppFiles`.
    package func noteAppFile(_ digest: SHA256Digest) { appFiles.noteDigest(digest) }

    /// Keeps the history of the metrics in a file beside the store in a folder, and shows what
    /// earlier processes have kept there; to be called before `run`.
    package func keepHistory(ofStore folder: String) { metrics.keepHistory(ofStore: folder) }

    /// Sets the service manager to notify from now on; to be called before `run`.
    ///
    /// - Throws: `UVError` if the sweep's timer cannot be restarted.
    package func report(to notifier: ServiceNotifier) throws(UVError) {
        integration.notifier = notifier
        // Signs of life are sent by the sweep, whose interval depends on the manager's.
        try ticks.startSweeping(core.limits, watchdog: notifier.watchdogInterval)
    }

    /// Starts a recording: of the stored state first, then of all inputs. A random number is its
    /// identity.
    package func record(_ settings: RecordingSettings, number: UInt64) throws {
        assert(core.recording == nil, "inputs are recorded already")
        let timer = try ServerTimer(self) { server in
            server.core.recording?.resume(&server.core.router, logger: server.core.logger)
        }
        let recording = try Recording(settings, number: number, timer: timer)
        recording.start(&core.router, appFile: core.router.appsSource)
        core.recording = recording
        core.logger.notice("inputs are recorded", metadata: ["file": "\(recording.path)"])
        if settings.options.isRedacted { return }
        core.logger.warning(
            "the recording contains payloads unchanged: --redact hashes their values"
        )
    }

    /// Delivers by APNs to apps that have settings for it; to be called before `run`.
    package func deliverByAPNs(_ settings: APNsDelivery.Settings) {
        assert(apns == nil, "there is a delivery already")
        apns = APNsDelivery(
            core.loop,
            settings: settings,
            logger: core.logger,
            mailbox: core.mailbox
        )
        apns?.readAgain(for: core.router)
    }

    /// Listens for publishers over HTTP; to be called before `run`. The settings have the address
    /// and the certificates, the resources the clock and the log of the answers, which are counted.
    package func listenForPublishers(
        _ settings: PublishSettings,
        counts: HTTPRequestCounts,
        resources: PublishResources.Settings
    ) throws(HTTPServerError) {
        assert(publishing.listener == nil, "there is a listener already")
        var settings = settings
        let gate = publishing.gatekeeper.publisherGate
        settings.limits.allBodiesBytes = configuration.memory.publishedBodies
        settings.limits.connections = configuration.memory.publishedConnections
        publishing.listener = try PublishListener(
            publishing,
            settings: settings,
            resources: PublishResources(gate, counts: counts, settings: resources)
        )
    }

    /// The address at which publishers over HTTP are listened for; nil if they are not.
    package var publishAddress: ListeningAddress? { publishing.listener?.address }

    /// Uses other certificates for publishers over HTTP; see `HTTPListener.replace`.
    package func replacePublishersCertificates(_ security: ServerSecurity) throws(HTTPServerError) {
        try publishing.listener?.http.replace(security)
    }
}
