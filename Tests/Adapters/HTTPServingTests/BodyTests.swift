import Basics
import Synchronization
import TestSupport
import Testing

@testable import HTTPServing

@Suite("Bodies of requests")
struct BodyTests {
    /// Tells what came of a body.
    private struct BodyHandler: HTTPHandler {
        var limit: Int? = 100_000

        func bodyLimit(of head: HTTPRequest) -> Int? { head.path == "/refused" ? 0 : limit }

        func respond(to request: HTTPRequest, with responder: HTTPResponder) {
            switch request.body {
            case .whole(let bytes): responder.send(.text(200, lines: [Self.summary(bytes)]))
            case .tooLarge:
                responder.send(.problem(413, detail: "so it is"))
            case .noRoom:
                responder.send(.problem(503, detail: "so it is"))
            }
        }

        static func summary(_ bytes: [UInt8]) -> String {
            let sum = bytes.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) }
            return "\(bytes.count) \(sum)"
        }
    }

    private func head(_ more: String, method: String = "POST", path: String = "/") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(more)\r\n\r\n"
    }

    private func text(_ count: Int) -> String {
        String(decoding: (0..<count).map { UInt8($0 * 7 % 95 + 32) }, as: UTF8.self)
    }

    private func reported(_ body: String) -> String { BodyHandler.summary(Array(body.utf8)) + "\n" }

    @Test func `A body arrives whole, at once, in parts and byte by byte`() throws {
        let server = try HTTPServer(BodyHandler())
        let client = TestClient(server.address)
        for (count, part) in [(0, 1), (1, 1), (5, 1), (3_000, 7), (100_000, 999), (50_000, 50_000)]
        {
            let body = text(count)
            client.send(head("Content-Length: \(count)"))
            var rest = Substring(body)
            while !rest.isEmpty {
                client.send(String(rest.prefix(part)))
                rest = rest.dropFirst(part)
            }
            #expect(client.answer()?.body == reported(body), "\(count) by \(part)")
        }
        // Without a body, on the same connection.
        client.send(head("X-A: b"))
        #expect(client.answer()?.body == reported(""))
        client.get("/")
        #expect(client.answer()?.body == reported(""))
    }

    @Test func `A body may come in chunks`() throws {
        let server = try HTTPServer(BodyHandler())
        let client = TestClient(server.address)
        for _ in 0..<2 {
            client.send(head("Transfer-Encoding: chunked", method: "PUT"))
            var body = ""
            for count in [1, 16, 4_000, 3] {
                let part = text(count)
                body += part
                client.send("\(String(count, radix: 16));x=y\r\n\(part)\r\n")
            }
            client.send("0\r\nTrailer: a\r\n\r\n")
            #expect(client.answer()?.body == reported(body))
        }
    }

    @Test func `A client that waits for permission to send a body gets it`() throws {
        let server = try HTTPServer(BodyHandler())
        let client = TestClient(server.address)
        client.send(head("Content-Length: 5\r\nExpect: 100-continue"))
        #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
        client.send("hello")
        #expect(client.answer()?.body == reported("hello"))
    }

    @Test func `A body over the limit is answered, and its connection continues`() throws {
        let server = try HTTPServer(BodyHandler(limit: 1_000))
        let client = TestClient(server.address)
        for _ in 0..<2 {
            client.send(head("Content-Length: 1001") + text(1_001))
            #expect(client.answer()?.status == 413)
            client.send(head("Transfer-Encoding: chunked"))
            for _ in 0..<20 { client.send("64\r\n\(text(100))\r\n") }
            client.send("0\r\n\r\n")
            #expect(client.answer()?.status == 413)
            client.send(head("Content-Length: 1000") + text(1_000))
            #expect(client.answer()?.body == reported(text(1_000)))
        }
        client.send(head("Content-Length: 3", path: "/refused") + "abc")
        #expect(client.answer()?.status == 413)
    }

    @Test func `A body far over the limit is not read, nor one that waits for leave`() throws {
        var limits = HTTPServerLimits()
        limits.discardedBytes = 10_000
        let server = try HTTPServer(
            ListeningAddress(host: "127.0.0.1", port: 0)!,
            limits: limits,
            handler: BodyHandler(limit: 1_000)
        )
        for more in ["Content-Length: 10001", "Content-Length: 1001\r\nExpect: 100-continue"] {
            let client = TestClient(server.address)
            client.send(head(more))
            #expect(client.answer()?.status == 413)
            #expect(client.readToEnd() == "" && client.hasEnded)
        }
        // Nobody has said how long it will be.
        let client = TestClient(server.address)
        client.send(head("Transfer-Encoding: chunked"))
        for _ in 0..<200 { client.send("64\r\n\(text(100))\r\n") }
        #expect(client.readToEnd() == "" && client.hasEnded)
    }

    @Test func `Broken chunks and lengths are refused`() throws {
        let server = try HTTPServer(BodyHandler())
        for (more, body) in [
            ("Transfer-Encoding: chunked", "xyz\r\nabc\r\n"), ("Content-Length: -1", ""),
            ("Content-Length: 3x", "abc"), ("Content-Length: 99999999999999999999", "abc"),
            ("Transfer-Encoding: chunked", "fffffffffffffffff\r\nabc\r\n"),
        ] {
            let client = TestClient(server.address)
            client.send(head(more) + body)
            let status = client.answer()?.status
            #expect(status == 400 || status == 413, "\(more)")
            #expect(client.readToEnd() == "" && client.hasEnded, "\(more)")
        }
    }

    @Test func `A request with a body may be answered later, from another thread`() throws {
        let handler = KeepingHandler(bodyLimit: 100)
        let server = try HTTPServer(handler)
        let client = TestClient(server.address)
        for method in ["POST", "PUT", "DELETE"] {
            client.send(head("Content-Length: 5", method: method) + "hello")
            let responder = handler.next()
            #expect(client.hearsNothing(milliseconds: 20))
            onThreads(1) { _ in responder.send(.text(200, lines: [method])) }
            #expect(client.answer()?.body == method + "\n")
        }
    }

    @Test func `Silence in a body ends its connection`() throws {
        let server = try HTTPServer(silence: .seconds(1), BodyHandler())
        let client = TestClient(server.address)
        client.send(head("Content-Length: 100") + "abc")
        #expect(client.readToEnd() == "" && client.hasEnded)
    }

    @Test func `The body that has been coming for longest makes room for others`() throws {
        var limits = HTTPServerLimits()
        limits.allBodiesBytes = 1_000
        let server = try HTTPServer(
            ListeningAddress(host: "127.0.0.1", port: 0)!,
            limits: limits,
            handler: BodyHandler()
        )
        let slow = (0..<4).map { _ in TestClient(server.address) }
        for client in slow {
            client.send(head("Content-Length: 1000") + text(500))
            // Served by the same thread: what was sent before has been read.
            let bystander = TestClient(server.address)
            bystander.get("/")
            #expect(bystander.answer()?.status == 200)
        }
        for ended in slow[..<2] { #expect(ended.readToEnd() == "" && ended.hasEnded) }
        let newest = TestClient(server.address)
        newest.send(head("Content-Length: 500") + text(500))
        #expect(newest.answer()?.body == reported(text(500)))
        #expect(slow[2].readToEnd() == "" && slow[2].hasEnded)
        #expect(slow[3].hearsNothing(milliseconds: 1))
        // Its room is free again.
        slow[3].send(text(500))
        #expect(slow[3].answer()?.body == reported(text(500) + text(500)))
    }

    @Test func `The body of a trusted request makes room for none that is not trusted`() throws {
        let handler = RoomHandler()
        var limits = HTTPServerLimits()
        limits.allBodiesBytes = 1_000
        let server = try HTTPServer(
            ListeningAddress(host: "127.0.0.1", port: 0)!,
            limits: limits,
            handler: handler
        )
        let trusted = TestClient(server.address)
        trusted.send(head("Content-Length: 900", path: "/trusted") + text(500))
        // Served by the same thread: what was sent before has been read.
        let stranger = TestClient(server.address)
        stranger.send(head("Content-Length: 600") + text(600))
        #expect(stranger.answer()?.status == 503)
        trusted.send(text(400))
        handler.kept.next().send(.text(200, lines: ["whole"]))
        #expect(trusted.answer()?.body == "whole\n")
    }

    @Test func `A body for which there is no room is not kept, and answered all the same`() throws {
        let handler = RoomHandler()
        var limits = HTTPServerLimits()
        limits.allBodiesBytes = 1_000
        let server = try HTTPServer(
            ListeningAddress(host: "127.0.0.1", port: 0)!,
            limits: limits,
            handler: handler
        )
        let waiting = TestClient(server.address)
        waiting.send(head("Content-Length: 900") + text(900))
        let responder = handler.kept.next()
        let client = TestClient(server.address)
        client.send(head("Content-Length: 200") + text(200))
        #expect(client.answer()?.status == 503)
        responder.send(.text(200, lines: ["late"]))
        #expect(waiting.answer()?.body == "late\n")
        // Its room is free again.
        client.send(head("Content-Length: 900") + text(900))
        handler.kept.next().send(.text(200, lines: ["again"]))
        #expect(client.answer()?.body == "again\n")
    }

    /// Keeps those whose body came, and refuses the others.
    private struct RoomHandler: HTTPHandler {
        let kept = KeepingHandler()

        func bodyLimit(of head: HTTPRequest) -> Int? { 1_000 }

        func trusts(_ head: HTTPRequest) -> Bool { kept.trusts(head) }

        func respond(to request: HTTPRequest, with responder: HTTPResponder) {
            if request.body == .noRoom {
                responder.send(.problem(503, detail: "so it is"))
            } else {
                kept.respond(to: request, with: responder)
            }
        }
    }

    @Test(arguments: 0..<6)
    func `Bodies of any lengths, cut anywhere, arrive whole or are refused`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let server = try HTTPServer(BodyHandler(limit: 5_000))
        let clients = (0..<4).map { _ in TestClient(server.address) }
        for _ in 0..<60 {
            let client = clients[random.below(clients.count)]
            let body = text(random.below(7_000))
            var sent = head("Content-Length: \(body.utf8.count)") + body
            if random.below(2) == 0 {
                sent = head("Transfer-Encoding: chunked")
                var rest = Substring(body)
                while !rest.isEmpty {
                    let part = rest.prefix(1 + random.below(900))
                    rest = rest.dropFirst(part.count)
                    sent += String(part.utf8.count, radix: 16) + "\r\n\(part)\r\n"
                }
                sent += "0\r\n\r\n"
            }
            var rest = Substring(sent)
            while !rest.isEmpty {
                let part = rest.prefix(1 + random.below(3_000))
                rest = rest.dropFirst(part.count)
                client.send(String(part))
            }
            let answer = client.answer()
            if body.utf8.count > 5_000 {
                #expect(answer?.status == 413, "seed \(seed)")
            } else {
                #expect(answer?.body == reported(body), "seed \(seed)")
            }
        }
    }
}
