import Basics
import Glibc
import HTTPServing
import Platform
import Synchronization
import TestSupport
import Testing

@testable import AdminAPI
@testable import RouterCore

/// The ended tokens of a router that does not exist.
private final class FakeTokens: Sendable {
    private let numbers: Mutex<[UInt64]>
    private let problem = Mutex<AdminProblem?>(nil)

    init(_ numbers: [UInt64]) { self.numbers = Mutex(numbers) }

    func append(_ number: UInt64) { numbers.withLock { $0.append(number) } }
    func fail(_ problem: AdminProblem?) { self.problem.withLock { $0 = problem } }

    /// The answer of its loop.
    func answer(_ request: AdminRequest) -> AdminAnswer? {
        guard case .deadTokens("game", let after, let limit) = request else {
            return .problem(AdminProblem(404, code: "app-unknown", detail: "there is no such app"))
        }
        if let problem = problem.withLock({ $0 }) { return .problem(problem) }
        let found = numbers.withLock { $0.filter { $0 > after } }
        let page = found.prefix(limit).map { DeadTokenTests.token($0) }
        let next = found.count > limit ? page.last?.number : nil
        return .body(ListBody("tokens", of: page, next: next))
    }
}

@Suite("Dead tokens of an app")
struct DeadTokenTests {
    private static let path = "/v1/apps/game/dead-tokens"

    static func token(_ number: UInt64) -> EndedTokenView {
        EndedTokenView(
            number: number,
            device: "d\(number)",
            channel: number % 2 == 0 ? .controls : .background,
            control: number % 2 == 0 ? .init(widget: "lamp", kind: "com.game.lamp") : nil,
            token: Array("c0ffee".utf8),
            environment: .production,
            state: number % 2 == 0 ? .refused : .dead,
            fault: number % 2 == 0 ? .unknown : .unregistered,
            since: 1_748_775_600_000,
            registeredAt: 5
        )
    }

    /// What `printf c0ffee | sha256sum` prints.
    private static let hash = "fb0288872031fc4818c03a7253bd3a78de192d05e6bccd09ceabeda65b4d7c6f"

