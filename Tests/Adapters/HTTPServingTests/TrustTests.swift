import Glibc
import HTTPServing
import Synchronization
import TestSupport
import Testing

@Suite("Connections that are trusted, and others")
struct TrustTests {
    /// A server with a stream that is trusted.
    private struct Scene {
        let handler = KeepingHandler()
        let server: HTTPServer
        let operatorClient: TestClient
        let stream: HTTPEventStream

        init(connections: Int = 16) throws {
            server = try HTTPServer(connections: connections, handler)
            operatorClient = TestClient(server.address)
            operatorClient.get("/trusted/events")
            stream = handler.next().beginEvents()
        }
    }

    @Test func `However many silent connections come, a trusted stream continues`() throws {
        let scene = try Scene()
        let silent = (0..<64).map { _ in TestClient(scene.server.address) }
        // The last one is served, so all before it have been accepted.
        silent[63].get("/")
        scene.handler.next().send(.text(200, lines: ["ok"]))
        #expect(silent[63].answer()?.status == 200)
        #expect(scene.stream.isOpen)
        #expect(scene.stream.send(event: nil, data: "still"))
        #expect(scene.operatorClient.read(until: "data: still\n\n\r\n").contains("still"))
        #expect(scene.handler.displacedCount.load(ordering: .relaxed) >= 64 - 16)
    }

    @Test func `However many strangers wait for answers, a trusted stream continues`() throws {
        let scene = try Scene()
        var strangers: [TestClient] = []
        var kept: [HTTPResponder] = []
        for _ in 0..<40 {
            let stranger = TestClient(scene.server.address)
            stranger.get("/")
            strangers.append(stranger)
            kept.append(scene.handler.next())
        }
        #expect(scene.stream.isOpen)
        let other = TestClient(scene.server.address)
        other.get("/trusted/one")
        scene.handler.next().send(.text(200, lines: ["ok"]))
        #expect(other.answer()?.status == 200)
    }

    @Test func `A silent connection makes room before one that waits for its answer`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(connections: 4, handler)
        let asking = TestClient(server.address)
        asking.get("/")
        let responder = handler.next()
        let silent = TestClient(server.address)
        let more = (0..<2).map { _ in TestClient(server.address) }
        _ = silent.readToEnd()
        #expect(silent.hasEnded)
        responder.send(.text(200, lines: ["ok"]))
        #expect(asking.answer()?.status == 200)
        withExtendedLifetime(more) {}
    }

    @Test func `A connection makes room once its last answer has left, and not before`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(connections: 4, endings: nil, handler)
        func asking(_ text: String) -> TestClient {
            let client = TestClient(server.address)
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            handler.next().send(.text(200, lines: [text]))
            return client
        }
        // More than the buffers of the system hold.
        let slow = asking(String(repeating: "a", count: 24 << 20))
        let done = asking("ok")
        // It keeps its side open.
        #expect(done.readToEnd().hasSuffix("ok\n"))
        let waiting = TestClient(server.address)
        waiting.get("/")
        let responder = handler.next()
        let newest = TestClient(server.address)
        newest.get("/")
        handler.next().send(.text(200, lines: ["newest"]))
        #expect(newest.answer()?.status == 200)
        responder.send(.text(200, lines: ["ok"]))
        #expect(waiting.answer()?.status == 200)
        #expect(slow.answer()?.body.utf8.count == 24 << 20 + 1)
        withExtendedLifetime(done) {}
    }

    @Test func `Parts of heads protect no connections from a newer one`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(connections: 16, handler)
        var crowd: [TestClient] = []
        func comes() {
            let client = TestClient(server.address)
            client.send("G")
            crowd.append(client)
        }
        for _ in 0..<20 { comes() }
        _ = crowd[0].readToEnd()
        // Whose answer has come after the parts of heads were read: the loop reads in turn.
        let other = TestClient(server.address)
        other.get("/")
        handler.next().send(.text(200, lines: ["other"]))
        #expect(other.answer()?.body == "other\n")
        let silent = TestClient(server.address)
        comes()
        // The next of the crowd was closed for the last one, before that of the silent client.
        _ = crowd[7].readToEnd()
        silent.get("/")
        handler.next().send(.text(200, lines: ["ok"]))
        #expect(silent.answer()?.status == 200)
    }

    @Test func `Of too many trusted streams the oldest makes room, and strangers are served`()
        throws
    {
        let handler = KeepingHandler()
        let server = try HTTPServer(connections: 16, handler)
        var clients: [TestClient] = []
        var streams: [HTTPEventStream] = []
        for _ in 0..<20 {
            let client = TestClient(server.address)
            client.get("/trusted/events")
            clients.append(client)
            streams.append(handler.next().beginEvents())
        }
        #expect(streams.suffix(14).allSatisfy { $0.isOpen })
        #expect(streams.prefix(6).allSatisfy { !$0.isOpen })
        let stranger = TestClient(server.address)
        stranger.get("/")
        handler.next().send(.text(200, lines: ["ok"]))
        #expect(stranger.answer()?.status == 200)
    }
}
