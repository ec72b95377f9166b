import Basics
import Testing

@testable import HTTP2

/// A client and a server, and what is between them.
private final class Pair {
    let client: HTTP2Session
    let server: HTTP2Session
    var clientEvents: [HTTP2Event] = []
    var serverEvents: [HTTP2Event] = []
    /// What the server answers a request with; nil if it waits.
    var respond: (HTTP2Message) -> (status: Int, body: String)? = { _ in (200, "") }
    /// What the client got, by the number of its request.
    var answers: [UInt64: (status: Int, body: String)] = [:]
    /// When requests are sent.
    var now = MonotonicTime(rawValue: 1)
    /// The requests that the server has not answered.
    var open: [HTTP2Exchange] = []

    init(_ change: (inout HTTP2Limits) -> Void = { _ in }) throws {
        var limits = HTTP2Limits()
        change(&limits)
        client = try HTTP2Session(.client, limits: limits)
        server = try HTTP2Session(.server, limits: limits)
    }

    func request(_ number: UInt64, path: String = "/3/device/00ff", body: String = "{}") throws {
        var fields = HTTP2Fields()
        fields.append(":method", value: "POST")
        fields.append(":scheme", value: "https")
        fields.append(":authority", value: "push.example")
        fields.append(":path", value: path, isLiteral: true)
        fields.append("authorization", value: "bearer secret", isLiteral: true)
        try Array(body.utf8).withByteView {
            try client.request(number, fields: fields, body: $0, now: now)
        }
    }

    func answer(_ exchange: HTTP2Exchange, status: Int, body: String) throws {
        var fields = HTTP2Fields()
        fields.append(":status", value: "\(status)")
        fields.append("apns-id", value: "id of \(exchange.stream)")
        try Array(body.utf8).withByteView {
            try server.answer(exchange, fields: fields, body: $0)
        }
    }

    /// The output of a side.
    func output(of side: HTTP2Session) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try side.takeOutput { bytes += $0.array }
        return bytes
    }

    /// Gives a side bytes, in pieces.
    func deliver(_ bytes: [UInt8], to side: HTTP2Session, pieces: Int) throws {
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + pieces)
            try Array(bytes[start..<end]).withByteView { try side.receive($0) }
            try handleEvents()
            start = end
        }
    }

    func handleEvents() throws {
        while let event = server.nextEvent() {
            serverEvents.append(event)
            guard case .message(let exchange) = event else { continue }
            if let answer = respond(server.message(of: exchange)) {
                try self.answer(exchange, status: answer.status, body: answer.body)
            } else {
                open.append(exchange)
            }
        }
        while let event = client.nextEvent() {
            clientEvents.append(event)
            guard case .message(let exchange) = event else { continue }
            let message = client.message(of: exchange)
            answers[exchange.number] = (
                message.status, String(decoding: message.body, as: UTF8.self)
            )
        }
    }

    /// Carries bytes between both until neither has any.
    func run(pieces: Int = .max) throws {
        while true {
            let toServer = try output(of: client)
            try deliver(toServer, to: server, pieces: pieces)
            let toClient = try output(of: server)
            try deliver(toClient, to: client, pieces: pieces)
            if toServer.isEmpty && toClient.isEmpty { return }
        }
    }

    /// How streams have ended without an answer, by the number of the request.
    var endings: [UInt64: HTTP2Ending] {
        var endings: [UInt64: HTTP2Ending] = [:]
        for case .ended(let exchange, let ending) in clientEvents {
            endings[exchange.number] = ending
        }
        return endings
    }
}

