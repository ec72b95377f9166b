import Glibc

/// A client that sends one request and reads what comes; it gives up after 60 seconds.
final class PageClient {
    private let socket: CInt
    private(set) var received = ""

    init(url: String, _ request: String) {
        let port = UInt16(url.split(separator: ":")[2].dropLast())!
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        four.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        _ = withUnsafeBytes(of: four) { bytes in
            connect(
                socket,
                bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count)
            )
        }
        let bytes = Array("\(request) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
        _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, 0x4000) }
    }

    deinit { close(socket) }

    /// Reads until this has come; false if it never does.
    func hears(_ text: String) -> Bool {
        while !received.contains(text) {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(socket, &buffer, buffer.count, 0)
            if count <= 0 { return false }
            received += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return true
    }

    /// All that comes until the connection ends.
    func readToEnd() -> String {
        _ = hears("\u{0}")
        return received
    }

    var status: Int {
        Int(readToEnd().split(separator: " ").dropFirst().first ?? "") ?? 0
    }
}
