import Glibc
import HTTPServing
import Synchronization
import TestSupport
import Testing

@Suite("How a server ends connections, and itself")
struct EndingTests {
    @Test func `A server stops with requests that wait and streams that are open`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(handler)
        let clients = (0..<10).map { _ in TestClient(server.address) }
        for client in clients { client.get("/") }
        let responders = clients.map { _ in handler.next() }
        let streams = responders[..<5].map { $0.beginEvents() }
        for stream in streams { #expect(stream.send(event: nil, data: "a")) }
        server.stop()
        server.stop()
        for client in clients {
            _ = client.readToEnd()
            #expect(client.hasEnded)
        }
        for stream in streams { #expect(!stream.isOpen && !stream.send(event: nil, data: "b")) }
        for responder in responders { responder.send(.text(200, lines: ["late"])) }
    }

    @Test func `What is answered before the end goes out`() throws {
        for number in 0..<100 {
            let handler = KeepingHandler()
            let server = try HTTPServer(handler)
            let client = TestClient(server.address)
            client.get("/")
            let responder = handler.next()
            responder.send(.text(200, lines: ["\(number)"]))
            server.stop()
            #expect(client.answer()?.body == "\(number)\n")
        }
    }

    @Test(arguments: [true, false])
    func `The oldest connection makes room, whatever it waits for`(streams: Bool) throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(connections: 4, handler)
        let clients = (0..<3).map { _ in TestClient(server.address) }
        var kept: [HTTPResponder] = []
        var open: [HTTPEventStream] = []
        for client in clients {
            client.get("/")
            kept.append(handler.next())
            if streams { open.append(kept.last!.beginEvents()) }
        }
        let newest = TestClient(server.address)
        newest.get("/")
        let responder = handler.next()
        _ = clients[0].readToEnd()
        #expect(clients[0].hasEnded)
        if streams {
            #expect(!open[0].isOpen && open[1].isOpen)
            #expect(open[1].send(event: nil, data: "b"))
            #expect(clients[1].read(until: "data: b\n\n\r\n").contains("data: b"))
        } else {
            kept[1].send(.text(200, lines: ["b"]))
            #expect(clients[1].answer()?.body == "b\n")
        }
        responder.send(.text(200, lines: ["newest"]))
        #expect(newest.answer()?.body == "newest\n")
    }

    @Test func `New clients are served, however many have come and gone`() throws {
        let server = try HTTPServer(
            connections: 8,
            ClosureHandler { _, responder in responder.send(.text(200, lines: ["ok"])) }
        )
        var kept: [TestClient] = []
        for number in 0..<300 {
            let client = TestClient(server.address)
            client.get("/")
            #expect(client.answer()?.body == "ok\n")
            if number % 3 == 0 { kept.append(client) }
        }
        let open = kept.filter { $0.hearsNothing(milliseconds: 1) }
        #expect(open.count <= 8)
    }

    @Test func `A server may be dropped while its thread is busy`() throws {
        for _ in 0..<50 {
            let isAsked = Atomic<Bool>(false)
            var server: HTTPServer? = try HTTPServer(
                ClosureHandler { _, responder in
                    isAsked.store(true, ordering: .releasing)
                    sched_yield()
                    responder.send(.text(200, lines: ["ok"]))
                }
            )
            let client = TestClient(server!.address)
            client.get("/")
            wait { isAsked.load(ordering: .acquiring) }
            server = nil
            _ = client.readToEnd()
            #expect(client.hasEnded)
        }
    }

    @Test func `A connection that waits for a slot gets the first free one`() throws {
        let server = try HTTPServer(
            connections: 8,
            ClosureHandler { _, responder in responder.send(.text(200, lines: ["ok"])) }
        )
        // All come before any is served; each has to wait until the oldest has made room.
        let clients = (0..<100).map { _ in TestClient(server.address) }
        let last = try #require(clients.last)
        last.get("/")
        #expect(last.answer()?.body == "ok\n")
    }

    @Test func `Any number of requests at the same moment are answered at once`() throws {
        let isHeld = Atomic<Bool>(true)
        let server = try HTTPServer(
            connections: 512,
            ClosureHandler { request, responder in
                while request.path == "/held" && isHeld.load(ordering: .acquiring) { sched_yield() }
                responder.send(.text(200, lines: ["ok"]))
            }
        )
        let holder = TestClient(server.address)
        let clients = (0..<128).map { _ in TestClient(server.address) }
        for client in clients {
            client.get("/")
            #expect(client.answer()?.status == 200)
        }
        holder.get("/held")
        for client in clients { client.get("/") }
        isHeld.store(false, ordering: .releasing)
        for client in clients + [holder] { #expect(client.answer()?.status == 200) }
    }

    @Test(arguments: 0..<4)
    func `Answers, streams, leaving clients and the end may meet in any order`(seed: UInt64) throws
    {
        let handler = KeepingHandler()
        let server = try HTTPServer(connections: 16, handler)
        let address = server.address
        let isOver = Atomic<Bool>(false)
        onThreads(6) { thread in
            var random = seed &* 31 &+ UInt64(thread) &+ 1
            func next() -> UInt64 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return random >> 33
            }
            switch thread {
            case 0, 1:
                // Clients; the last ones meet the end.
                for _ in 0..<300 {
                    let client = TestClient(address)
                    client.get("/", method: next() % 8 == 0 ? "HEAD" : "GET")
                    if next() % 2 == 0 { _ = client.hearsNothing(milliseconds: 1) }
                }
                isOver.store(true, ordering: .releasing)
            case 2...4:
                var streams: [HTTPEventStream] = []
                while !isOver.load(ordering: .acquiring) {
                    if let responder = handler.nextIfAny() {
                        switch next() % 4 {
                        case 0: responder.send(.text(200, lines: ["a"]))
                        case 1: break
                        default: streams.append(responder.beginEvents())
                        }
                    }
                    for stream in streams { stream.send(event: nil, data: "a") }
                    if next() % 16 == 0 { streams = [] }
                }
            default:
                while !isOver.load(ordering: .acquiring) { sched_yield() }
                server.stop()
            }
        }
        handler.clear()
        let later = try HTTPServer(handler)
        let client = TestClient(later.address)
        client.get("/")
        handler.next().send(.text(200, lines: ["still"]))
        #expect(client.answer()?.body == "still\n")
    }
}
