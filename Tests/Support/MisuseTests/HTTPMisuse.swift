import Basics
import LibuvLoop
import Synchronization
import TestSupport
import Testing

@testable import HTTPFetching
@testable import HTTPServing

@Suite("Misuse of HTTPClient and HTTPConversation")
struct HTTPClientMisuse {
    /// Where nothing listens.
    private static let url = "http://127.0.0.1:1/"

    @Test("Misuse of HTTPClient: it may be dropped and closed in completions, and used afterwards")
    func completions() throws {
        let loop = try Loop()
        var limits = HTTPClientLimits()
        limits.connections = 1
        var client: HTTPClient? = HTTPClient(loop, limits: limits)
        var outcomes = 0
        for _ in 0..<3 {
            client?.get(Self.url) { _ in
                outcomes += 1
                client?.close()
                client?.get(Self.url) { _ in outcomes += 1 }
                client = nil
            }
        }
        try loop.run()
        #expect(outcomes == 4 && client == nil && loop.handleCount == 0)
        try loop.close()
    }

    @Test(
        "Misuse of HTTPClient: no number is a limit that it cannot keep",
        arguments: [0, -1, .min]
    )
    func limits(number: Int) throws {
        let loop = try Loop()
        var limits = HTTPClientLimits()
        limits.connections = number
        limits.waiting = number
        limits.bodyBytes = number
        limits.timeout = Milliseconds(number)
        let client = HTTPClient(loop, limits: limits)
        var outcomes = 0
        client.get(Self.url, headers: ["", "\0", "a: b\r\nc: d"]) { _ in
            outcomes += 1
            client.close()
        }
        client.get("\0") { _ in outcomes += 1 }
        try loop.run()
        #expect(outcomes == 2 && loop.handleCount == 0)
        try loop.close()
    }

    @Test("Misuse of HTTPConversation: no request begins while the last one is in flight")
    func begin() async {
        await #expect(processExitsWith: .trap) {
            let server = Endpoint(host: "127.0.0.1", port: 1)
            let conversation = try HTTPConversation(Loop(), server: server)
            conversation.ask(HTTPCall("/")) { _ in }
            conversation.ask(HTTPCall("/")) { _ in }
        }
    }
}

/// Ends its server, as a handler must not.
private final class EndingHandler: HTTPHandler {
    let server = Mutex<HTTPServer?>(nil)
    private let end: @Sendable (EndingHandler) -> Void

    init(_ end: @escaping @Sendable (EndingHandler) -> Void) {
        self.end = end
    }

    func respond(to request: HTTPRequest, with responder: HTTPResponder) { end(self) }

    /// Serves one request.
    static func serve(_ end: @escaping @Sendable (EndingHandler) -> Void) throws {
        let handler = EndingHandler(end)
        let address = ListeningAddress(host: "127.0.0.1", port: 0)!
        let port = try handler.server.withLock { kept in
            let server = try HTTPServer(address, handler: handler)
            kept = server
            return server.address.port
        }
        let client = TestClient(port: port)
        client.get("/")
        client.endWriting()
        _ = client.readToEnd()
    }
}

@Suite("Misuse of HTTPServer")
struct HTTPServerMisuse {
    @Test("its handler does not stop it, which would free what it is called from")
    func stop() async {
        await #expect(processExitsWith: .trap) {
            try EndingHandler.serve { $0.server.withLock { $0 }?.stop() }
        }
    }

    @Test("its handler does not end it by dropping the last reference")
    func drop() async {
        await #expect(processExitsWith: .trap) {
            try EndingHandler.serve { handler in
                handler.server.withLock { $0 = nil }
            }
        }
    }

    @Test("a responder that outlives its server answers nothing")
    func late() throws {
        let handler = KeepingHandler()
        let address = ListeningAddress(host: "127.0.0.1", port: 0)!
        let server = try HTTPServer(address, handler: handler)
        let client = TestClient(port: server.address.port)
        client.get("/")
        var responder: HTTPResponder?
        while responder == nil { responder = handler.responder.withLock { $0 } }
        server.stop()
        server.stop()
        responder?.send(.text(200, lines: ["late"]))
        let stream = responder?.beginEvents()
        #expect(stream?.isOpen == false && stream?.send(event: nil, data: "late") == false)
    }
}

/// Keeps the responder of the last request.
private final class KeepingHandler: HTTPHandler {
    let responder = Mutex<HTTPResponder?>(nil)

    func respond(to request: HTTPRequest, with responder: HTTPResponder) {
        self.responder.withLock { $0 = responder }
    }
}
