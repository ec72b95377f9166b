import Basics
import Cryptography
import HTTPServing
import Synchronization
import TestSupport
import Testing

@Suite("HTTP over TLS")
struct SecureServerTests {
    @Test func `Requests are answered, one after the other on a connection`() throws {
        let rig = try SecureRig()
        let client = try rig.client()
        for number in 0..<100 {
            try client.get("/\(number)")
            #expect(try client.text() == "/\(number)\n")
        }
    }

    @Test func `The certificate that was verified is in each request of its connection alone`()
        throws
    {
        let rig = try SecureRig()
        let named = try rig.client(named: "ops.example")
        let nameless = try rig.client()
        for _ in 0..<3 {
            try named.get("/names")
            try nameless.get("/names")
            #expect(try named.text()?.contains("ops.example") == true)
            #expect(try nameless.text() == "none\n")
        }
    }

    @Test func `Large bodies arrive whole both ways`() throws {
        let rig = try SecureRig()
        let client = try rig.client()
        let body = (0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
        try client.send(body)
        #expect(try client.text() == "\(body.count) \(body.reduce(0) { $0 &+ Int($1) })\n")
        try client.get("/large")
        #expect(try client.body()?.count == EchoHandler.large + 1)
    }

    @Test func `A client that ends its side still gets its answer`() throws {
        let rig = try SecureRig(silence: .seconds(1))
        let client = try rig.client()
        try client.get("/large")
        client.endWriting()
        #expect(try client.body()?.count == EchoHandler.large + 1)
        try client.readToEnd()
        #expect(client.hasEnded)
    }

    @Test func `Events arrive until the stream is closed`() throws {
        let rig = try SecureRig()
        let client = try rig.client()
        try client.get("/events")
        #expect(try client.read(until: "begun").contains("text/event-stream"))
        let stream = try #require(rig.handler.streams.withLock { $0.first })
        for number in 0..<100 {
            stream.send(event: "number", data: "\(number)")
            #expect(try client.read(until: "data: \(number)\n").contains("event: number"))
        }
        stream.close()
        rig.handler.streams.withLock { $0 = [] }
        try client.get("/after")
        #expect(try client.read(until: "/after\n").contains("200 OK"))
    }

    @Test func `More clients than slots are served, each at the cost of another one`() throws {
        let rig = try SecureRig(connections: 8)
        var clients: [SecureClient] = []
        for number in 0..<60 {
            let client = try rig.client()
            try client.get("/\(number)")
            #expect(try client.text() == "/\(number)\n")
            clients.append(client)
        }
        try clients[0].readToEnd()
        #expect(clients[0].hasEnded)
    }

    @Test func `Silence ends a connection as without TLS`() throws {
        let rig = try SecureRig(silence: .seconds(1))
        let client = try rig.client()
        try client.readToEnd()
        #expect(client.hasEnded)
    }

    @Test func `Other certificates are for other connections, and useless ones are refused`() throws
    {
        let rig = try SecureRig()
        let before = try rig.client()
        let other = try DevelopmentAuthority(named: "Other", now: .zero, days: 36_500)
        #expect(throws: HTTPServerError.self) {
            try rig.server.replace(ServerSecurity([Identity(chain: [1], key: [2])]))
        }
        try rig.server.replace(SecureRig.security(other))
        let context = try TLSClientContext(
            trust: .authorities(try other.identity.chain),
            protocols: ["http/1.1"]
        )
        // The server's thread may need a moment.
        var after: SecureClient?
        while after == nil { after = try? SecureClient(port: rig.port, context: context) }
        try after?.get("/after")
        #expect(try after?.text() == "/after\n")
        try before.get("/before")
        #expect(try before.text() == "/before\n")
    }

    @Test func `What is answered before the end arrives`() throws {
        for _ in 0..<20 {
            let rig = try SecureRig()
            let client = try rig.client()
            try client.get("/large")
            #expect(try client.read(until: "HTTP/1.1 200").contains("200"))
            let silent = TestClient(port: rig.port)
            let other = try rig.client()
            rig.server.stop()
            rig.server.stop()
            _ = silent.readToEnd()
            try other.readToEnd()
            #expect(silent.hasEnded && other.hasEnded)
            try client.readToEnd()
            #expect(client.hasEnded)
        }
    }

    @Test func `A server may be dropped, and its port is free then`() throws {
        let port: UInt16
        do {
            let rig = try SecureRig()
            port = rig.port
            try rig.client().get("/")
        }
        let address = ListeningAddress(host: "127.0.0.1", port: port)!
        let next = try HTTPServer(address, handler: EchoHandler())
        let error = #expect(throws: HTTPServerError.self) {
            let authority = try DevelopmentAuthority(named: "Test", now: .zero, days: 36_500)
            _ = try HTTPServer(
                address,
                security: try SecureRig.security(authority),
                handler: EchoHandler()
            )
        }
        #expect(error?.description.contains("cannot listen on 127.0.0.1:\(port)") == true)
        next.stop()
    }
}
