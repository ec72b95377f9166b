import Basics
import HTTPServing
import Synchronization
import Testing

@testable import ReloadRouterClient

/// A listener for publishers whose answers a test decides.
private final class Listener: HTTPHandler {
    typealias Answer = @Sendable (HTTPRequest) -> HTTPResponse?

    let requests = Mutex<[HTTPRequest]>([])
    private let answer: Answer
    /// The responders of the requests that get no answer.
    private let unanswered = Mutex<[HTTPResponder]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    /// A server with this listener, at a port of its own.
    func serve() throws -> HTTPServer {
        try HTTPServer(ListeningAddress(host: "127.0.0.1", port: 0)!, handler: self)
    }

    func respond(to request: HTTPRequest, with responder: HTTPResponder) {
        requests.withLock { $0.append(request) }
        if let response = answer(request) {
            responder.send(response)
        } else {
            unanswered.withLock { $0.append(responder) }
        }
    }

    /// Waits until so many requests have come.
    func waitFor(_ count: Int) async {
        while requests.withLock({ $0.count }) < count { await Task.yield() }
    }

    /// Answers what has no answer.
    func answerAll(_ response: HTTPResponse) {
        for responder in unanswered.withLock({ $0 }) { responder.send(response) }
    }
}

private func json(_ status: UInt32, _ body: String) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "application/json", body: body)
}

private let history = json(
    200,
    """
    {"app":"com.mygame","producer":"p","seq":41,"at":1795000000000,"matched":3,\
    "keptSince":1794990000000,"outcomes":{"sent":2,"spacing":1},"kinds":{"k":3},"widgets":[\
    {"device":"d-1","widget":"w1","kind":"k","outcome":"sent","at":1795000000004,"first":"spacing"},\
    {"device":"d-2","widget":"w1","kind":"k","outcome":"spacing","until":1795000300000,\
    "why":"a widget's reloads are 5 min apart","tomorrow":1}],"next":1}
    """
)

extension PushHistoryClient {
    fileprivate convenience init(
        _ server: HTTPServer,
        app: String = "com.mygame",
        token: String? = "t",
        tokens: TokenProvider? = nil,
        producer: String = "p",
        limits: ClientLimits = ClientLimits()
    ) throws {
        try self.init(
            of: "\(server.address)",
            app: app,
            token: token,
            tokens: tokens,
            producer: producer,
            limits: limits
        )
    }

    /// Why a question is not answered.
    fileprivate func error(of seq: UInt64 = 41) async -> ClientError? {
        do throws(ClientError) {
            _ = try await history(of: seq)
            return nil
        } catch {
            return error
        }
    }
}

// What test_history.py says of the libraries for other languages, said of this one.

struct PushHistoryTests {
    @Test func `a question is a GET with the token, and says what each widget's reload became`()
        async throws
    {
        let listener = Listener { _ in history }
        let server = try listener.serve()
        defer { server.stop() }
        let client = try PushHistoryClient(
            server,
            app: "a/b c",
            token: "a-token",
            producer: "shard 7"
        )
        let found = try await client.history(of: 41)
        let request = listener.requests.withLock { $0[0] }
        #expect(request.method == "GET")
        #expect(request.rawPath == "/v1/apps/a%2Fb%20c/pushes/shard%207/41")
        #expect(request.arguments.isEmpty)
        #expect(request.header("Authorization") == "Bearer a-token")
        let expected = PublishedPush(
            seq: 41,
            at: 1_795_000_000_000,
            matched: 3,
            outcomes: ["sent": 2, "spacing": 1],
            kinds: ["k": 3],
            widgets: [
                .init(
                    device: "d-1",
                    widget: "w1",
                    kind: "k",
                    outcome: "sent",
                    first: "spacing",
                    at: 1_795_000_000_004
                ),
                .init(
                    device: "d-2",
                    widget: "w1",
                    kind: "k",
                    outcome: "spacing",
                    until: 1_795_000_300_000,
                    why: "a widget's reloads are 5 min apart"
                ),
            ],
            next: 1
        )
        #expect(found == expected)
    }

