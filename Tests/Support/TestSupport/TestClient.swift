/// A client that says what it is told, byte for byte.
package final class TestClient {
    private let socket: TestSocket
    private var received: [UInt8] = []

    package init(port: UInt16) {
        socket = TestSocket(port: port)
    }

    package var hasEnded: Bool { socket.hasEnded }

    package func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Sends all of it, or as much as the server takes before it ends the connection.
    package func send(_ bytes: [UInt8]) { socket.send(bytes) }

    package func get(_ path: String, method: String = "GET") {
        send("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    package func endWriting() { socket.endWriting() }

    /// Reads once more; false at the end, or if nothing comes.
    private func receive() -> Bool {
        let bytes = socket.receive()
        received += bytes
        return !bytes.isEmpty
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
        socket.setPatience(milliseconds: milliseconds)
        defer { socket.setPatience(milliseconds: 60_000) }
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

        package init(_ head: String) {
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
