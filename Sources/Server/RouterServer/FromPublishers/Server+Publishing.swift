package import AdminAPI
internal import Basics
package import Cryptography
package import HTTPServing
internal import Platform
internal import RouterCore

/// A request of a publisher that waits until the router can open its session.
struct WaitingPublisher {
    let request: PushRequest
    let exchange: PublishExchange
    /// When the request came.
    let begin: MonotonicTime
}

/// Requests of publishers over HTTP, which `PublishListener` reads.
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
            self,
            settings: settings,
            resources: PublishResources(
                gatekeeper.publisherGate,
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

    /// How long a request may wait until the router can open its session.
    static var publisherPatience: Milliseconds { .seconds(1) }

    /// Refuses what a sender may not do any more: its body may have taken long, or the router.
    func requireGood(_ exchange: PublishExchange) throws(AdminProblem) {
        let problem = exchange.judged.flatMap {
            gatekeeper.publisherGate.problem(
                of: $0,
                revocation: { core.router.tokensRevokedBefore(device: $1, app: $0) },
                now: core.now.wall
            )
        }
        if let problem { throw problem }
    }

    /// Begins a publisher's request, or queues it after those that wait.
    func publish(_ request: PushRequest, for exchange: PublishExchange) {
        if publishing.waiting.isEmpty && begin(request, for: exchange) { return }
        publishLater(request, for: exchange)
    }

    /// Queues a publisher's request, so that it begins when a tick has time for it.
    func publishLater(_ request: PushRequest, for exchange: PublishExchange) {
        publishing.waiting.append(
            WaitingPublisher(
                request: request,
                exchange: exchange,
                begin: core.now.monotonic
            )
        )
        core.scheduleTick()
    }

    /// Begins requests that have waited, one at least, until `end`.
    func performPublishRequests(until end: ExactTime) {
        var count = 0
        // Each is of one connection, so that there are few.
        for waiting in publishing.waiting {
            let hasBegun = core.part(paidBy: waiting.exchange.payer) {
                begin(waiting.request, for: waiting.exchange)
            }
            if !hasBegun { break }
            count += 1
            if ExactTime.now >= end { break }
        }
        publishing.waiting.removeFirst(count)
    }

    /// Begins a request, or refuses it. Returns false if it has to wait: the router is busy, and
    /// continues in the next tick.
    private func begin(_ request: PushRequest, for exchange: PublishExchange) -> Bool {
        if core.phase != .serving {
            exchange.answer(.problem(.draining))
            return true
        }
        if !canPush(request) { return false }
        do throws(AdminProblem) {
            try requireGood(exchange)
            try push(request, for: .publisher(exchange))
        } catch {
            exchange.answer(PublishAnswer(error))
        }
        return true
    }

    /// Refuses requests that have waited too long.
    func answerLatePublishers() {
        let time = core.now.monotonic - Self.publisherPatience
        let count = publishing.waiting.prefix { $0.begin < time }.count
        let late = publishing.waiting.prefix(count)
        publishing.waiting.removeFirst(count)
        for waiting in late { waiting.exchange.answer(.problem(Self.lateProblem)) }
    }

    /// The refusal of a request that the router could not begin in time.
    static var lateProblem: AdminProblem { .busy("the router was busy with earlier requests") }

    /// Answers every waiting request of a publisher with `draining`, and closes the listener: the
    /// router is ending.
    func closePublishing() {
        var waiting: [WaitingPublisher] = []
        swap(&waiting, &publishing.waiting)
        for waiting in waiting { waiting.exchange.answer(.problem(.draining)) }
        // The listener answers the reports.
        publishing.reports = DeviceReports()
        publishing.listener?.close()
    }
}
