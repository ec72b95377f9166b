import AdminAPI
import CommandSupport
import Glibc

/// A connection to a server's admin port on 127.0.0.1 that blocks until each answer has come.
final class BenchAdminClient {
    let socket: CInt
    /// Bytes that were read and belong to the next answer.
    private var input: [UInt8] = []
    /// The header with the router's token; empty for a router that asks for none.
    private let authorization: String

    /// Connects to the port.
    ///
    /// - Throws: `BenchFailure` if the connection cannot be made.
    init(port: UInt16) throws {
        let token = AdminTokenFile.forServer(onPort: port)
        authorization = token.map { "Authorization: \($0.authorization)\r\n" } ?? ""
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        if socket < 0 { throw BenchFailure("a socket cannot be created") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(socket, address, size)
            }
        }
        if status != 0 { throw BenchFailure("the admin port \(port) does not answer") }
    }

    deinit { close(socket) }

    /// Sends a GET and waits for the whole answer, or only for its head if that states no length.
    ///
    /// - Returns: the status, and the length of the body in bytes; nil if the head does not state
    ///   it.
    /// - Throws: `BenchFailure` if the connection ends, or the answer has no status.
    func get(_ path: String) throws -> (status: Int, byteCount: Int?) {
        let (status, length) = try ask(path)
        if let length { input.removeFirst(length) }
        return (status, length)
    }

    /// Sends a GET that must succeed.
    ///
    /// - Returns: the body as text.
    /// - Throws: `BenchFailure` if the connection ends, or the answer's status is not 200.
    func text(_ path: String) throws -> String {
        let (status, length) = try ask(path)
        guard status == 200, let length else {
            throw BenchFailure("\(path) was answered with status \(status)")
        }
        defer { input.removeFirst(length) }
        return String(decoding: input[..<length], as: UTF8.self)
    }

    /// Sends a GET, and waits until `input` begins with the whole body.
    private func ask(_ path: String) throws -> (status: Int, byteCount: Int?) {
        try write("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(authorization)\r\n")
        let lines = try readHead()
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        let length = lines.lazy.compactMap { line -> Int? in
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count < 2 || parts[0].lowercased() != "content-length" { return nil }
            return Int(parts[1].drop { $0 == " " })
        }.first
        guard let status else { throw BenchFailure("the admin server sent no status line") }
        guard let length else { return (status, nil) }
        while input.count < length { try readMore() }
        return (status, length)
    }

    /// Sends a GET that must succeed.
    ///
    /// - Returns: the length of the body in bytes; nil if the head does not state it.
    /// - Throws: `BenchFailure` if the connection ends, or the answer's status is not 200.
    @discardableResult
    func expect(_ path: String) throws -> Int? {
        let answer = try get(path)
        if answer.status == 200 { return answer.byteCount }
        throw BenchFailure("\(path) was answered with status \(answer.status)")
    }

    /// Reads and drops what has arrived of an answer that does not end, such as a stream of events.
    ///
    /// - Throws: `BenchFailure` if the connection ends.
    func discardInput() throws {
        try readMore()
        input.removeAll(keepingCapacity: true)
    }

    private func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        if unsafe Glibc.write(socket, bytes, bytes.count) != bytes.count {
            throw BenchFailure("the admin server does not accept a request")
        }
    }

    /// Reads the head of an answer, and returns its lines.
    private func readHead() throws -> [Substring] {
        let end: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a]
        var searched = 0
        while true {
            if input.count >= 4 {
                for start in searched...input.count - 4 where input[start] == 0x0d {
                    if Array(input[start..<start + 4]) != end { continue }
                    let head = String(decoding: input[..<start], as: UTF8.self)
                    input.removeFirst(start + 4)
                    return head.split(separator: "\r\n")
                }
                searched = input.count - 3
            }
            try readMore()
        }
    }

    private func readMore() throws {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe read(socket, &buffer, buffer.count)
        if count <= 0 { throw BenchFailure("the admin server has closed the connection") }
        input += buffer[..<count]
    }
}
