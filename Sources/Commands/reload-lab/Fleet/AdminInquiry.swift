import Basics
import CommandSupport
import HTTPFetching
import HTTPMessages
import LibuvLoop
import Platform
import ReloadRouterClient

/// Asks an admin server many things, one after the other.
enum AdminInquiry {
    /// How long all questions may take; those that are left then have no answer.
    private static var timeLimit: Milliseconds { .seconds(20) }

    /// Sends GET requests for paths, and blocks until all are answered or the time is over. The
    /// bodies of answers with another status than 200 are nil, as those that have not come. Without
    /// a file, the token is that of this machine's routers.
    static func answers(
        _ server: String,
        security: ClientSecurity,
        tokenFile: String?,
        paths: [String]
    ) -> [[UInt8]?] {
        let nothing = [[UInt8]?](repeating: nil, count: paths.count)
        guard let endpoint = Endpoint(server, defaultPort: 7_411),
            let headers = try? AdminTokenFile.headers(for: endpoint, file: tokenFile),
            let answers = try? ask(paths, at: endpoint, security: security, headers: headers)
        else { return nothing }
        return answers + nothing.dropFirst(answers.count)
    }

    /// The answers to the first questions, with one client for all.
    private static func ask(
        _ paths: [String],
        at endpoint: Endpoint,
        security: ClientSecurity,
        headers: [String]
    ) throws -> [[UInt8]?] {
        let loop = try Loop()
        let context = try security.context(for: endpoint, speaking: "http/1.1")
        let client = try AdminClient(loop, server: endpoint, security: context)
        let end = MonotonicTime.now + timeLimit
        var answers: [[UInt8]?] = []
        func next() {
            if answers.count == paths.count || MonotonicTime.now >= end { return client.close() }
            client.ask(AdminQuestion(paths[answers.count], headers: headers)) { result in
                // If nothing answers, the other questions would only take time.
                guard case .success(let reply) = result else { return client.close() }
                answers.append(reply.status == 200 ? reply.body : nil)
                next()
            }
        }
        next()
        try withExtendedLifetime(client) { try loop.run() }
        try loop.close()
        return answers
    }
}
