import Basics
import Testing

@testable import HTTP2

/// A client whose peer is played with frames that are written out.
private final class RawPeer {
    let client: HTTP2Session
    private(set) var events: [HTTP2Event] = []
    private(set) var statuses: [UInt64: Int] = [:]

    /// A client that has sent some requests.
    init(requests: Int) throws {
        var limits = HTTP2Limits()
        limits.streamsBeforeSettings = 8
        limits.headBytes = 256
        client = try HTTP2Session(.client, limits: limits)
        for number in 1...requests {
            var fields = HTTP2Fields()
            fields.append(":method", value: "POST")
            fields.append(":scheme", value: "https")
            fields.append(":authority", value: "a")
            fields.append(":path", value: "/")
            try client.request(UInt64(number), fields: fields, body: .empty, now: .zero)
        }
        try send(4, flags: 0, stream: 0, payload: [])
    }

    /// The peer sends a frame; the client says what it has to say.
    func send(_ type: UInt8, flags: UInt8, stream: UInt8, payload: [UInt8]) throws {
        try client.takeOutput { _ in }
        let head: [UInt8] = [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream]
        try (head + payload).withByteView { try client.receive($0) }
        while let event = client.nextEvent() {
            events.append(event)
            if case .message(let exchange) = event {
                statuses[exchange.number] = client.message(of: exchange).status
            }
        }
        try client.takeOutput { _ in }
        while let event = client.nextEvent() { events.append(event) }
    }

    /// The head of an answer with this status, which ends the stream.
    func answer(_ stream: UInt8, status: String, flags: UInt8 = 5) throws {
        let value = Array(status.utf8)
        try send(1, flags: flags, stream: stream, payload: [0x08, UInt8(value.count)] + value)
    }

    /// How requests have ended without an answer.
    var endings: [UInt64: HTTP2Ending] {
        var endings: [UInt64: HTTP2Ending] = [:]
        for case .ended(let exchange, let ending) in events { endings[exchange.number] = ending }
        return endings
    }
}

@Suite("A client of HTTP/2 whose server sends what it must not")
struct HTTP2PeerTests {
    @Test(arguments: ["1:0", "20/", "2 0", "abc", "000", "099", "+20", "-10", "20", "2000", ""])
    func `An answer whose status is no number is none`(status: String) throws {
        let peer = try RawPeer(requests: 2)
        try peer.answer(1, status: status)
        #expect(peer.statuses.isEmpty)
        if case .unknown? = peer.endings[1] {} else { Issue.record("\(peer.endings)") }
        // Others are answered.
        try peer.answer(3, status: "410")
        #expect(peer.statuses == [2: 410])
        #expect(peer.client.openCount == 0)
    }

    @Test func `Informational answers go before the answer, and cannot fill its memory`() throws {
        let peer = try RawPeer(requests: 2)
        try peer.answer(1, status: "103", flags: 4)
        try peer.answer(1, status: "200")
        #expect(peer.statuses == [1: 200])
        for _ in 0..<100 where peer.endings.isEmpty { try peer.answer(3, status: "103", flags: 4) }
        #expect(peer.endings.keys.sorted() == [2])
    }

    @Test func `What the server would push is refused`() throws {
        let peer = try RawPeer(requests: 1)
        // The server has read the client's settings, which forbid it.
        try peer.send(4, flags: 1, stream: 0, payload: [])
        let promise: [UInt8] = [0, 0, 0, 2, 0x82, 0x87, 0x84]
        try peer.send(5, flags: 4, stream: 1, payload: promise)
        #expect(peer.client.isOver)
        peer.client.endAll()
        #expect(peer.client.openCount == 0)
    }
}