@Suite("An HTTP/2 session")
struct HTTP2SessionTests {
    @Test(arguments: [1, 2, 3, 7, 16, 64, .max])
    func `It carries requests and answers, however the bytes are cut`(pieces: Int) throws {
        let pair = try Pair()
        var seen: [String] = []
        pair.respond = { request in
            seen.append(request.field(":path") ?? "")
            #expect(request.field("authorization") == "bearer secret")
            let body = String(decoding: request.body, as: UTF8.self)
            return (body == "{}" ? 200 : 400, body)
        }
        try pair.request(7, path: "/3/device/aa")
        try pair.request(8, path: "/3/device/bb", body: #"{"reason":"BadTopic"}"#)
        try pair.run(pieces: pieces)
        #expect(seen.sorted() == ["/3/device/aa", "/3/device/bb"])
        #expect(pair.answers[7]?.status == 200)
        #expect(pair.answers[8]?.status == 400)
        #expect(pair.answers[8]?.body == #"{"reason":"BadTopic"}"#)
        #expect(pair.client.openCount == 0)
    }

    @Test func `A head with places serves one message after the other`() throws {
        let pair = try Pair()
        var seen: [[String]] = []
        pair.respond = { request in
            seen.append([":path", "apns-id", "apns-topic"].map { request.field($0) ?? "-" })
            return (200, "")
        }
        var fields = HTTP2Fields()
        fields.append(":method", value: "POST")
        fields.append(":scheme", value: "https")
        fields.append(":authority", value: "push.example")
        let path = fields.appendPlace(":path")
        fields.append("apns-topic", value: "com.mygame")
        let id = fields.appendPlace("apns-id")
        for (number, value) in ["aa", "bb-is-longer", "c"].enumerated() {
            fields.clearPlaces()
            try Array(value.utf8).withByteView { value in
                fields.fill(path, prefix: "/3/device/", value: value)
                // The second message leaves this place empty.
                if number != 1 { fields.fill(id, value: value) }
                try pair.client.request(UInt64(number), fields: fields, body: .empty, now: .zero)
            }
        }
        try pair.run()
        #expect(
            seen.sorted { $0[0] < $1[0] } == [
                ["/3/device/aa", "aa", "com.mygame"],
                ["/3/device/bb-is-longer", "", "com.mygame"],
                ["/3/device/c", "c", "com.mygame"],
            ]
        )
    }

    @Test func `Before the server's settings have come, one stream is open`() throws {
        let pair = try Pair()
        pair.respond = { _ in nil }
        for number in 1...5 { try pair.request(UInt64(number)) }
        try pair.deliver(pair.output(of: pair.client), to: pair.server, pieces: .max)
        #expect(pair.open.count == 1)
        try pair.run()
        #expect(pair.open.count == 5)
        #expect(pair.client.peerStreams == 1_000)
    }

    @Test func `Requests wait while the server allows fewer streams than are open`() throws {
        let pair = try Pair()
        pair.respond = { _ in nil }
        for number in 1...4 { try pair.request(UInt64(number)) }
        try pair.run()
        #expect(pair.open.count == 4)
        pair.server.allow(streams: 1)
        try pair.run()
        try pair.request(5)
        try pair.run()
        for exchange in pair.open.prefix(3) { try pair.answer(exchange, status: 200, body: "") }
        try pair.run()
        #expect(pair.open.count == 4)
        try pair.answer(pair.open[3], status: 200, body: "")
        try pair.run()
        #expect(pair.open.count == 5)
    }

    @Test func `A server that goes away has not processed the streams above the last one`() throws {
        let pair = try Pair()
        pair.respond = { _ in nil }
        for number in 1...3 { try pair.request(UInt64(number)) }
        try pair.run()
        pair.server.goAway(lastStream: pair.open[1].stream, text: Array("{}".utf8))
        try pair.run()
        #expect(pair.endings == [3: .notProcessed])
        #expect(pair.client.isGoingAway)
        #expect(pair.clientEvents.contains(.goingAway(code: 0, text: Array("{}".utf8))))
        try pair.answer(pair.open[0], status: 200, body: "")
        try pair.answer(pair.open[1], status: 200, body: "")
        try pair.run()
        #expect(pair.answers.keys.sorted() == [1, 2])
        #expect(throws: HTTP2Error.self) { try pair.request(4) }
    }

