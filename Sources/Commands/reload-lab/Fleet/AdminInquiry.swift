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

    /// The answers to the first questions, until one is not answered.
    private static func ask(
        _ paths: [String],
        at endpoint: Endpoint,
        security: ClientSecurity,
        headers: [String]
    ) throws -> [[UInt8]?] {
        let context = try security.context(for: endpoint, speaking: "http/1.1")
        let end = MonotonicTime.now + timeLimit
        var answers: [[UInt8]?] = []
        for path in paths where MonotonicTime.now < end {
            var limits = AdminClient.Limits()
            limits.timeout = max(.milliseconds(1), min(limits.timeout, end - .now))
            let outcome = try AdminClient.outcome(
                of: AdminQuestion(path, headers: headers),
                at: endpoint,
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
