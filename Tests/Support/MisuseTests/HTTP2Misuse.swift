import Basics
import Testing

@testable import HTTP2

@Suite("Misuse of HTTP2Session")
struct HTTP2Misuse {
    private static func head(_ name: StaticString, _ value: String) -> HTTP2Fields {
        var fields = HTTP2Fields()
        fields.append(name, value: value)
        return fields
    }

    @Test("Misuse of HTTP2Session: it is not used while its output is passed on")
    func lent() async {
        await #expect(processExitsWith: .trap) {
            let session = try HTTP2Session(.client)
            try session.takeOutput { _ in try! session.takeOutput { _ in } }
        }
        await #expect(processExitsWith: .trap) {
            let session = try HTTP2Session(.client)
            try session.takeOutput { bytes in try! session.receive(bytes) }
        }
    }

    @Test("Misuse of HTTP2Session: each side does only what is its own")
    func sides() async {
        await #expect(processExitsWith: .trap) {
            let fields = Self.head(":status", "200")
            try HTTP2Session(.server).request(1, fields: fields, body: .empty, now: .zero)
        }
        await #expect(processExitsWith: .trap) {
            let fields = Self.head(":status", "200")
            let exchange = HTTP2Exchange(stream: 1, number: 0, slot: 0)
            try HTTP2Session(.client).answer(exchange, fields: fields, body: .empty)
        }
        await #expect(processExitsWith: .trap) {
            try HTTP2Session(.client).request(1, fields: HTTP2Fields(), body: .empty, now: .zero)
        }
    }

    @Test("Misuse of HTTP2Session: a head is not longer than its memory, whatever fills its places")
    func places() async {
        await #expect(processExitsWith: .trap) {
            var fields = HTTP2Fields()
            let place = fields.appendPlace("a")
            fields.fill(place, value: .empty)
            [1, 2].withByteView { fields.fill(place, value: $0) }
            fields.append("b", value: "")
        }
        await #expect(processExitsWith: .trap) {
            var other = HTTP2Fields()
            other.append("a", value: "")
            let place = other.appendPlace("b")
            var fields = HTTP2Fields()
            fields.fill(place, value: .empty)
        }
        await #expect(processExitsWith: .trap) {
            var other = HTTP2Fields()
            let place = other.appendPlace("a")
            var fields = Self.head("a", "")
            fields.fill(place, value: .empty)
        }
    }

    @Test("Misuse of HTTP2Session: an answer on a stream that never was goes nowhere")
    func unknownStream() throws {
        let session = try HTTP2Session(.server)
        for stream: Int32 in [-1, 0, 1, .max] {
            let exchange = HTTP2Exchange(stream: stream, number: 0, slot: 0)
            let fields = Self.head(":status", "200")
            try session.answer(exchange, fields: fields, body: .empty)
            session.cancel(exchange)
        }
        try session.takeOutput { #expect($0.count > 0) }
    }

    @Test("Misuse of HTTP2Session: whatever bytes come, the memory of the session stays whole")
    func bytes() throws {
        var state: UInt64 = 1
        for _ in 0..<200 {
            let session = try HTTP2Session(.server)
            var bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
            for _ in 0..<400 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(UInt8(truncatingIfNeeded: state >> 56) & (state & 1 == 0 ? 7 : 255))
            }
            try? bytes.withByteView { try session.receive($0) }
            while session.nextEvent() != nil {}
            try session.takeOutput { _ in }
        }
    }
}