    @Test func `A token is written as its hash alone`() {
        var json = JSONWriter()
        ListBody("tokens", of: [Self.token(1), Self.token(2)], next: 2 as UInt64?).write(to: &json)
        #expect(
            json.bytes.text
                == #"{"tokens":[{"number":1,"device":"d1","channel":"background","#
                + #""widget":null,"kind":null,"tokenSHA256":"\#(Self.hash)","#
                + #""environment":"production","state":"dead","reason":"Unregistered","#
                + #""since":1748775600000,"registeredAt":5},"#
                + #"{"number":2,"device":"d2","channel":"controls","widget":"lamp","#
                + #""kind":"com.game.lamp","tokenSHA256":"\#(Self.hash)","#
                + #""environment":"production","state":"refused","reason":null,"#
                + #""since":1748775600000,"registeredAt":5}],"next":2}"#
        )
        #expect(!json.bytes.text.contains("c0ffee"))
    }

    @Test func `A page is asked of the loop`() {
        let stage = AdminStage()
        #expect(stage.ask("GET", Self.path).status == 200)
        #expect(stage.ask("GET", Self.path + "?after=7&limit=3").status == 200)
        #expect(stage.port.take() == ["deadTokens game 0 100", "deadTokens game 7 3"])
        for query in ["after=x", "after=-1", "after=9007199254740993", "limit=0", "before=1"] {
            #expect(
                stage.ask("GET", Self.path + "?" + query).code == "parameter-invalid",
                "\(query)"
            )
        }
        #expect(stage.port.take() == [])
    }

    @Test func `A stream that cannot begin is refused with a problem`() {
        let stage = AdminStage()
        let events = Self.path + "/events"
        #expect(stage.ask("GET", events + "?after=x").code == "parameter-invalid")
        for id in ["x", "+1", "-1", "9007199254740993", "1 "] {
            let answer = stage.ask("GET", events, headers: [("Last-Event-ID", id)])
            #expect(answer.code == "header-invalid", "\(id)")
        }
        #expect(stage.ask("HEAD", events).status == 405)
        #expect(stage.ask("POST", events).header("Allow") == "GET")
    }

    // MARK: - The stream

    /// A server of a router with these tokens, and a client that reads its stream.
    private struct Stream {
        let server: AdminServer
        let client: TestClient

        init(_ tokens: FakeTokens, query: String = "", headers: String = "") throws {
            let port = FakePort { tokens.answer($0) }
            let stage = AdminStage(port: port, token: AdminStage.token)
            server = try AdminServer(
                ListeningAddress(host: "127.0.0.1", port: 0)!,
                resources: stage.resources
            )
            client = TestClient(server.address)
            client.send(
                "GET \(DeadTokenTests.path)/events\(query) HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(AdminStage.token)\r\n\(headers)\r\n"
            )
        }

        /// Reads up to the event with an id.
        func read(_ number: UInt64) -> String {
            var text = ""
            while !Self.joined(text).contains("id: \(number)\n") {
                let more = client.read(until: "\n\n\r\n")
                if more.isEmpty { break }
                text += more
            }
            return Self.joined(text)
        }

        /// A text without what is between two chunks, one of which may end in the middle of an
        /// event.
        private static func joined(_ text: String) -> String {
            let bytes = Array(text.utf8)
            var rest: [UInt8] = []
            var index = 0
            while index < bytes.count {
                if let end = endOfSize(in: bytes, at: index) {
                    index = end
                } else {
                    rest.append(bytes[index])
                    index += 1
                }
            }
            return String(decoding: rest, as: UTF8.self)
        }

        /// The end of a line end and a chunk's size that begin at an index; nil if none do.
        private static func endOfSize(in bytes: [UInt8], at index: Int) -> Int? {
            if !bytes[index...].starts(with: [13, 10]) { return nil }
            let end = bytes[(index + 2)...].firstIndex { !Character(Unicode.Scalar($0)).isHexDigit }
            guard let end, end > index + 2, bytes[end...].starts(with: [13, 10]) else { return nil }
            return end + 2
        }
    }

    @Test func `It begins with the tokens of before, and brings each further one`() throws {
        let tokens = FakeTokens([3, 4])
        let stream = try Stream(tokens)
        let first = stream.read(4)
        #expect(first.contains("Content-Type: text/event-stream"))
        #expect(first.contains("event: token\nid: 3\ndata: {\"number\":3,\"device\":\"d3\""))
        #expect(first.contains("event: token\nid: 4\n"))
        tokens.append(9)
        let second = stream.read(9)
        #expect(second.contains("event: token\nid: 9\n") && !second.contains("id: 4\n"))
        stream.server.stop()
    }

    @Test(arguments: [
        ("?after=3", ""), ("", "Last-Event-ID: 3\r\n"), ("?after=1", "Last-Event-ID: 3\r\n"),
    ])
    func `It continues after the last one that its client knows`(
        query: String,
        headers: String
    ) throws {
        let stream = try Stream(FakeTokens([2, 3, 4]), query: query, headers: headers)
        let text = stream.read(4)
        #expect(text.contains("id: 4\n") && !text.contains("id: 3\n") && !text.contains("id: 2\n"))
        stream.server.stop()
    }

    @Test func `More tokens than a round brings all come, in their order`() throws {
        let tokens = FakeTokens((1...1_200).map { $0 })
        let stream = try Stream(tokens)
        let text = stream.read(1_200)
        let numbers = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }
        #expect(numbers == (1...1_200).map { "id: \($0)" })
        stream.server.stop()
    }

    @Test func `A problem that passes leaves the stream open, an unknown app ends it`() throws {
        let tokens = FakeTokens([1])
        tokens.fail(.busy("the loop is busy"))
        let stream = try Stream(tokens)
        let problem = stream.client.read(until: "}\n\n\r\n")
        #expect(problem.contains("event: problem\ndata: {\"type\":\"about:blank\""))
        #expect(problem.contains("\"code\":\"busy\""))
        tokens.fail(nil)
        #expect(stream.read(1).contains("id: 1\n"))
        tokens.append(2)
        tokens.fail(AdminProblem(404, code: "app-unknown", detail: "there is no such app"))
        #expect(stream.client.read(until: "0\r\n\r\n").contains("\"code\":\"app-unknown\""))
        stream.server.stop()
    }

    @Test func `A viewer beyond the limit is refused`() throws {
        let tokens = FakeTokens([1])
        let stage = AdminStage(
            port: FakePort { tokens.answer($0) },
            token: AdminStage.token
        )
        let server = try AdminServer(
            ListeningAddress(host: "127.0.0.1", port: 0)!,
            resources: stage.resources
        )
        let request =
            "GET \(Self.path)/events HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Bearer \(AdminStage.token)\r\n\r\n"
        let clients = (0..<AdminEvents.tokenViewerLimit).map { _ in TestClient(server.address) }
        for client in clients {
            client.send(request)
            // A round follows at once when a viewer is added.
            #expect(client.read(until: "\n\n\r\n").contains("id: 1\n"))
        }
        let late = TestClient(server.address)
        late.send(request)
        #expect(late.answer()?.status == 503)
        server.stop()
    }

    @Test func `The status comes while the loop answers no question about tokens`() throws {
        let asked = Counter()
        let port = FakePort { _ in
            asked.add()
            return nil
        }
        let stage = AdminStage(port: port, token: AdminStage.token)
        let server = try AdminServer(
            ListeningAddress(host: "127.0.0.1", port: 0)!,
            resources: stage.resources
        )
        func client(_ path: String) -> TestClient {
            let client = TestClient(server.address)
            client.send(
                "GET \(path) HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(AdminStage.token)\r\n\r\n"
            )
            return client
        }
        let tokens = client(Self.path + "/events")
        while asked.value == 0 { sched_yield() }
        let status = client("/v1/events")
        #expect(status.read(until: "\n\n\r\n").contains("event: "))
        #expect(status.read(until: "\n\n\r\n").contains("event: "))
        server.stop()
        withExtendedLifetime(tokens) {}
    }
}