    @Test func `the next page is asked for, and has no counts`() async throws {
        let listener = Listener { _ in
            json(200, #"{"matched":3,"at":1,"widgets":[],"next":null}"#)
        }
        let server = try listener.serve()
        defer { server.stop() }
        let page = try await PushHistoryClient(server).history(of: 41, after: 1)
        #expect(listener.requests.withLock { $0[0].query("after") } == "1")
        #expect(page.widgets.isEmpty && page.outcomes.isEmpty && page.next == nil)
    }

    @Test(arguments: [
        (UInt32(404), "push-unknown", Retry.no), (410, "push-forgotten", .no),
        (403, "token-invalid", .no), (503, "busy", .later), (429, "too-many-requests", .later),
    ])
    func `a refusal is thrown with its code, and whether another attempt is of use`(
        status: UInt32,
        code: String,
        retry: Retry
    ) async throws {
        let listener = Listener { _ in json(status, #"{"code":"\#(code)","detail":"so it is"}"#) }
        let server = try listener.serve()
        defer { server.stop() }
        let expected = Rejection(seq: 41, code: code, retry: retry, message: "so it is")
        #expect(try await PushHistoryClient(server).error() == .rejected(expected))
    }

    @Test(arguments: [
        (UInt32(404), "<html></html>"), (200, "{}"), (200, "[]"),
        (200, #"{"matched":1,"at":1,"widgets":[{"device":7}],"next":null}"#),
    ])
    func `an answer that is none of a router is thrown with its status`(
        status: UInt32,
        body: String
    ) async throws {
        let listener = Listener { _ in json(status, body) }
        let server = try listener.serve()
        defer { server.stop() }
        let error = try await PushHistoryClient(server).error()
        guard case .rejected(let rejection)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(rejection.code == "status-\(status)" && rejection.retry == .no)
    }

    @Test func `no redirect gets the token`() async throws {
        let listener = Listener { _ in
            HTTPResponse(status: 302, headers: [("Location", "/elsewhere")], body: [])
        }
        let server = try listener.serve()
        defer { server.stop() }
        guard case .rejected(let rejection)? = try await PushHistoryClient(server).error() else {
            Issue.record("a redirect is no answer")
            return
        }
        #expect(rejection.code == "status-302")
        #expect(listener.requests.withLock { $0.count } == 1)
    }

    @Test func `an answer that does not come is one that may come to another question`()
        async throws
    {
        let listener = Listener { _ in nil }
        let server = try listener.serve()
        let client = try PushHistoryClient(server)
        async let cut = client.error()
        await listener.waitFor(1)
        server.stop()
        #expect(await cut?.isTemporary == true)
        // Nobody listens any more.
        guard case .unreachable? = await client.error() else {
            Issue.record("a server that is gone is reached")
            return
        }
    }

    @Test func `each question asks for a token, and is not sent without one`() async throws {
        struct NoToken: Error {}
        let listener = Listener { _ in history }
        let server = try listener.serve()
        defer { server.stop() }
        let asked = Mutex(0)
        let tokens: TokenProvider = {
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            if number == 3 { throw NoToken() }
            return "token-\(number)"
        }
        let client = try PushHistoryClient(server, tokens: tokens)
        _ = try await client.history(of: 1)
        _ = try await client.history(of: 2)
        #expect(
            listener.requests.withLock { $0.map { $0.header("Authorization") } }
                == ["Bearer token-1", "Bearer token-2"]
        )
        #expect(await client.error() == .tokenUnavailable("NoToken()"))
        #expect(listener.requests.withLock { $0.count } == 2)
    }

    @Test func `a task that is cancelled does not wait for the answer`() async throws {
        let listener = Listener { _ in nil }
        let server = try listener.serve()
        defer { server.stop() }
        let client = try PushHistoryClient(server)
        let task = Task { await client.error() }
        await listener.waitFor(1)
        task.cancel()
        #expect(await task.value == .cancelled)
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            return await client.error()
        }
        early.cancel()
        #expect(await early.value == .cancelled)
        #expect(listener.requests.withLock { $0.count } == 1)
    }

    @Test func `questions beyond the limit are refused until one is answered`() async throws {
        let listener = Listener { request in request.path.hasSuffix("/1") ? nil : history }
        let server = try listener.serve()
        defer { server.stop() }
        var limits = ClientLimits()
        limits.questions = 1
        let client = try PushHistoryClient(server, limits: limits)
        async let first = client.error(of: 1)
        await listener.waitFor(1)
        #expect(await client.error() == .limitReached("questions at a time: 1"))
        listener.answerAll(json(404, #"{"code":"push-unknown","detail":"none"}"#))
        #expect(await first?.isTemporary == false)
        #expect(await client.error() == nil)
    }

    @Test func `an address that is none is refused`() {
        #expect(throws: ClientError.addressInvalid("router:port")) {
            try PushHistoryClient(of: "router:port", app: "a", producer: "p")
        }
    }
}
