import Basics
import Cryptography
import TestSupport

/// A client with TLS that says what it is told, and blocks until it is answered.
final class SecureClient {
    private let socket: TestSocket
    private let session: TLSSession
    private var received: [UInt8] = []

    /// Connects, and completes the handshake; `error` says why it has failed.
    init(
        port: UInt16,
        context: TLSClientContext,
        host: String = "127.0.0.1"
    ) throws {
        socket = TestSocket(port: port)
        session = try context.session(with: host)
        flush()
        while session.phase == .handshake, try receive() {}
    }

    var hasEnded: Bool { socket.hasEnded || session.phase == .endedByPeer }

    var isEstablished: Bool { session.phase == .established }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        for begin in stride(from: 0, to: bytes.count, by: 16_000) {
            try Array(bytes[begin..<min(bytes.count, begin + 16_000)]).withByteView {
                try session.send($0)
            }
            flush()
        }
    }

    func get(_ path: String) throws { try send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") }

    func endWriting() {
        session.end()
        flush()
        socket.endWriting()
    }

    private func flush() {
        var output: [UInt8] = []
        session.takeOutput { output += $0.array }
        socket.send(output)
    }

    /// Reads once more; false at the end, or if nothing comes.
    private func receive() throws -> Bool {
        let bytes = socket.receive()
        if bytes.isEmpty { return false }
        let capacity = bytes.count + TLSLimits.recordBytes
        let plain = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        defer { plain.deallocate() }
        let plainCount = try bytes.withByteView {
            try session.receive($0, into: plain, capacity: capacity)
        }
        received += UnsafeRawBufferPointer(start: plain, count: plainCount)
        flush()
        return !hasEnded || plainCount > 0
    }

    /// The body of the next answer; nil if the connection ends before.
    func body() throws -> [UInt8]? {
        while true {
            if let end = received.firstIndex(of: [13, 10, 13, 10]) {
                let begin = end + 4
                let head = String(decoding: received[..<end], as: UTF8.self)
                let length = TestClient.Answer(head).length
                if received.count >= begin + length {
                    defer { received.removeFirst(begin + length) }
                    return Array(received[begin..<begin + length])
                }
            }
            if try !receive() { return nil }
        }
    }

    /// The body of the next answer as text.
    func text() throws -> String? { try body().map { String(decoding: $0, as: UTF8.self) } }

    /// What has come when a text has come, or when the connection ends.
    func read(until part: String) throws -> String {
        while !String(decoding: received, as: UTF8.self).contains(part), try receive() {}
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// Reads until the connection ends.
    func readToEnd() throws {
        while try receive() {}
    }
}
