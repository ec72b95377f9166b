internal import Basics
internal import Cryptography
internal import HTTPFetching
internal import HTTPMessages
internal import LibuvLoop
internal import Platform
internal import Synchronization

/// Asks a router over HTTP what has become of pushes.
///
/// ```swift
/// let histories = try PushHistoryClient(
///     of: "localhost:7412", app: "com.mygame", token: secret, producer: "shard-7")
/// print(try await histories.history(of: 41).outcomes)
/// ```
///
/// It has no session: those of a publisher wait while a push of many widgets is delivered, and a
/// second one of the producer would end the first. Each question has a connection and a thread of
/// its own, because questions are rare. All methods may be called from any task.
public final class PushHistoryClient: Sendable {
    /// The longest answer that is read, in bytes. Beyond: `history` throws `protocolBroken`.
    private static var longestAnswer: Int { 1 << 20 }

    private let server: Endpoint
    /// The path of the producer's pushes, with a slash at its end.
    private let path: String
    private let token: String?
    private let tokens: TokenProvider?
    private let security: ClientSecurity
    private let limits: ClientLimits
    /// The number of questions whose threads run.
    private let questionCount = Atomic(0)

    /// Makes a client, without connecting.
    ///
    /// - Parameters:
    ///   - address: `HOST:PORT` or `[IPv6]:PORT` of the listener that `serve --publish` opens.
    ///   - app: the app that the pushes were for.
    ///   - token: one of the app's publisher tokens, if the app has any.
    ///   - tokens: asked for the token of each question, in place of `token`.
    ///   - producer: whose pushes they were.
    ///   - security: how the connections are protected.
    ///   - limits: `questions`, and `attemptTimeout`, which each step of a question may take.
    /// - Throws: `addressInvalid`.
    public init(
        of address: String,
        app: String,
        token: String? = nil,
        tokens: TokenProvider? = nil,
        producer: String,
        security: ClientSecurity = .automatic,
        limits: ClientLimits = ClientLimits()
    ) throws(ClientError) {
        guard let server = Endpoint(address, defaultPort: 443) else {
            throw .addressInvalid(address)
        }
        self.server = server
        path =
            "/v1/apps/\(PercentEscapes.encode(app))/pushes/\(PercentEscapes.encode(producer))/"
        self.token = token
        self.tokens = tokens
        self.security = security
        self.limits = limits
    }

    /// Asks what has become of a push so far. A question is not asked again by itself.
    ///
    /// - Parameters:
    ///   - seq: the number that `Publisher.push` has returned.
    ///   - position: `next` of the page before; nil for the first page.
    /// - Returns: a page of its history.
    /// - Throws: `rejected` with the router's code, such as `push-unknown` if no such push was
    ///   accepted, and `push-forgotten` if the router does not keep it any more, or with `status-N`
    ///   if the answer is none of a router; `unreachable` if no answer comes, `limitReached`,
    ///   `certificateInvalid`, `tokenUnavailable`, `protocolBroken`, `cancelled`.
    public func history(
        of seq: UInt64,
        after position: Int? = nil
    ) async throws(ClientError) -> PublishedPush {
        let path = "\(path)\(seq)" + (position.map { "?after=\($0)" } ?? "")
        let answer = try await answer(to: HTTPCall(path, headers: headers()))
        let body = answer.body.withByteView { try? JSONValue(parsing: $0) } ?? .null
        if answer.status == 200, let push = PublishedPush(body, of: seq) { return push }
        throw .rejected(
            Rejection(
                seq: seq,
                code: body.text("code") ?? "status-\(answer.status)",
                retry: answer.status == 429 || answer.status >= 500 ? .later : .no,
                message: body.text("detail") ?? "the answer is none of a router"
            )
        )
    }

    /// The header with the token of a question, if there is one.
    private func headers() async throws(ClientError) -> [String] {
        var token = token
        do {
            if let tokens { token = try await tokens() }
        } catch {
            throw .tokenUnavailable("\(error)")
        }
        return token.map { ["Authorization: Bearer \($0)"] } ?? []
    }

    /// Sends a request from a thread of its own, and suspends until its outcome is known. A task
    /// that is cancelled continues at once, and the thread ends by itself.
    private func answer(to call: HTTPCall) async throws(ClientError) -> HTTPAnswer {
        let outcome = Outcome()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if outcome.isAwaited(by: continuation) { start(call, outcome: outcome) }
            }
        } onCancel: {
            outcome.set(.failure(.cancelled))
        }
        return try result.get()
    }

    /// Starts the thread of a question, if another one may run.
    private func start(_ call: HTTPCall, outcome: Outcome) {
        let count = questionCount.add(1, ordering: .relaxed).newValue
        var status: CInt = 0
        if count <= limits.questions {
            status = startThread { [self] in
                let result = Result { () throws(ClientError) in try ask(call) }
                questionCount.subtract(1, ordering: .relaxed)
                outcome.set(result)
            }
            if status == 0 { return }
        }
        questionCount.subtract(1, ordering: .relaxed)
        let reason =
            status == 0
            ? "questions at a time: \(limits.questions)"
            : "the system starts no more threads (error \(status))"
        outcome.set(.failure(.limitReached(reason)))
    }

    /// Sends a request, and blocks until it is answered.
    private func ask(_ call: HTTPCall) throws(ClientError) -> HTTPAnswer {
        var stepLimits = HTTPConversation.Limits()
        stepLimits.bodyBytes = Self.longestAnswer
        stepLimits.timeout = Milliseconds(limits.attemptTimeout)
        stepLimits.connectTimeout = Milliseconds(limits.connectTimeout)
        stepLimits.lastConnectTimeout = stepLimits.connectTimeout
        do {
            return try HTTPConversation.outcome(
                of: call,
                at: server,
                security: security.context(for: server, speaking: "http/1.1"),
                limits: stepLimits
            ).get()
        } catch let error as TLSError {
            throw .certificateInvalid("\(error)")
        } catch HTTPFetchError.tooLarge {
            throw .protocolBroken("a history has more than \(Self.longestAnswer) bytes")
        } catch {
            throw .unreachable("\(server): \(error)")
        }
    }
}

/// The outcome of a question, for the task that waits for it. The first one counts.
private final class Outcome: Sendable {
    typealias Value = Result<HTTPAnswer, ClientError>

    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case known(Value)
    }

    private let state = Mutex(State.open)

    /// Resumes a continuation with the outcome, now or later; returns false if it was known
    /// already.
    func isAwaited(by continuation: CheckedContinuation<Value, Never>) -> Bool {
        let known = state.withLock { state -> Value? in
            if case .known(let value) = state { return value }
            state = .awaited(continuation)
            return nil
        }
        if let known { continuation.resume(returning: known) }
        return known == nil
    }

    /// Sets the outcome, unless there is one.
    func set(_ value: Value) {
        let before = state.withLock { state in
            let before = state
            if case .known = before { return before }
            state = .known(value)
            return before
        }
        if case .awaited(let continuation) = before { continuation.resume(returning: value) }
    }
}
