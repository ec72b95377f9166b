import ArgumentParser
import Basics
import CommandSupport
import Cryptography
import HTTPFetching
import HTTPMessages
import LibuvLoop
import ReloadRouterClient

/// The address of an admin server, and the token to send to it. Every command that sends requests
/// to an admin server uses it.
struct AdminAddress: CustomStringConvertible {
    /// The default port of an admin server.
    private static let port: UInt16 = 7_411

    /// The server, without the path.
    let endpoint: Endpoint
    private var security: ClientSecurity
    /// The path that precedes each request's path; does not end with a slash.
    private let prefix: String
    private(set) var headers: [String] = []
    /// Whether the user has named the file of the token.
    private(set) var isTokenGiven = false

    /// Reads `HOST:PORT`, `HOST`, `PORT`, or a URL such as `https://router:7411`, with a path if a
    /// proxy serves it below that path. Without `http` or `https`, TLS is for hosts that are not
    /// this machine.
    ///
    /// - Throws: `ValidationError` if it is no address, or the options contradict it;
    ///   `SettingsProblem` if a file that they name is not usable.
    init(_ server: String, options: SecurityOptions) throws {
        let scheme = ["https://", "http://"].first { server.hasPrefix($0) }
        let isURL = scheme != nil
        let isTLS = scheme.map { $0 == "https://" }
        if isTLS == true && options.forbidsTLS || isTLS == false && options.wantsTLS {
            throw ValidationError(
                "--to is \(server), which is \(isTLS == true ? "with" : "without") TLS, and "
                    + "another option asks for the opposite"
            )
        }
        let rest = server.dropFirst(scheme?.count ?? 0)
        let host = rest.prefix { $0 != "/" }
        guard Self.isHost(host), isURL || host == rest,
            server.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            let endpoint = Endpoint(String(host), defaultPort: Self.port(ofScheme: isTLS))
        else {
            throw ValidationError(
                "--to is \(server); it must be HOST:PORT, a port of this machine, or a URL such as "
                    + "http://127.0.0.1:7411"
            )
        }
        self.endpoint = endpoint
        security = try options.security(isTLS: isTLS)
        // A trial, so that a useless file is reported once, and at the beginning.
        _ = try Self.context(security, for: endpoint)
        var path = rest.dropFirst(host.count)
        while path.hasSuffix("/") { path.removeLast() }
        prefix = String(path)
    }

    /// Whether requests are sent with TLS.
    var isSecure: Bool { security.isSecure(for: endpoint) }

    /// The URL to which the path of a request is appended.
    var description: String { "\(isSecure ? "https" : "http")://\(endpoint)\(prefix)" }

    /// The default port of an address that begins with `https`, with `http`, or with neither.
    private static func port(ofScheme isTLS: Bool?) -> UInt16 {
        isTLS.map { $0 ? 443 : 80 } ?? port
    }

    private static func context(
        _ security: ClientSecurity,
        for endpoint: Endpoint
    ) throws(SettingsProblem) -> TLSClientContext? {
        do throws(TLSError) {
            return try security.context(for: endpoint, speaking: "http/1.1")
        } catch {
            throw SettingsProblem("--ca, --cert and --key: \(error)")
        }
    }

    /// True for a name or an address, perhaps with a port; an IPv6 address must be in brackets.
    private static func isHost(_ text: Substring) -> Bool {
        guard let first = text.first, first != ":", !text.contains(where: { "*?#@%".contains($0) })
        else { return false }
        return first == "[" || text.count { $0 == ":" } <= 1
    }

    /// Adds a token to every request: that of a file, or else that of this machine's routers, if
    /// the server is on this machine: another one must not get it.
    mutating func readToken(_ file: String?) throws(SettingsProblem) {
        isTokenGiven = file != nil
        headers = try AdminTokenFile.headers(for: endpoint, file: file)
    }

    /// A request for a path, which begins with a slash. With a body and without a method it is a
    /// POST of JSON, or of nothing if the body is empty.
    func question(_ path: String, method: String? = nil, body: [UInt8]? = nil) -> AdminQuestion {
        assert(path.hasPrefix("/"), "a path does not begin with a slash")
        var question = AdminQuestion(prefix + path, method: method, body: body, headers: headers)
        if body?.isEmpty == false { question.headers.append("Content-Type: application/json") }
        return question
    }

    func client(_ loop: Loop, limits: AdminClient.Limits) throws -> AdminClient {
        try AdminClient(
            loop,
            server: endpoint,
            security: Self.context(security, for: endpoint),
            limits: limits
        )
    }

    /// The same server, connected to in another way.
    func secured(by security: ClientSecurity) -> AdminAddress {
        var copy = self
        copy.security = security
        return copy
    }

    /// Sends one request on a loop of its own, blocks until the answer has come, and returns its
    /// JSON.
    ///
    /// - Throws: `SettingsProblem` if its status is not 200, `NoAdminAnswer` if none comes.
    func json(answering question: AdminQuestion) throws -> JSONValue {
        var limits = AdminClient.Limits()
        limits.bodyBytes = 64 << 20
        switch try outcome(of: question, limits: limits) {
        case .failure(let error): throw NoAdminAnswer(description: problem(error))
        case .success(let answer) where answer.status != 200:
            throw SettingsProblem("\(self): \(problem(in: answer))")
        case .success(let answer):
            if let json = try? JSONValue(answer.body) { return json }
            throw SettingsProblem("\(self): status 200 without JSON")
        }
    }

    /// Runs what a command asks. Errors are printed, and end it with the exit status for them.
    static func reportingFailures<Result>(
        of command: String,
        body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as SettingsProblem {
            writeStandardError("reload-router \(command): \(error)\n")
            throw ExitStatus.refused
        } catch let error as NoAdminAnswer {
            writeStandardError("reload-router \(command): \(error)\n")
            throw ExitStatus.disconnected
        }
    }

    func outcome(
        of question: AdminQuestion,
        limits: AdminClient.Limits
    ) throws -> Result<HTTPAnswer, AdminClientError> {
        let context = try Self.context(security, for: endpoint)
        return try AdminClient.outcome(
            of: question,
            at: endpoint,
            security: context,
            limits: limits
        )
    }
}

/// What went wrong with a request, in sentences that name the server and what to do.
extension AdminAddress {
    /// Why the server refuses a request: the `detail` of its answer, or else the status.
    func problem(in answer: HTTPAnswer) -> String {
        if answer.status == 401 {
            return isTokenGiven
                ? "the admin server needs a token: it refuses this one"
                : "the admin server needs a token: give --token-file"
        }
        if let detail = problemDetail(answer.body) { return detail }
        // A server that speaks TLS answers so to a request without.
        if answer.status == 400, !isSecure, let sentence = otherService() { return sentence }
        return "status \(answer.status)"
    }

    /// What else listens there, as a sentence; nil if it is an admin server, or nothing.
    private func otherService() -> String? {
        PortProbe.service(at: endpoint)?.sentence(forAdminClientOf: endpoint, isSecure: isSecure)
    }

    /// Why there is no answer. If something else may listen there, this asks what, which takes
    /// about a second.
    func problem(_ error: AdminClientError) -> String {
        switch error {
        case .broken, .timedOut, .unreachable, .security:
            if let sentence = otherService() { return sentence }
        case .tooLarge, .tooMany, .closed, .addressInvalid: break
        }
        return "\(self): \(error)"
    }
}

/// A request that got no answer, as a sentence that names the server.
struct NoAdminAnswer: Error, CustomStringConvertible {
    /// The sentence, without a full stop.
    let description: String
}
