import CommandSupport
import DataStructures
import Glibc
import LibuvLoop
import Platform
import Times

/// Sends the same POST over and over on each of its connections, each after the answer to the one
/// before, and counts the answers.
///
/// If the requests have keys, each has another one.
final class RequestGenerator: ConnectionOwner {
    private let bench: BenchLoop
    /// The request; of one with a key, up to the key and from there.
    private let request: (start: [UInt8], end: [UInt8])
    private let hasKeys: Bool
    private var connections: [TCPConnection] = []
    private var openCount = 0
    private var closedCount = 0
    private var isEnding = false
    /// The number of requests that were sent, which makes keys.
    private var sentCount: UInt64
    /// The number of answers that have come.
    private(set) var answerCount = 0

    /// The path that pushes are sent to.
    private static var path: String { "/v1/apps/\(BenchApp.name)/pushes" }

    /// - Parameters:
    ///   - bench: the loop of its connections.
    ///   - hasKeys: whether each request has a key of its own.
    init(_ bench: BenchLoop, hasKeys: Bool) {
        self.bench = bench
        self.hasKeys = hasKeys
        let body = BenchApp.unmatchedPush
        let start =
            "POST \(Self.path) HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n"
        request = (
            Array((start + (hasKeys ? "Idempotency-Key: \"" : "")).utf8),
            Array(((hasKeys ? "\"\r\n" : "") + "\r\n" + body).utf8)
        )
        // Other keys than those of earlier generators.
        sentCount = UInt64(ExactTime.now.rawValue)
        bench.keep(self)
    }

    /// Opens connections, which begin to send at once.
    ///
    /// - Throws: `BenchFailure`, or an error of the system.
    func connect(_ count: Int, to port: UInt16) throws {
        let address = try SocketAddress.resolve(host: "127.0.0.1", port: port, loop: bench.loop)[0]
        while connections.count < count {
            // A few at a time: the server's backlog is finite.
            for _ in 0..<min(64, count - connections.count) {
                let tcp = try TCPConnection.connect(
                    bench.loop,
                    to: address,
                    security: nil,
                    owner: self
                )
                tcp.slot = UInt32(connections.count)
                connections.append(tcp)
            }
            try bench.run(until: "the connections were opened") { [unowned self] in
                openCount == connections.count
            }
        }
    }

    /// Sends nothing more, and closes all connections.
    func stop() throws {
        isEnding = true
        for connection in connections { connection.close() }
        try bench.run(until: "the connections were closed") { [unowned self] in
            closedCount == connections.count
        }
    }

    private func send(on tcp: TCPConnection) {
        request.start.withByteView { tcp.append($0) }
        if hasKeys {
            sentCount += 1
            Array(String(sentCount, radix: 36).utf8).withByteView { tcp.append($0) }
        }
        request.end.withByteView { tcp.append($0) }
        tcp.flush()
    }

    // MARK: - Called by connections

    func connectionOpened(_ tcp: TCPConnection) {
        openCount += 1
        tcp.setNoDelay()
        tcp.resumeReading()
        send(on: tcp)
    }

    func connection(_ tcp: TCPConnection, received bytes: ByteView) -> Int {
        guard let length = Self.answerLength(bytes) else { return 0 }
        if bytes.slice(9, to: 12).string != "202" {
            bench.fail("the server answered \(bytes.string.prefix(200))")
            return bytes.count
        }
        answerCount += 1
        if !isEnding { send(on: tcp) }
        return length
    }

    /// The bytes of the answer at the beginning; nil if it is not whole yet.
    static func answerLength(_ bytes: ByteView) -> Int? {
        var end = 12
        while end + 4 <= bytes.count, bytes.bigEndian(UInt32.self, at: end) != 0x0d0a_0d0a {
            end += 1
        }
        if end + 4 > bytes.count { return nil }
        // Content-Length, in any case.
        let head = bytes.slice(0, to: end)
        let name = Array("content-length: ".utf8)
        var body = 0
        for start in 12..<max(12, end - name.count) where head[start - 1] == 0x0a {
            let isLength = name.indices.allSatisfy { head[start + $0] | 0x20 == name[$0] | 0x20 }
            if !isLength { continue }
            var digit = start + name.count
            while digit < end, (0x30...0x39).contains(head[digit]) {
                body = body * 10 + Int(head[digit] - 0x30)
                digit += 1
            }
        }
        let length = end + 4 + body
        return length <= bytes.count ? length : nil
    }

    func connectionEnded(_ tcp: TCPConnection, error: UVError?) {
        if isEnding { return }
        bench.fail("connection \(tcp.slot) ended: \(error?.description ?? "by the server")")
    }

    func connectionClosed(_ tcp: TCPConnection) { closedCount += 1 }
}
