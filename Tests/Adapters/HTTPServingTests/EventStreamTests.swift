import Basics
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import HTTPServing

@Suite("Server-sent events")
struct EventStreamTests {
    /// A server, a client that has asked for events, and what sends them.
    private func begin(
        unsentEventBytes: Int = 1 << 20,
        silence: Milliseconds = .seconds(60)
    ) throws -> (server: HTTPServer, client: TestClient, stream: HTTPEventStream) {
        let handler = KeepingHandler()
        let server = try HTTPServer(
            silence: silence,
            unsentEventBytes: unsentEventBytes,
            handler
        )
        let client = TestClient(server.address)
        client.get("/events")
        return (server, client, handler.next().beginEvents())
    }

    @Test func `The headers arrive before there is an event`() throws {
        let (server, client, stream) = try begin()
        let head = client.read(until: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(head.contains("\r\nContent-Type: text/event-stream\r\n"))
        #expect(head.contains("\r\nCache-Control: no-store\r\n"))
        #expect(stream.isOpen)
        server.stop()
    }

    @Test func `Events arrive one by one, and the end after them`() throws {
        let (server, client, stream) = try begin()
        _ = client.read(until: "\r\n\r\n")
        for number in 0..<50 {
            #expect(stream.send(event: "n", data: "\(number)"))
            #expect(client.read(until: "\n\n\r\n").contains("event: n\ndata: \(number)\n\n"))
        }
        for _ in 0..<3 { #expect(stream.send(event: nil, data: "last")) }
        stream.close()
        stream.close()
        #expect(!stream.isOpen && !stream.send(event: nil, data: "more"))
        let rest = client.read(until: "0\r\n\r\n")
        let pieces = rest.split(separator: "data: last\n\n", omittingEmptySubsequences: false)
        #expect(pieces.count == 4)
        #expect(!rest.contains("more"))
        server.stop()
    }

    @Test func `HTTP 1.0 has the end of the connection for the end of the stream`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(handler)
        let client = TestClient(server.address)
        client.send("GET / HTTP/1.0\r\n\r\n")
        let stream = handler.next().beginEvents()
        _ = client.read(until: "\r\n\r\n")
        stream.send(event: nil, data: "a")
        #expect(client.read(until: "\n\n") == "data: a\n\n")
        stream.close()
        #expect(client.readToEnd() == "" && client.hasEnded)
    }

    @Test func `A stream that is dropped ends`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(handler)
        let client = TestClient(server.address)
        client.get("/")
        handler.next().beginEvents().send(event: nil, data: "a")
        #expect(client.read(until: "0\r\n\r\n").contains("data: a\n\n"))
    }

    @Test func `Silence does not end a stream`() throws {
        let (server, client, stream) = try begin(silence: .seconds(1))
        _ = client.read(until: "\r\n\r\n")
        #expect(client.hearsNothing(milliseconds: 2_500))
        #expect(stream.send(event: nil, data: "a"))
        #expect(client.read(until: "\n\n\r\n").contains("data: a\n\n"))
        server.stop()
    }

    @Test func `A client that does not read is ended at the limit`() throws {
        let (server, client, stream) = try begin(unsentEventBytes: 100_000)
        let data = String(repeating: "x", count: 1_000)
        var sent = 0
        while stream.send(event: nil, data: data) { sent += 1 }
        // The limit, and what the system takes.
        #expect(sent >= 99 && sent < 100_000)
        #expect(!stream.isOpen)
        _ = client.readToEnd()
        #expect(client.hasEnded)
        let other = TestClient(server.address)
        other.get("/events")
        server.stop()
    }

    @Test func `A client that goes is noticed when an event is sent`() throws {
        let handler = KeepingHandler()
        let server = try HTTPServer(handler)
        let stream: HTTPEventStream
        do {
            let client = TestClient(server.address)
            client.get("/events")
            stream = handler.next().beginEvents()
            _ = client.read(until: "\r\n\r\n")
        }
        wait { !stream.send(event: nil, data: "a") }
        #expect(!stream.isOpen)
        server.stop()
    }

    @Test func `Events of many threads arrive whole, each thread's in order`() throws {
        let (server, client, stream) = try begin()
        let threads = 4
        let each = 500
        onThreads(threads) { thread in
            for number in 0..<each { stream.send(event: "\(thread)", data: "\(number)") }
        }
        stream.close()
        let events = client.read(until: "0\r\n\r\n").unchunked.split(separator: "\n\n")
        var next = [Int](repeating: 0, count: threads)
        for event in events {
            let lines = event.split(separator: "\n")
            let thread = try #require(Int(lines[0].dropFirst("event: ".count)))
            #expect(lines[1] == "data: \(next[thread])")
            next[thread] += 1
        }
        #expect(next.allSatisfy { $0 == each })
        server.stop()
    }
}

extension String {
    /// What lies in the chunks behind the headers.
    fileprivate var unchunked: String {
        let bytes = Array(utf8)
        var position = bytes.firstIndex(of: [13, 10, 13, 10])! + 4
        var content: [UInt8] = []
        while let end = Array(bytes[position...]).firstIndex(of: [13, 10]) {
            let digits = String(decoding: bytes[position..<position + end], as: UTF8.self)
            let count = Int(digits, radix: 16)!
            if count == 0 { break }
            position += end + 2
            content += bytes[position..<position + count]
            position += count + 2
        }
        return String(decoding: content, as: UTF8.self)
    }
}
