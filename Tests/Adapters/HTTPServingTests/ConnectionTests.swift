import Basics
import Glibc
import HTTPMessages
import HTTPServing
import Synchronization
import TestSupport
import Testing

/// What ends a connection, and what does not.
@Suite("Connections over HTTP")
struct ConnectionTests {
    /// Says what it was asked.
    private let echo = ClosureHandler { request, responder in
        responder.send(.text(200, lines: [request.method, request.path]))
    }

    private func server(
        _ handler: any HTTPHandler,
        _ set: (inout HTTPServerLimits) -> Void
    ) throws -> HTTPServer {
        var limits = HTTPServerLimits()
        limits.silence = .seconds(60)
        limits.idle = .seconds(60)
        set(&limits)
        return try HTTPServer(
            ListeningAddress(host: "127.0.0.1", port: 0)!,
            limits: limits,
            handler: handler
        )
    }

    @Test func `HTTP 1.0 ends its connection, unless the client wants to keep it`() throws {
        let server = try HTTPServer(echo)
        let client = TestClient(server.address)
        for path in ["/a", "/b"] {
            client.send("GET \(path) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let answer = try #require(client.answer())
            #expect(answer.body == "GET\n\(path)\n")
            #expect(answer.headers["Connection"] == "keep-alive")
        }
        client.send("GET /c HTTP/1.0\r\n\r\n")
        #expect(client.answer()?.headers["Connection"] == "close")
        #expect(client.readToEnd() == "" && client.hasEnded)
    }

    @Test func `A target in absolute form names the host`() throws {
        let server = try HTTPServer(
            ClosureHandler { request, responder in
                responder.send(.text(200, lines: [request.host ?? "none", request.path]))
            }
        )
        let client = TestClient(server.address)
        client.send("GET http://b.example:80/c?d HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.answer()?.body == "b.example:80\n/c\n")
        client.get("/e")
        #expect(client.answer()?.body == "a\n/e\n")
    }

    @Test func `A client that wants its connection to end gets its answer first`() throws {
        let server = try HTTPServer(echo)
        let client = TestClient(server.address)
        client.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        client.get("/not-read")
        #expect(client.answer()?.body == "GET\n/a\n")
        #expect(client.readToEnd() == "" && client.hasEnded)
        let hasty = TestClient(server.address)
        hasty.get("/b")
        hasty.get("/c")
        hasty.endWriting()
        #expect(hasty.answer()?.body == "GET\n/b\n")
        #expect(hasty.answer()?.body == "GET\n/c\n")
        #expect(hasty.readToEnd() == "" && hasty.hasEnded)
    }

    @Test(
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("GET /\r\n\r\n", 505), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
            ("GET / HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n", 400),
            ("GET /" + String(repeating: "a", count: 9_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 17_000) + "\r\n\r\n", 431),
            (
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked"
                    + "\r\n\r\n0\r\n\r\n",
                400
            ),
        ] as [(String, Int)]
    )
    func `What is no request is refused, and its connection ends`(
        text: String,
        status: Int
    ) throws {
        let server = try HTTPServer(echo)
        let client = TestClient(server.address)
        client.send(text)
        let answer = try #require(client.answer())
        #expect(answer.status == status)
        #expect(answer.headers["Content-Type"] == "application/problem+json")
        #expect(client.readToEnd() == "" && client.hasEnded)
        let other = try HTTPServer(RefusingHandler())
        let refused = TestClient(other.address)
        refused.send(text)
        #expect(refused.answer()?.body == "no: \(status)\n")
        #expect(refused.readToEnd() == "" && refused.hasEnded)
    }

    /// Has words of its own for what is no request.
    private struct RefusingHandler: HTTPHandler {
        func response(to failure: RequestFailure) -> HTTPResponse {
            .text(failure.status, lines: ["no: \(failure.status)"])
        }

        func respond(to request: HTTPRequest, with responder: HTTPResponder) {
            responder.send(.text(200, lines: []))
        }
    }

    @Test func `A method without a body is answered like any other, on a connection that stays`()
        throws
    {
        let server = try HTTPServer(echo)
        let client = TestClient(server.address)
        for method in ["DELETE", "OPTIONS", "PATCH", "BREW", "PUT"] {
            client.get("/x", method: method)
            #expect(client.answer()?.body == "\(method)\n/x\n")
        }
    }

    @Test func `A head that comes byte by byte has its time`() throws {
        let server = try server(echo) { $0.headTime = .seconds(1) }
        let client = TestClient(server.address)
        client.send("GET / HTTP/1.1\r\nA: ")
        while client.hearsNothing(milliseconds: 50) { client.send("b") }
        #expect(client.hasEnded)
    }

    @Test func `A long answer arrives whole, however slowly it is read`() throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 % 95 + 32) }
        let text = String(decoding: body, as: UTF8.self)
        let server = try server(
            ClosureHandler { _, responder in responder.send(.text(200, lines: [text])) }
        ) { $0.silence = .seconds(1) }
        let client = TestClient(server.address)
        client.get("/")
        client.get("/")
        for _ in 0..<2 {
            #expect(client.answer()?.body == text + "\n")
            usleep(300_000)
        }
    }

    @Test func `A client that does not read a long answer is ended after the silence`() throws {
        let isGone = Atomic<Bool>(false)
        let text = String(repeating: "x", count: 64 << 20)
        let server = try server(
            ClosureHandler { request, responder in
                if request.path == "/gone" { isGone.store(true, ordering: .releasing) }
                responder.send(.text(200, lines: [text]))
            }
        ) { $0.silence = .seconds(1) }
        let client = TestClient(server.address)
        client.get("/")
        usleep(3_500_000)
        // The rest of the answer never comes.
        client.get("/gone")
        #expect(client.readToEnd().utf8.count < text.utf8.count && client.hasEnded)
        let wasRead = isGone.load(ordering: .acquiring)
        #expect(!wasRead)
        server.stop()
    }

    @Test func `A stream whose client reads nothing ends after the stall time`() throws {
        let handler = KeepingHandler()
        let server = try server(handler) {
            $0.stallTime = .seconds(1)
            $0.unsentEventBytes = 64 << 20
        }
        let client = TestClient(server.address)
        client.get("/")
        let stream = handler.next().beginEvents()
        let data = String(repeating: "x", count: 1 << 20)
        for _ in 0..<32 { #expect(stream.send(event: nil, data: data)) }
        wait { !stream.isOpen }
        // One that reads has its events, whole.
        let other = TestClient(server.address)
        other.get("/")
        let read = handler.next().beginEvents()
        _ = other.read(until: "\r\n\r\n")
        for _ in 0..<8 { #expect(read.send(event: nil, data: data)) }
        read.close()
        #expect(other.read(until: "0\r\n\r\n").utf8.count { $0 == 0x78 } == 8 << 20)
        _ = client
    }

    @Test func `Of too many connections that are being ended the oldest is closed`() throws {
        let server = try server(echo) {
            $0.endings = 4
            $0.connections = 32
        }
        let before = Self.openFiles
        // Each keeps its side open after its last answer.
        let clients = (0..<12).map { _ in
            let client = TestClient(server.address)
            client.send("GET / HTTP/1.0\r\n\r\n")
            #expect(client.answer()?.status == 200)
            return client
        }
        let last = TestClient(server.address)
        last.get("/")
        #expect(last.answer()?.status == 200)
        // Both ends of the last one, and of the others the clients' ends and four of the server's.
        #expect(Self.openFiles - before == 2 + clients.count + 4)
        for client in clients { #expect(client.readToEnd() == "" && client.hasEnded) }
    }

    @Test(arguments: [false, true])
    func `A client that leaves its side open after the last answer is closed in the end`(
        isLong: Bool
    ) throws {
        let text = String(repeating: "x", count: isLong ? 32 << 20 : 10)
        let server = try server(
            ClosureHandler { _, responder in responder.send(.text(200, lines: [text])) }
        ) {
            $0.endingTime = .seconds(1)
            $0.silence = .seconds(1)
        }
        let before = Self.openFiles
        let client = TestClient(server.address)
        client.send("GET / HTTP/1.0\r\n\r\n")
        // Of a long answer a part is read.
        if isLong { _ = client.read(until: "xxx") } else { #expect(client.answer() != nil) }
        wait { Self.openFiles == before + 1 }
        _ = client
    }

    /// The open files of this process.
    private static var openFiles: Int {
        (0..<4_096 as Range<CInt>).count { fcntl($0, F_GETFD) >= 0 }
    }

    @Test func `The answer to HEAD is no stream`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(handler)
        let client = TestClient(server.address)
        client.get("/", method: "HEAD")
        let stream = handler.next().beginEvents()
        #expect(client.read(until: "\r\n\r\n").contains("text/event-stream"))
        wait { !stream.isOpen }
        client.get("/")
        handler.next().send(.text(200, lines: ["next"]))
        #expect(client.answer()?.body == "next\n")
    }

    @Test func `Not modified has no content and states no length`() throws {
        let server = try HTTPServer(
            ClosureHandler { _, responder in
                responder.send(HTTPResponse(status: 304, headers: [("ETag", "\"a\"")], body: []))
            }
        )
        let client = TestClient(server.address)
        for _ in 0..<2 {
            client.get("/")
            let answer = try #require(client.answer())
            #expect(answer.status == 304 && answer.headers["ETag"] == "\"a\"")
            #expect(answer.headers["Content-Length"] == nil)
        }
    }
}
