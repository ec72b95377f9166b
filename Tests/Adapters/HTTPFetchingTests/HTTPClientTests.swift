import Basics
import HTTPFetching
import HTTPMessages
import LibuvLoop
import TestSupport
import Testing

@Suite("Fetching over HTTP")
struct HTTPClientTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private let reply = HTTPAnswer(status: 200, body: Array("ok".utf8))

    @Test(
        arguments: [
            ("200 OK\r\n", 200, nil), ("404 Not Found\r\n", 404, nil),
            ("301 Moved\r\nLocation: /y\r\n", 301, nil), ("503 Busy\r\nRetry-After: 7\r\n", 503, 7),
            ("503 Busy\r\nRetry-After: 0\r\n", 503, nil),
            ("503 Busy\r\nRetry-After: 86401\r\n", 503, 86_400),
            ("503 Busy\r\nRetry-After: 99999999999999999999\r\n", 503, 86_400),
            ("503 Busy\r\nRetry-After: -7\r\n", 503, nil),
            ("429 Many\r\nRetry-After: soon\r\n", 429, nil),
        ] as [(String, Int, Int?)]
    )
    func `Whatever a server answers is the reply`(head: String, status: Int, retry: Int?) throws {
        let stage = try FetchStage()
        stage.whenAsked = { connection, _ in
            connection.say("HTTP/1.1 \(head)Content-Length: 2\r\n\r\nok")
        }
        let outcome = try stage.fetch()
        let expected = HTTPAnswer(status: status, body: [111, 107], retryAfterSeconds: retry)
        #expect(outcome == .success(expected))
        try stage.end()
    }

    @Test func `A reply may come byte by byte, in chunks, or up to the end`() throws {
        let stage = try FetchStage()
        stage.whenAsked = { connection, count in
            switch count {
            case 0: for byte in Self.ok.utf8 { connection.say([byte]) }
            case 1:
                connection.say(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n"
                )
            default:
                connection.say("HTTP/1.0 200 OK\r\n\r\nok")
                connection.shutdownAfterFlush()
            }
        }
        for _ in 0..<3 { #expect(try stage.fetch() == .success(reply)) }
        try stage.end()
    }

    @Test func `A connection is kept for the next request, and made anew when it has ended`() throws
    {
        let stage = try FetchStage()
        stage.whenAsked = { connection, _ in connection.say(Self.ok) }
        for _ in 0..<5 { #expect(try stage.fetch() == .success(reply)) }
        #expect(stage.connections.count == 1)
        stage.connections[0].close()
        for _ in 0..<5 { #expect(try stage.fetch() == .success(reply)) }
        #expect(stage.connections.count == 2)
        try stage.end()
    }

    @Test func `What follows an answer is none to the next request, which has its own connection`()
        throws
    {
        let stage = try FetchStage { $0.connections = 1 }
        stage.whenAsked = { connection, _ in connection.say(Self.ok + Self.ok) }
        for count in 1...3 {
            #expect(try stage.fetch() == .success(reply))
            #expect(stage.connections.count == count)
        }
        try stage.end()
    }

    @Test func `A request has the method that it names, and the next one its own`() throws {
        let stage = try FetchStage { $0.connections = 1 }
        stage.whenAsked = { connection, _ in connection.say(Self.ok) }
        for (method, body, line) in [
            ("PUT", Array("{}".utf8), "PUT /x "), (nil, Array("{}".utf8), "POST /x "),
            (nil, nil, "GET /x "),
        ] as [(String?, [UInt8]?, String)] {
            #expect(try stage.fetch(method: method, body: body) == .success(reply))
            #expect(stage.lastRequest.hasPrefix(line))
            #expect(stage.lastRequest.hasSuffix("\r\n\r\n\(body == nil ? "" : "{}")"))
        }
        try stage.end()
    }

    @Test func `Headers go with their request, and not with the next one`() throws {
        let stage = try FetchStage { $0.connections = 1 }
        stage.whenAsked = { connection, _ in connection.say(Self.ok) }
        let headers = ["Authorization: Bearer secret", "X-Other: 1"]
        #expect(try stage.fetch(headers: headers) == .success(reply))
        for header in headers { #expect(stage.lastRequest.contains("\r\n\(header)\r\n")) }
        #expect(try stage.fetch() == .success(reply))
        #expect(!stage.lastRequest.contains("secret"))
        #expect(!stage.lastRequest.contains("X-Other"))
        #expect(try stage.fetch(headers: ["X-Third: 3"]) == .success(reply))
        #expect(stage.lastRequest.contains("\r\nX-Third: 3\r\n"))
        #expect(stage.connections.count == 1)
        try stage.end()
    }

    @Test func `Requests under way and waiting are limited; further ones are refused`() throws {
        let stage = try FetchStage {
            $0.connections = 2
            $0.waiting = 3
        }
        var asked: [TCPConnection] = []
        stage.whenAsked = { connection, _ in asked.append(connection) }
        for _ in 0..<6 { stage.get(stage.url) }
        let client = try #require(stage.client)
        #expect(client.inFlightCount == 2 && client.waitingCount == 3)
        try stage.run { asked.count == 2 && stage.outcomes.count == 1 }
        #expect(stage.outcomes == [.failure(.tooMany)])
        for count in 1...5 {
            try stage.run { !asked.isEmpty }
            asked.removeFirst().say(Self.ok)
            try stage.run { stage.outcomes.count == count + 1 }
        }
        #expect(stage.outcomes[1...].allSatisfy { $0 == .success(reply) })
        #expect(client.inFlightCount == 0 && client.waitingCount == 0)
        #expect(stage.connections.count == 2)
        try stage.end()
    }

    @Test func `A reply that is too long is an error, up to the limit it is none`() throws {
        let stage = try FetchStage { $0.bodyBytes = 1_000 }
        stage.whenAsked = { connection, count in
            let length = 1_000 + count
            connection.say(
                "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n"
                    + String(repeating: "x", count: length)
            )
        }
        let first = try stage.fetch()
        #expect(try first.get().body.count == 1_000)
        #expect(try stage.fetch() == .failure(.tooLarge))
        try stage.end()
    }

    @Test func `A server that says nothing is given up`() throws {
        let stage = try FetchStage { $0.timeout = 50 }
        #expect(try stage.fetch() == .failure(.timedOut))
        stage.whenAsked = { connection, _ in connection.say("HTTP/1.1 200 OK\r\nConte") }
        #expect(try stage.fetch() == .failure(.timedOut))
        try stage.end()
    }

    @Test func `Missing servers, and those that end or answer nonsense, are reported as such`()
        throws
    {
        let stage = try FetchStage()
        stage.whenAsked = { connection, count in
            switch count {
            case 0: connection.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok")
            case 1: connection.say("what?\r\n\r\n")
            default: break
            }
            connection.shutdownAfterFlush()
        }
        for _ in 0..<3 { #expect(try stage.fetch().isUnreachable) }
        let url = try stage.stopListening()
        #expect(try stage.fetch(url).isUnreachable)
        try stage.end()
    }

    @Test(arguments: [
        "", "http://", "ftp://127.0.0.1/", "file:///etc/passwd", "http://a:b:c/", "\n",
    ])
    func `What is no address is reported as such`(url: String) throws {
        let stage = try FetchStage()
        let outcome = try stage.fetch(url)
        guard case .failure(.addressInvalid) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        try stage.end()
    }

    @Test(arguments: 0..<10)
    func `Random answers lead to one outcome each`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let stage = try FetchStage {
            $0.timeout = 500
            $0.bodyBytes = 64
        }
        stage.whenAsked = { connection, _ in
            var bytes = Array(Self.ok.utf8)
            for _ in 0..<random.below(4) {
                let position = random.below(bytes.count)
                switch random.below(3) {
                case 0: bytes[position] = UInt8(random.below(256))
                case 1: bytes.insert(UInt8(random.below(256)), at: position)
                default: bytes.remove(at: position)
                }
            }
            for byte in bytes { connection.say([byte]) }
            if random.below(2) == 0 { connection.shutdownAfterFlush() }
        }
        for _ in 0..<20 { stage.get(stage.url) }
        try stage.run { stage.outcomes.count >= 20 }
        #expect(stage.outcomes.count == 20)
        try stage.end()
    }
}

extension FetchStage.Outcome {
    fileprivate var isUnreachable: Bool {
        switch self {
        case .failure(.unreachable), .failure(.broken): true
        default: false
        }
    }
}
