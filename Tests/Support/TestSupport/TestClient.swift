internal import Glibc

/// A client that says what it is told, byte for byte.
///
/// It gives up after 60 seconds, so that a server that hangs fails a test.
package final class TestClient {
    private let socket: CInt
    private var received: [UInt8] = []
    package private(set) var hasEnded = false

    package init(port: UInt16) {
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
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
    }

    deinit { close(socket) }

    private func setPatience(milliseconds: Int) {
        var time = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    package func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Sends all of it, or as much as the server takes before it ends the connection.
    package func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, 0x4000) }
            if sent <= 0 { return }
            rest = rest.dropFirst(sent)
        }
    }

    package func get(_ path: String, method: String = "GET") {
        send("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    package func endWriting() { shutdown(socket, CInt(SHUT_WR)) }

    /// Reads once more; false at the end, or if nothing comes.
    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count > 0 { received += buffer[..<count] }
        if count == 0 || (count < 0 && errno != EAGAIN) { hasEnded = true }
        return count > 0
    }

    /// All that comes until the text ends so, and takes it; also ends with the connection.
    package func read(until end: String) -> String {
        let end = Array(end.utf8)
        while !received.ends(with: end), receive() {}
        return take(received.count)
    }

    package func readToEnd() -> String {
        while receive() {}
        return take(received.count)
    }

    /// Whether nothing comes, and the connection is not ended, for so long.
    package func hearsNothing(milliseconds: Int) -> Bool {
        setPatience(milliseconds: milliseconds)
        defer { setPatience(milliseconds: 60_000) }
        return received.isEmpty && !receive() && !hasEnded
    }

    private func take(_ count: Int) -> String {
        defer { received.removeFirst(count) }
        return String(decoding: received[..<count], as: UTF8.self)
    }

    /// A whole answer whose length was told.
    package func answer(toHead: Bool = false) -> Answer? {
        while true {
            if let end = received.firstIndex(of: [13, 10, 13, 10]) {
                let head = String(decoding: received[..<end], as: UTF8.self)
                let answer = Answer(head)
                let length = toHead ? 0 : answer.length
                if received.count >= end + 4 + length {
                    _ = take(end + 4)
                    return answer.with(body: take(length))
                }
            }
            if !receive() { return nil }
        }
    }

    package struct Answer {
        package let status: Int
        package let headers: [String: String]
        package var body = ""

        init(_ head: String) {
            let lines = head.split(separator: "\r\n")
            status = Int(lines[0].split(separator: " ")[1])!
            let pairs = lines.dropFirst().map { line in
                let colon = line.firstIndex(of: ":")!
                return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
            }
            headers = Dictionary(pairs) { first, _ in first }
        }

        package var length: Int { headers["Content-Length"].flatMap { Int($0) } ?? 0 }

        func with(body: String) -> Answer {
            var copy = self
            copy.body = body
            return copy
        }
    }
}

extension [UInt8] {
    package func ends(with end: [UInt8]) -> Bool {
        count >= end.count && self[(count - end.count)...].elementsEqual(end)
    }

    package func firstIndex(of part: [UInt8]) -> Int? {
        guard count >= part.count else { return nil }
        return (0...count - part.count).first { self[$0..<$0 + part.count].elementsEqual(part) }
    }
}
