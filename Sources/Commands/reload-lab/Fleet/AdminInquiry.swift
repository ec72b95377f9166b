import Basics
import CommandSupport
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
            let headers = try? AdminTokenFile.headers(for: endpoint, file: tokenFile)
        else { return nothing }
        let end = MonotonicTime.now + timeLimit
        var answers: [[UInt8]?] = []
        for path in paths {
            var limits = AdminClient.Limits()
            limits.timeout = min(limits.timeout, end - .now)
            // If nothing answers, the other questions would only take time.
            guard limits.timeout > .zero,
                let outcome = try? AdminClient.outcome(
                    of: AdminQuestion(path, headers: headers),
                    at: endpoint,
                    security: security.context(for: endpoint, speaking: "http/1.1"),
                    limits: limits
                ),
                case .success(let reply) = outcome
            else { break }
            answers.append(reply.status == 200 ? reply.body : nil)
        }
        return answers + nothing.dropFirst(answers.count)
    }
}
