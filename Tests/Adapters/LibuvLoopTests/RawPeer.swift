import Glibc
import Testing

/// A peer without a loop: a plain blocking socket, whose every system call the test decides.
final class RawPeer {
    private(set) var descriptor: CInt

    /// Connects over IPv4 loopback; the kernel completes that without the listener's help.
    ///
    /// - Parameters:
    ///   - port: where the listener is.
    ///   - receiveBuffer: the kernel's buffer, small to fill it soon; 0 for the usual one.
    /// - Throws: `ConnectFailure`, for example when nobody listens.
    init(port: UInt16, receiveBuffer: CInt = 0) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        if receiveBuffer > 0 { try set(SO_RCVBUF, to: receiveBuffer) }
        // No test may hang in a read.
        try set(SO_RCVTIMEO, to: timeval(tv_sec: 60, tv_usec: 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        let result = unsafe withUnsafePointer(to: &address) { address in
            unsafe Glibc.connect(
                descriptor,
                UnsafeRawPointer(address).assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size)
            )
        }
        guard result == 0 else { throw ConnectFailure(code: errno) }
    }

    deinit { close() }

    /// Nobody listens, for example: what a test may expect.
    struct ConnectFailure: Error {
        let code: CInt
    }

    func send(_ bytes: [UInt8]) throws {
        let sent = unsafe Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        try #require(sent == bytes.count)
    }

    /// Sends what the kernel takes at once; nil if that is nothing.
    func sendSome(_ bytes: [UInt8]) -> Int? {
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        let sent = unsafe Glibc.send(descriptor, bytes, bytes.count, flags)
        return sent > 0 ? sent : nil
    }

    /// What is there now, at most `limit` bytes; nothing if nothing is.
    func receiveAvailable(_ limit: Int = 1 << 20) -> [UInt8] {
        receive(limit, flags: CInt(MSG_DONTWAIT)) ?? []
    }

    /// Waits for bytes; empty at the peer's end, nil at an error.
    func receive(_ limit: Int = 1 << 16, flags: CInt = 0) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe recv(descriptor, &bytes, limit, flags)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// Reads to the end; nil if the connection was reset before.
    func receiveAll() -> [UInt8]? {
        var all: [UInt8] = []
        while true {
            guard let bytes = receive() else { return nil }
            if bytes.isEmpty { return all }
            all += bytes
        }
    }

    func endWriting() { _ = shutdown(descriptor, CInt(SHUT_WR)) }

    func close() {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Closes so that the other side sees a reset.
    func reset() throws {
        try set(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
        close()
    }

    private func set<Value: BitwiseCopyable>(_ option: CInt, to value: Value) throws {
        let result = unsafe withUnsafeBytes(of: value) { value in
            unsafe setsockopt(
                descriptor,
                SOL_SOCKET,
                option,
                value.baseAddress,
                socklen_t(value.count)
            )
        }
        try #require(result == 0)
    }
}

/// How often this thread has called the kernel to write, or nil where the kernel does not count.
func writeCallsOfThisThread() -> Int? {
    guard let file = unsafe fopen("/proc/thread-self/io", "r") else { return nil }
    defer { _ = unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    while unsafe fgets(&line, CInt(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        if text.hasPrefix("syscw:") { return Int(text.dropFirst(7).dropLast()) }
    }
    return nil
}

/// Bytes that show where they belong: no two places less than 251 apart are alike.
func pattern(_ count: Int, from start: Int = 0) -> [UInt8] {
    (start..<start + count).map { UInt8($0 % 251) }
}