    @Test func `A request that is cancelled on either side has an unknown end`() throws {
        let pair = try Pair()
        pair.respond = { _ in nil }
        try pair.request(1)
        try pair.request(2)
        try pair.run()
        pair.server.cancel(pair.open[0])
        try pair.run()
        #expect(pair.endings == [1: .unknown(code: 8)])
        // An answer to it goes nowhere.
        try pair.answer(pair.open[0], status: 200, body: "")
        try pair.answer(pair.open[1], status: 200, body: "")
        try pair.run()
        #expect(pair.answers.keys.sorted() == [2])
    }

    @Test
    func `Requests without an answer in time are given up, and all when the connection is lost`()
        throws
    {
        let pair = try Pair()
        pair.respond = { _ in nil }
        try pair.request(1)
        pair.now = MonotonicTime(rawValue: 2)
        try pair.request(2)
        try pair.request(3)
        try pair.run()
        #expect(pair.client.cancel(sentBefore: MonotonicTime(rawValue: 2)) == 1)
        try pair.run()
        #expect(pair.endings == [1: .unknown(code: 8)])
        try pair.answer(pair.open[1], status: 200, body: "")
        try pair.run()
        pair.client.endAll()
        try pair.handleEvents()
        #expect(pair.endings.keys.sorted() == [1, 3])
        #expect(pair.client.openCount == 0)
    }

    @Test func `A head and a body that are too long are refused, and others are served`() throws {
        let pair = try Pair {
            $0.headBytes = 512
            $0.bodyBytes = 1_024
        }
        try pair.request(1, path: "/" + String(repeating: "x", count: 600))
        try pair.request(2, body: String(repeating: "x", count: 1_025))
        try pair.request(3, body: String(repeating: "x", count: 1_024))
        try pair.run()
        #expect(pair.endings.keys.sorted() == [1, 2])
        #expect(pair.answers.keys.sorted() == [3])
    }

    @Test func `A request is known to be accepted by the head of the answer, however long it is`()
        throws
    {
        let pair = try Pair { $0.bodyBytes = 1_024 }
        pair.respond = { _ in (200, String(repeating: "x", count: 5_000)) }
        try pair.request(1)
        try pair.run()
        #expect(pair.answers[1]?.status == 200 && pair.answers[1]?.body.utf8.count == 1_024)
        // Of this answer the end never comes, and of the second one the head neither.
        try pair.request(2)
        try pair.deliver(try pair.output(of: pair.client), to: pair.server, pieces: .max)
        let head = try pair.output(of: pair.server)
        try pair.deliver(Array(head.prefix(200)), to: pair.client, pieces: .max)
        pair.respond = { _ in nil }
        try pair.request(3)
        pair.client.endAll()
        try pair.handleEvents()
        #expect(pair.answers[2]?.status == 200 && pair.answers[3] == nil)
        #expect(pair.endings.keys.sorted() == [3])
    }

    @Test func `A sign of life is answered, and what is no HTTP/2 ends the session`() throws {
        let pair = try Pair()
        try pair.run()
        pair.client.ping()
        try pair.run()
        #expect(pair.clientEvents.contains(.pong))
        #expect(!pair.client.isOver)
        try Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8).withByteView {
            try pair.client.receive($0)
        }
        #expect(try !pair.output(of: pair.client).isEmpty)
        #expect(pair.client.isOver)
        #expect(throws: HTTP2Error.self) {
            let server = try HTTP2Session(.server)
            try Array("GET / HTTP/1.1\r\n\r\n".utf8).withByteView { try server.receive($0) }
        }
    }

    @Test func `The memory of one stream serves the next`() throws {
        let pair = try Pair()
        for number in 1...1_000 {
            try pair.request(UInt64(number), body: "\(number)")
            try pair.run()
        }
        #expect(pair.answers.count == 1_000)
        #expect(pair.client.slotCount == 1)
        #expect(pair.server.slotCount == 1)
    }
}
