import AdminAPI
import AdminClient
import ArgumentParser
import CommandSupport
import LibuvLoop

/// An admin server to ask, and the token to ask with: `--server` and `--token-file`.
struct AdminAddress {
    private let endpoint: Endpoint
    /// What stands before each path; without a slash at its end.
    private let prefix: String
    /// What every question has.
    private(set) var headers: [String] = []

    /// - Parameter server: such as `http://127.0.0.1:7411`, or behind a path of a proxy.
    /// - Throws: `ValidationError` if it is no address.
    init(_ server: String) throws(ValidationError) {
        if server.hasPrefix("https://") {
            throw ValidationError(
                "--server is \(server); there is no TLS yet: give the http:// address, or a tunnel's"
            )
        }
        let rest = server.dropFirst("http://".count)
        let host = rest.prefix { $0 != "/" }
        guard server.hasPrefix("http://"), Self.isHost(host),
            server.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            let endpoint = Endpoint(String(host), defaultPort: 80)
        else {
            throw ValidationError(
                "--server is \(server); it must be an address such as http://127.0.0.1:7411"
            )
        }
        self.endpoint = endpoint
        let path = rest.dropFirst(host.count)
        prefix = String(path.hasSuffix("/") ? path.dropLast() : path)
    }

    /// Whether it is a name or an address, an IPv6 address in brackets, perhaps with a port.
    private static func isHost(_ text: Substring) -> Bool {
        guard let first = text.first, first != ":", !text.contains(where: { "*?#@%".contains($0) })
        else { return false }
        return first == "[" || text.count { $0 == ":" } <= 1
    }

    /// Has every question bring the token of a file.
    ///
    /// - Parameter file: nil if the server wants no token.
    /// - Throws: `SettingsProblem` if there is no token in it.
    mutating func readToken(_ file: String?) throws(SettingsProblem) {
        guard let file else { return }
        do throws(AdminTokenError) {
            headers = ["Authorization: \(try readAdminToken(file).authorization)"]
        } catch {
            throw SettingsProblem("--token-file is \(file): \(error)")
        }
    }

    /// A question for a path, which begins with a slash; what is posted is JSON, or nothing.
    func question(_ path: String, body: [UInt8]? = nil) -> AdminQuestion {
        var question = AdminQuestion(prefix + path, body: body, headers: headers)
        if body?.isEmpty == false { question.headers.append("Content-Type: application/json") }
        return question
    }

    /// Somebody to ask.
    func client(_ loop: Loop, limits: AdminClient.Limits) throws -> AdminClient {
        try AdminClient(loop, server: endpoint, limits: limits)
    }

    /// Asks one question, and waits for the answer.
    ///
    /// - Throws: `AdminClientError`.
    func answer(to question: AdminQuestion) throws -> AdminReply {
        let loop = try Loop()
        var limits = AdminClient.Limits()
        limits.bodyBytes = 64 << 20
        let client = try client(loop, limits: limits)
        var outcome = Result<AdminReply, AdminClientError>.failure(.closed)
        client.ask(question) { result in
            outcome = result
            client.close()
        }
        // Until its connection has been closed.
        try withExtendedLifetime(client) { try loop.run() }
        try loop.close()
        return try outcome.get()
    }
}

extension AdminReply {
    /// What a problem's `detail` says; else the status.
    var detail: String { problemDetail(body) ?? "status \(status)" }
}
