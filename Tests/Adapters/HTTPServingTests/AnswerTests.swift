import Basics
import Glibc
import HTTPServing
import Synchronization
import TestSupport
import Testing

/// On which threads something happened.
private final class SeenThreads: Sendable {
    private let seen = Mutex<[UInt]>([])

    func record() { seen.withLock { $0.append(UInt(pthread_self())) } }
    var all: [UInt] { seen.withLock { $0 } }
}

@Suite("Answers over HTTP")
struct AnswerTests {
    /// Says what it was asked.
    private let echo = ClosureHandler { request, responder in
        responder.send(
            .text(200, lines: [request.method, request.path, request.query("a") ?? "none"])
        )
    }

    @Test func `A request arrives with its method, its path and its query`() throws {
        let server = try HTTPServer(echo)
        let client = TestClient(server.address)
        for (asked, reported) in [
            ("/x/y", "GET\n/x/y\nnone\n"), ("/x%20y?a=1", "GET\n/x y\n1\n"),
            ("/?b=2&a=%26c&a=3", "GET\n/\n&c\n"), ("/?a", "GET\n/\n\n"), ("/?", "GET\n/\nnone\n"),
        ] {
            client.get(asked)
            #expect(client.answer()?.body == reported, "\(asked)")
        }
    }

    @Test func `A connection takes requests that come byte by byte, and many at once`() throws {
        let server = try HTTPServer(echo)
        let client = TestClient(server.address)
        for byte in "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" { client.send(String(byte)) }
        #expect(client.answer()?.body == "GET\n/slow\nnone\n")
        for number in 0..<100 { client.get("/\(number)") }
        for number in 0..<100 { #expect(client.answer()?.body == "GET\n/\(number)\nnone\n") }
    }

    @Test func `An answer is made on the server's thread, whichever thread sends it`() throws {
        let threads = SeenThreads()
        let handler = KeepingHandler()
        let server = try HTTPServer(
            ClosureHandler { request, responder in
                threads.record()
                handler.respond(to: request, with: responder)
            }
        )
        let client = TestClient(server.address)
        client.get("/")
        let isSent = handler.next().send {
            threads.record()
            return .text(200, lines: ["late"])
        }
        #expect(client.answer()?.body == "late\n")
        #expect(isSent && threads.all.count == 2 && Set(threads.all).count == 1)
        #expect(threads.all.first != UInt(pthread_self()))
    }

    @Test func `An answer is made once, also for a client that has gone`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(handler)
        let made = SeenThreads()
        for isLate in [false, true] {
            var client: TestClient? = TestClient(server.address)
            client?.get("/")
            let responder = handler.next()
            client = nil
            if isLate { server.stop() }
            let isSent = responder.send {
                made.record()
                return .text(200, lines: ["nobody"])
            }
            #expect(isSent == !isLate)
            #expect(!responder.send { .text(200, lines: ["twice"]) })
            wait { made.all.count == 1 }
        }
        #expect(made.all.count == 1)
    }

    @Test func `The answer to HEAD has the headers of GET and no body`() throws {
        let server = try HTTPServer(echo)
        let client = TestClient(server.address)
        client.get("/x", method: "HEAD")
        let answer = try #require(client.answer(toHead: true))
        #expect(answer.status == 200 && answer.length == 13)
        client.get("/y")
        #expect(client.answer()?.body == "GET\n/y\nnone\n")
    }

    @Test func `Status, headers and body are sent as they are`() throws {
        let body = (0..<100_000).map { "\($0 % 10)" }.joined()
        let server = try HTTPServer(
            ClosureHandler { _, responder in
                var response = HTTPResponse.methodNotAllowed("GET", detail: "not so")
                response.headers.append(("X-Broken", "a\r\nb"))
                response.body = Array(body.utf8)
                responder.send(response)
            }
        )
        let client = TestClient(server.address)
        client.get("/")
        let answer = try #require(client.answer())
        #expect(answer.status == 405 && answer.body == body)
        #expect(answer.headers["Content-Type"] == "application/problem+json")
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.headers["Allow"] == "GET")
        #expect(answer.headers["X-Broken"] == nil)
    }

    @Test func `An answer may come later, from another thread`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(handler)
        let clients = (0..<20).map { _ in TestClient(server.address) }
        for (number, client) in clients.enumerated() {
            client.get("/")
            handler.next().send(.text(200, lines: ["\(number)"]))
            #expect(client.answer()?.body == "\(number)\n")
            // And again on the same connection.
            client.get("/")
            let responder = handler.next()
            responder.send(.text(200, lines: ["first"]))
            responder.send(.text(200, lines: ["second"]))
            #expect(client.answer()?.body == "first\n")
        }
    }

    @Test func `Silence ends a connection, but not one that waits for its answer`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(silence: .seconds(1), handler)
        let waiting = TestClient(server.address)
        let silent = TestClient(server.address)
        waiting.get("/")
        let responder = handler.next()
        #expect(silent.readToEnd() == "" && silent.hasEnded)
        #expect(waiting.hearsNothing(milliseconds: 1_500))
        responder.send(.text(200, lines: ["late"]))
        #expect(waiting.answer()?.body == "late\n")
        #expect(waiting.readToEnd() == "" && waiting.hasEnded)
    }

    @Test func `Between two requests a connection may be silent for longer`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(silence: .seconds(1), idle: .seconds(60), handler)
        let idle = TestClient(server.address)
        let silent = TestClient(server.address)
        for text in ["first", "second"] {
            idle.get("/")
            handler.next().send(.text(200, lines: [text]))
            #expect(idle.answer()?.body == "\(text)\n")
            #expect(idle.hearsNothing(milliseconds: 1_500))
        }
        #expect(silent.readToEnd() == "" && silent.hasEnded)
    }

    @Test func `A responder that is dropped answers 500`() throws {
        let handler = KeepingHandler()
        let later = try HTTPServer(handler)
        let client = TestClient(later.address)
        client.get("/")
        _ = handler.next()
        #expect(client.answer()?.status == 500)

        let atOnce = try HTTPServer(ClosureHandler { _, _ in })
        let other = TestClient(atOnce.address)
        other.get("/")
        #expect(other.answer()?.status == 500)
    }

    @Test func `Other methods are answered at once or with 500, and nothing of their body is read`()
        throws
    {
        let handler = KeepingHandler()
        let keeping = try HTTPServer(handler)
        let echoing = try HTTPServer(echo)
        for (server, status) in [(keeping, 500), (echoing, 200)] {
            for method in ["POST", "PUT", "BREW"] {
                let client = TestClient(server.address)
                client.send("\(method) / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nxyz")
                #expect(client.answer()?.status == status)
                #expect(client.readToEnd() == "")
            }
        }
        // Too late.
        handler.next().send(.text(200, lines: ["?"]))
    }

    @Test func `A client that goes before its answer is forgotten`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(handler)
        for _ in 0..<50 {
            do {
                let client = TestClient(server.address)
                client.get("/")
            }
            handler.next().send(.text(200, lines: ["?"]))
        }
        let client = TestClient(server.address)
        client.get("/")
        handler.next().send(.text(200, lines: ["!"]))
        #expect(client.answer()?.body == "!\n")
    }

    @Test func `An address in use is an error that names it`() throws {
        let server = try HTTPServer(echo)
        let error = #expect(throws: HTTPServerError.self) {
            try HTTPServer(server.address, handler: echo)
        }
        #expect(error?.description == "cannot listen on \(server.address): Address already in use")
    }
}
