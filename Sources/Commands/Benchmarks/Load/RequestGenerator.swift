import AdminAPI
import Basics
import CommandSupport
import LibuvLoop
import Platform

/// Sends requests on some connections, most of them over HTTP, and counts the answers.
final class RequestGenerator: ConnectionOwner {
    private let bench: BenchLoop
    private let address: SocketAddress
    /// Whether a connection ends with its answer, and another one is opened.
    private let endsWithAnswer: Bool
    /// The status of each answer, unless any will do; a connection whose answers may have any is
    /// also opened again when it ends.
    private let status: String?
    private let request: (Int) -> [UInt8]
    /// The bytes that are missing of answers longer than a read.
    private var missing: [ObjectIdentifier: Int] = [:]
    private var open: [TCPConnection] = []
    private var openedCount = 0
    private var wantedCount = 0
    private var isEnding = false
    private var sentCount = 0
    /// The number of answers that have come.
    private(set) var answerCount = 0

    /// Answers must have the status, unless it is nil; requests are made by their numbers, from 0.
    init(
        _ bench: BenchLoop,
        to port: UInt16,
        endsWithAnswer: Bool = false,
        status: String? = nil,
        request: @escaping (Int) -> [UInt8]
    ) throws {
        self.bench = bench
        self.endsWithAnswer = endsWithAnswer
        self.status = status
        self.request = request
        address = try SocketAddress.resolve(host: "127.0.0.1", port: port, loop: bench.loop)[0]
        bench.keep(self)
    }

    // MARK: - Requests

    /// Pushes over HTTP, all of the same length; if they have keys, each has another one.
    static func pushes(
        _ bench: BenchLoop,
        to port: UInt16,
        hasKeys: Bool
    ) throws -> RequestGenerator {
        let path = "/v1/apps/\(BenchApp.name)/pushes"
        // Other keys than those of earlier generators.
        let first = ExactTime.now.rawValue
        func push(_ number: Int) -> [UInt8] {
            let key = String(first + Int64(number), radix: 36)
            let header = hasKeys ? "Idempotency-Key: \"\(key)\"\r\n" : ""
            return post(path, headers: header, body: BenchApp.unmatchedPush)
        }
        let plain = push(0)
        return try RequestGenerator(bench, to: port, status: "202") { hasKeys ? push($0) : plain }
    }

    static func post(
        _ path: String,
        method: String = "POST",
        type: String = "application/json",
        headers: String = "",
        body: String
    ) -> [UInt8] {
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: \(type)\r\n\(headers)"
            + "Content-Length: \(body.utf8.count)\r\n\r\n"
        return Array((head + body).utf8)
    }

    /// A request without a body to an admin server.
    static func get(_ path: String, port: UInt16) -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(authorization(port))\r\n".utf8)
    }

    /// The header with the token of a router on this machine; empty if it has none.
    static func authorization(_ adminPort: UInt16) -> String {
        let token = AdminTokenFile.forServer(onPort: adminPort)
        return token.map { "Authorization: \($0.authorization)\r\n" } ?? ""
    }

    // MARK: - Connections

    func connect(_ count: Int) throws {
        while wantedCount < count {
            // A few at a time: the server's backlog is finite.
            let some = min(64, count - wantedCount)
            wantedCount += some
            for _ in 0..<some { try connect() }
            try bench.run(until: "the connections were opened") { [unowned self] in
                openedCount >= wantedCount
            }
        }
    }

    private func connect() throws {
        open.append(try TCPConnection.connect(bench.loop, to: address, owner: self))
    }

    /// Sends nothing more, and closes all connections.
    func stop() throws {
        isEnding = true
        for connection in open { connection.close() }
        try bench.run(until: "the connections were closed") { [unowned self] in open.isEmpty }
    }

    private func send(on tcp: TCPConnection) {
        request(sentCount).withByteView { tcp.append($0) }
        sentCount += 1
        tcp.flush()
    }

    func connectionOpened(_ tcp: TCPConnection) {
        openedCount += 1
        tcp.setNoDelay()
        tcp.resumeReading()
        send(on: tcp)
    }

    func connection(_ tcp: TCPConnection, received bytes: ByteView) -> Int {
        if endsWithAnswer {
            tcp.close()
            return bytes.count
        }
        if !missing.isEmpty, let missing = missing[ObjectIdentifier(tcp)] {
            return receive(bytes, of: missing, on: tcp)
        }
        guard let (head, body) = Self.answer(bytes) else { return 0 }
        if let status, bytes.slice(9, to: 12).string != status {
            bench.fail("the server answered \(bytes.string.prefix(200))")
            return bytes.count
        }
        return receive(bytes, of: head + body, on: tcp)
    }

    /// Receives bytes of an answer of which `count` are missing, and asks again after the last.
    /// Returns how many are of this answer.
    private func receive(_ bytes: ByteView, of count: Int, on tcp: TCPConnection) -> Int {
        if bytes.count < count {
            missing[ObjectIdentifier(tcp)] = count - bytes.count
            return bytes.count
        }
        if !missing.isEmpty { missing[ObjectIdentifier(tcp)] = nil }
        answerCount += 1
        if !isEnding { send(on: tcp) }
        return count
    }

    /// The lengths of head and body of the answer at the beginning; nil if the head is not whole.
    private static func answer(_ bytes: ByteView) -> (head: Int, body: Int)? {
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
        return (end + 4, body)
    }

    func connectionEnded(_ tcp: TCPConnection, error: UVError?) {
        if !isEnding && status != nil {
            bench.fail("a connection ended: \(error?.description ?? "by the server")")
        }
        tcp.close()
    }

    func connectionClosed(_ tcp: TCPConnection) {
        open.removeAll { $0 === tcp }
        missing[ObjectIdentifier(tcp)] = nil
        if isEnding { return }
        if endsWithAnswer { answerCount += 1 }
        do { try connect() } catch { bench.fail("no connection can be opened: \(error)") }
    }
}
