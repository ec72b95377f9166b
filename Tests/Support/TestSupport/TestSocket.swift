internal import Glibc

/// A client's end of a connection over loopback, which blocks.
///
/// It gives up after 60 seconds, so that a server that hangs fails a test.
package final class TestSocket {
    private let descriptor: CInt
    /// Whether the other side has ended the connection, or there was none.
    package private(set) var hasEnded = false

    package init(port: UInt16) {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        setPatience(milliseconds: 60_000)
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        four.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafeBytes(of: four) { bytes in
            connect(
                descriptor,
                bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count)
            )
        }
        hasEnded = status != 0
    }

    deinit { close(descriptor) }

    /// Waits for so long for what comes.
    package func setPatience(milliseconds: Int) {
        var time = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
        let length = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, length)
    }

    /// Sends all of it, or as much as the server takes before it ends the connection.
    package func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, 0x4000)
            }
            if sent <= 0 { return }
            rest = rest.dropFirst(sent)
        }
    }

    package func endWriting() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// What comes next; empty at the end, or if nothing comes.
    package func receive() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { return Array(buffer[..<count]) }
        if count == 0 || errno != EAGAIN { hasEnded = true }
        return []
    }
}
