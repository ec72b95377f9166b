internal import AdminAPI
internal import Basics
internal import Platform
internal import RouterCore

/// A request of a publisher that waits until the router can open its session.
struct WaitingPublisher {
    let request: PushRequest
    let exchange: PublishExchange
    /// When the request came.
    let begin: MonotonicTime
}

/// What those who push, and devices that report, without a connection that speaks frames ask for:
/// requests that wait, pushes (`Publishing+Pushes`), reports (`Publishing+Reports`), and questions
/// about pushes (`Publishing+Lookups`).
final class Publishing {
    let core: Core
    let output: Output
    let answers: UncommittedAnswers
    /// Called in a drain when a request has ended: it may have been the last.
    var endIfEmpty: () -> Void = {}
    /// The listener for publishers over HTTP; nil if there is none.
    var listener: PublishListener?
    /// Requests of publishers that wait until the router can open a session, oldest first; later
    /// ones wait for the first.
    private(set) var waiting: [WaitingPublisher] = []
    /// Publishers over HTTP, and operators who push.
    let sessions: PushSessions
    /// Reports of devices.
    var reports = DeviceReports()
    /// Questions of publishers that have no answer yet, and when the first sender has rested whose
    /// question waits for that; nil if none does.
    var lookups: [PublisherLookup] = []
    var lookupRestEnd: MonotonicTime?

    var peers: PeerTable { output.peers }
    var reading: Reading { output.reading }
    var gatekeeper: Gatekeeper { output.admission.gatekeeper }

    init(_ output: Output, answers: UncommittedAnswers) {
        core = output.core
        sessions = output.sessions
        self.output = output
        self.answers = answers
    }

    /// True while a push or report that has begun awaits its answer; a drain waits for it.
    var isBusy: Bool { sessions.jobCount > 0 || !reports.isEmpty }

    /// True if a tick has something to do for a request.
    var needsTick: Bool {
        !waiting.isEmpty || sessions.isBusy || !reports.waiting.isEmpty || !lookups.isEmpty
    }

    /// When the first of those has rested whose requests were too costly; `max` if none is.
    var restEnd: MonotonicTime {
        min(sessions.restEnd ?? .max, reports.restEnd ?? .max, lookupRestEnd ?? .max)
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
        if waiting.isEmpty && begin(request, for: exchange) { return }
        publishLater(request, for: exchange)
    }

    /// Queues a publisher's request, so that it begins when a tick has time for it.
    func publishLater(_ request: PushRequest, for exchange: PublishExchange) {
        waiting.append(
            WaitingPublisher(request: request, exchange: exchange, begin: core.now.monotonic)
        )
        core.scheduleTick()
    }

    /// Begins requests that have waited, one at least, until `end`.
    func performRequests(until end: ExactTime) {
        var count = 0
        // Each is of one connection, so that there are few.
        for waiting in waiting {
            let hasBegun = core.part(paidBy: waiting.exchange.payer) {
                begin(waiting.request, for: waiting.exchange)
            }
            if !hasBegun { break }
            count += 1
            if ExactTime.now >= end { break }
        }
        waiting.removeFirst(count)
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
        let count = waiting.prefix { $0.begin < time }.count
        let late = waiting.prefix(count)
        waiting.removeFirst(count)
        for waiting in late { waiting.exchange.answer(.problem(Self.lateProblem)) }
    }

    /// The refusal of a request that the router could not begin in time.
    static var lateProblem: AdminProblem { .busy("the router was busy with earlier requests") }

    /// Answers every waiting request of a publisher with `draining`, and closes the listener: the
    /// router is ending.
    func close() {
        let all = waiting
        waiting = []
        for waiting in all { waiting.exchange.answer(.problem(.draining)) }
        // The listener answers the reports and the questions.
        reports = DeviceReports()
        lookups = []
        listener?.close()
    }
}
