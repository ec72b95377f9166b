import AdminAPI
import Basics
import CommandSupport
import Cryptography
import HTTPMessages
import LibuvLoop
import ReloadRouterClient

/// Asks an admin server many things, one after the other.
final class AdminInquiry: TimerOwner {
    /// How long all questions may take; those that are left then have no answer.
    private static var timeLimit: Milliseconds { .seconds(20) }

    private let loop: Loop
    private let client: AdminClient
    private let headers: [String]
    private let paths: [String]
    private var timer: LoopTimer?
    private var answers: [[UInt8]?] = []
    private var isOver = false

    private init(
        _ server: Endpoint,
        security: ClientSecurity,
        tokenFile: String?,
        paths: [String]
    ) throws {
        loop = try Loop()
        client = try AdminClient(
            loop,
            server: server,
            security: security.context(for: server, speaking: "http/1.1")
        )
        var token: AdminToken?
        if let tokenFile {
            token = try AdminTokenFile.read(tokenFile, of: "--token-file")
        } else if server.isLoopback {
            token = AdminTokenFile.forServer(onPort: server.port)
        }
        headers = token.map { ["Authorization: \($0.authorization)"] } ?? []
        self.paths = paths
    }

    /// Sends GET requests for paths, and blocks until all are answered or the time is over.
    ///
    /// - Parameters:
    ///   - server: the address, `HOST:PORT`.
    ///   - security: how the connection to it is protected.
    ///   - tokenFile: a file with the token; nil for that of this machine's routers.
    ///   - paths: the paths.
    /// - Returns: the body of each answer with status 200; nil where there is none.
    static func answers(
        _ server: String,
        security: ClientSecurity,
        tokenFile: String?,
        paths: [String]
    ) -> [[UInt8]?] {
        let nothing = [[UInt8]?](repeating: nil, count: paths.count)
        guard !paths.isEmpty, let endpoint = Endpoint(server, defaultPort: 7_411),
            let inquiry = try? AdminInquiry(
                endpoint,
                security: security,
                tokenFile: tokenFile,
                paths: paths
            )
        else { return nothing }
        let answers = inquiry.run()
        return answers + nothing.dropFirst(answers.count)
    }

    private func run() -> [[UInt8]?] {
        do throws(UVError) {
            let timer = try LoopTimer(loop, owner: self)
            self.timer = timer
            try timer.start(after: Self.timeLimit)
            askNext()
            try loop.run()
            try loop.close()
        } catch {
            end()
        }
        return answers
    }

    private func askNext() {
        if isOver { return }
        if answers.count == paths.count { return end() }
        client.ask(AdminQuestion(paths[answers.count], headers: headers)) { [self] outcome in
            if isOver { return }
            switch outcome {
            case .success(let reply): answers.append(reply.status == 200 ? reply.body : nil)
            // Nothing answers: the other questions would only take time.
            case .failure: return end()
            }
            askNext()
        }
    }

    private func end() {
        if isOver { return }
        isOver = true
        timer?.close()
        client.close()
    }

    func timerFired(_ timer: LoopTimer) { end() }
}

@available(*, unavailable)
extension AdminInquiry: Sendable {}
