import Cryptography
import DataStructures
import Glibc

/// A client with TLS that says what it is told, and blocks until it is answered.
///
/// It gives up after 60 seconds, so that a server that hangs fails a test.
final class SecureClient {
    private let socket: CInt
    private let session: TLSSession
    private var received: [UInt8] = []
    private(set) var hasEnded = false

    /// Connects, and completes the handshake; `error` says why it has failed.
    init(
        port: UInt16,
        context: TLSClientContext,
        host: String = "127.0.0.1"
    ) throws {
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        session = try context.session(with: host)
        setPatience(milliseconds: 60_000)
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        four.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafeBytes(of: four) { bytes in
            connect(
                socket,
                bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count)
            )
        }
        hasEnded = status != 0
        flush()
        while session.phase == .handshake, try receive() {}
    }

    deinit { close(socket) }

    var isEstablished: Bool { session.phase == .established }

    private func setPatience(milliseconds: Int) {
        var time = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

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
        shutdown(socket, CInt(SHUT_WR))
    }

    private func flush() {
        var output: [UInt8] = []
        session.takeOutput { output += $0.array }
        var rest = output[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, 0x4000) }
            if sent <= 0 { return }
            rest = rest.dropFirst(sent)
        }
    }

    /// Reads once more; false at the end, or if nothing comes.
    private func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count <= 0 {
            hasEnded = count == 0 || errno != EAGAIN
            return false
        }
        let capacity = count + TLSLimits.recordBytes
        let plain = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        defer { plain.deallocate() }
        let plainCount = try Array(buffer[..<count]).withByteView {
            try session.receive($0, into: plain, capacity: capacity)
        }
        received += UnsafeRawBufferPointer(start: plain, count: plainCount)
        flush()
        if session.phase == .endedByPeer { hasEnded = true }
        return !hasEnded || plainCount > 0
    }

    /// The body of the next answer; nil if the connection ends before.
    func body() throws -> [UInt8]? {
        while true {
            let text = String(decoding: received.prefix(4_096), as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n"),
                let length = text.split(separator: "\r\n")
                    .first(where: { $0.lowercased().hasPrefix("content-length: ") })
                    .flatMap({ Int($0.dropFirst(16)) })
            {
                let begin = text[..<end.upperBound].utf8.count
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

extension String {
    /// Where the first occurrence of a text is.
    fileprivate func range(of part: String) -> Range<Index>? {
        var begin = startIndex
        while begin < endIndex {
            if self[begin...].utf8.starts(with: part.utf8) {
                return begin..<utf8.index(begin, offsetBy: part.utf8.count)
            }
            begin = utf8.index(after: begin)
        }
        return nil
    }
}
