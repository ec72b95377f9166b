import Glibc
import Platform
import Testing

/// A service manager: a socket that is listened on, and read when the test says so.
final class Manager {
    /// -1 when it listens no more.
    private var descriptor: CInt
    let address: NotificationAddress
    /// As `$NOTIFY_SOCKET` has it.
    let name: String
    /// The file that it is; nil of an abstract name.
    private let path: String?

    /// Listens; on a name of its own, which is no file, if it `isAbstract`.
    init(isAbstract: Bool = false) throws {
        let unique = "reload-router-\(getpid())-\(UInt64.random(in: .min ... .max))"
        path = isAbstract ? nil : "/tmp/\(unique)"
        name = path ?? "@\(unique)"
        address = try NotificationAddress(name)
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        try #require(descriptor >= 0)
        try bind()
        // No test may hang in a read.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        try #require(unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size) == 0)
    }

    deinit { end() }

    private func bind() throws {
        var bytes = Array((path ?? name).utf8)
        if path == nil { bytes[0] = 0 }
        var socketName = sockaddr_un()
        socketName.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &socketName.sun_path) { memory in
            unsafe memory.copyBytes(from: bytes)
        }
        let size = 2 + bytes.count + (path == nil ? 0 : 1)
        let status = unsafe withUnsafePointer(to: &socketName) { socketName in
            unsafe Glibc.bind(
                descriptor,
                UnsafeRawPointer(socketName).assumingMemoryBound(to: sockaddr.self),
                socklen_t(size)
            )
        }
        try #require(status == 0)
    }

    /// Listens no more.
    ///
    /// Closing twice would close what another test has opened meanwhile.
    func end() {
        if descriptor < 0 { return }
        _ = close(descriptor)
        descriptor = -1
        if let path { _ = unlink(path) }
    }

    /// The next message; waits for it.
    func next() throws -> String {
        try #require(receive(flags: 0), "no message came")
    }

    /// All messages that are there.
    func all() -> [String] {
        var messages: [String] = []
        while let message = receive(flags: CInt(MSG_DONTWAIT)) { messages.append(message) }
        return messages
    }

    private func receive(flags: CInt) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe recv(descriptor, &bytes, bytes.count, flags)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
