import AdminAPI
import Basics
import CommandSupport
import Cryptography
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
        var answers: [[UInt8]?] = []
        if let server = Endpoint(server, defaultPort: 7_411), !paths.isEmpty {
            try? ask(server, security: security, token: token(server, file: tokenFile)) { reply in
                if let reply { answers.append(reply.status == 200 ? reply.body : nil) }
                return answers.count < paths.count ? paths[answers.count] : nil
            }
        }
        return answers + [[UInt8]?](repeating: nil, count: paths.count - answers.count)
    }

    private static func token(_ server: Endpoint, file: String?) throws -> AdminToken? {
        if let file { return try AdminTokenFile.read(file, of: "--token-file") }
        return server.isLoopback ? AdminTokenFile.forServer(onPort: server.port) : nil
    }

    /// Asks as long as there is a next path, which `next` says when it gets the last answer; nil
    /// for the first.
    private static func ask(
        _ server: Endpoint,
        security: ClientSecurity,
        token: AdminToken?,
        next: @escaping (AdminReply?) -> String?
    ) throws {
        let loop = try Loop()
        let client = try AdminClient(
            loop,
            server: server,
            security: security.context(for: server, speaking: "http/1.1")
        )
        let headers = token.map { ["Authorization: \($0.authorization)"] } ?? []
        let end = MonotonicTime.now + timeLimit
        func askNext(after reply: AdminReply?) {
            guard let path = next(reply), MonotonicTime.now < end else { return client.close() }
            client.ask(AdminQuestion(path, headers: headers)) { outcome in
                // If nothing answers, the other questions would only take time.
                guard case .success(let reply) = outcome else { return client.close() }
                askNext(after: reply)
            }
        }
        askNext(after: nil)
        try loop.run()
        try loop.close()
    }
}
