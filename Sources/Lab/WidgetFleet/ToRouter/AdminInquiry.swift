internal import Basics
internal import HTTPFetching
internal import HTTPMessages
internal import LibuvLoop
internal import LoadReporting
internal import Platform
internal import ReloadRouterClient

/// What a fleet asks a router's admin server at its end: many things, one after the other.
struct AdminInquiry {
    /// How long all questions may take; those that are left then have no answer.
    private static var timeLimit: Milliseconds { .seconds(20) }

    private let server: Endpoint
    private let security: ClientSecurity
    /// The header with an operator's token, if the server needs one.
    private let headers: [String]

    /// Asks the admin server of another router.
    init(_ server: Endpoint, security: ClientSecurity, headers: [String]) {
        self.server = server
        self.security = security
        self.headers = headers
    }

    /// Asks a router of the fleet's own.
    init(_ router: OwnRouter) {
        self.init(
            Endpoint(router.adminAddress) ?? Endpoint(host: "localhost"),
            security: .automatic,
            headers: ["Authorization: Bearer \(router.adminToken)"]
        )
    }

    /// Sends GET requests for paths, and blocks until all are answered or the time is over. The
    /// bodies of answers with another status than 200 are nil, as those that have not come.
    func answers(_ paths: [String]) -> [[UInt8]?] {
        let answers = (try? ask(paths)) ?? []
        return answers + [[UInt8]?](repeating: nil, count: paths.count - answers.count)
    }

    /// The answers to the first questions, until one is not answered.
    private func ask(_ paths: [String]) throws -> [[UInt8]?] {
        let context = try security.context(for: server, speaking: "http/1.1")
        let end = MonotonicTime.now + Self.timeLimit
        var answers: [[UInt8]?] = []
        for path in paths where MonotonicTime.now < end {
            var limits = HTTPConversation.Limits()
            limits.timeout = max(.milliseconds(1), min(limits.timeout, end - .now))
            let outcome = try HTTPConversation.outcome(
                of: HTTPCall(path, headers: headers),
                at: server,
                security: context,
                limits: limits
            )
            // If nothing answers, the other questions would only take time.
            guard case .success(let reply) = outcome else { break }
            answers.append(reply.status == 200 ? reply.body : nil)
        }
        return answers
    }
}
