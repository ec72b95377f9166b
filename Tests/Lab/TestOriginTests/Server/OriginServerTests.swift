import Basics
import Glibc
import HTTPFetching
import HTTPServing
import LibuvLoop
import Platform
import TestSupport
import Testing

@testable import TestOrigin

@Suite("An origin over HTTP")
struct OriginServerTests {
    private func server(capacity: Int?, latency: Milliseconds) throws -> OriginServer {
        try OriginServer(
            ListeningAddress(host: "127.0.0.1", port: 0)!,
            model: OriginModel(capacity: capacity, latency: latency),
            content: world(),
            connections: 512
        )
    }

    private func world() throws -> OriginContent {
        var content = OriginContent(seed: 1)
        try content.declare(pool: "character", fields: [OriginField("hp", initial: .number(7...7))])
        return content
    }

    /// Asks for all of them at once, and waits for all answers.
    private func fetch(
        _ paths: [String],
        from server: OriginServer,
        meanwhile: () throws -> Void = {}
    ) throws -> [Result<HTTPReply, HTTPFetchError>] {
        let loop = try Loop()
        var limits = HTTPClientLimits()
        limits.connections = 300
        let client = try HTTPClient(loop, limits: limits)
        var outcomes: [Result<HTTPReply, HTTPFetchError>] = []
        for path in paths {
            client.get("http://\(server.address)\(path)") { outcome in
                outcomes.append(outcome)
                if outcomes.count == paths.count { client.close() }
            }
        }
        try meanwhile()
        try loop.run()
        try loop.close()
        return outcomes
    }

    @Test func `Resources are there, counts are, and nothing else is`() throws {
        let server = try server(capacity: nil, latency: 0)
        func get(_ path: String) throws -> HTTPReply { try fetch([path], from: server)[0].get() }
        let elf = Array(#"{"character":"elf 42","revision":0,"hp":7}"#.utf8)
        #expect(try get("/character/elf%2042") == HTTPReply(status: 200, body: elf))
        for path in ["/", "/character", "/character/", "/dragon/x", "/counts/x"] {
            #expect(try get(path).status == 404)
        }
        let counts = try get("/counts?seconds=0")
        let text = String(decoding: counts.body, as: UTF8.self)
        let pattern =
            #/\{"second":\d+,"arrived":1,"answered":1,"refused":0,"waiting":0,"peak":\{"second":\d+,"arrived":1\},"first":\d+,"seconds":\[\]\}/#
        #expect(text.wholeMatch(of: pattern) != nil, "\(text)")
        #expect(server.counts.sums == OriginCounts.Counts(arrived: 1, answered: 1, refused: 0))
    }

    @Test func `An answer takes its latency, and includes pushes until then`() throws {
        let server = try server(capacity: nil, latency: 300)
        let start = MonotonicTime.now.rawValue
        let reply = try fetch(["/character/elf-42"], from: server) {
            let changed = try server.apply(
                payload: Array(#"{"character":"elf-42","event":"potion","hp":30}"#.utf8)
            )
            #expect(changed == 1)
        }[0].get()
        #expect(MonotonicTime.now.rawValue - start >= 300)
        #expect(
            String(decoding: reply.body, as: UTF8.self)
                == #"{"character":"elf-42","revision":1,"hp":30,"event":"potion"}"#
        )
        #expect(throws: JSONError.self) { try server.apply(payload: [1]) }
    }

    @Test func `Of 300 at once some are answered by and by, and the others refused`() throws {
        let server = try server(capacity: 100, latency: 20)
        let start = MonotonicTime.now.rawValue
        let outcomes = try fetch((0..<300).map { "/character/elf-\($0)" }, from: server)
        let duration = Int(MonotonicTime.now.rawValue - start)
        let replies = try outcomes.map { try $0.get() }
        let answered = replies.count { $0.status == 200 }
        let refused = replies.filter { $0.status == 503 }
        // One at once, 100 that wait; and one more each 10 ms that the requests took to arrive.
        #expect(answered >= 101 && answered <= 101 + duration / 10)
        #expect(answered + refused.count == 300)
        #expect(refused.allSatisfy { $0.retryAfterSeconds == 1 || $0.retryAfterSeconds == 2 })
        // The last turn is so long after the first.
        #expect(duration >= (answered - 1) * 10 + 20)
        let sums = OriginCounts.Counts(arrived: 300, answered: answered, refused: refused.count)
        #expect(server.counts.sums == sums)
    }

    @Test func `Stopping ends those that wait`() throws {
        let server = try server(capacity: 1, latency: 60_000)
        let loop = try Loop()
        let client = try HTTPClient(loop)
        var outcomes: [Result<HTTPReply, HTTPFetchError>] = []
        for _ in 0..<2 {
            client.get("http://\(server.address)/character/elf-42") { outcome in
                outcomes.append(outcome)
                if outcomes.count == 2 { client.close() }
            }
        }
        let stopper = JoinableThread {
            while server.counts.sums.arrived < 2 { sched_yield() }
            server.stop()
            server.stop()
        }
        try loop.run()
        stopper.join()
        for outcome in outcomes {
            guard case .failure(.unreachable) = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
        try loop.close()
    }

    @Test func `A refusal is a problem that says when to come again`() throws {
        var state = try OriginState(
            OriginModel(capacity: 2, latency: 0, queue: 1),
            content: world(),
            start: 0
        )
        let request = HTTPRequest(method: "GET", path: "/character/a")
        guard case .now(let first) = state.receive(request, at: 0) else {
            Issue.record("the first one does not wait")
            return
        }
        #expect(first.status == 200)
        #expect(state.receive(request, at: 0) == .later(500_000_000))
        guard case .now(let refusal) = state.receive(request, at: 0) else {
            Issue.record("the third one is refused")
            return
        }
        #expect(refusal.status == 503 && refusal.header("Retry-After") == "1")
        #expect(refusal.header("Content-Type") == "application/problem+json")
        #expect(state.answer(request.path, at: 1_500_000_000).status == 200)
        #expect(state.counts[0] == OriginCounts.Counts(arrived: 3, answered: 1, refused: 1))
        #expect(state.counts[1] == OriginCounts.Counts(arrived: 0, answered: 1, refused: 0))
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "BREW"])
    func `What is there can only be read`(method: String) throws {
        var state = try OriginState(
            OriginModel(capacity: nil, latency: 0),
            content: world(),
            start: 0
        )
        for (path, status) in [("/character/a", 405), ("/counts", 405), ("/x", 404)]
            as [(_, UInt32)]
        {
            let request = HTTPRequest(method: method, path: path)
            guard case .now(let response) = state.receive(request, at: 0) else {
                Issue.record("that waits for nothing")
                return
            }
            #expect(response.status == status)
            #expect(response.header("Allow") == (status == 405 ? "GET, HEAD" : nil))
        }
        #expect(state.counts.sums == OriginCounts.Counts())
    }
}
