internal import Glibc

/// A socket that sends datagrams to a service manager without ever blocking.
package final class NotificationSocket {
    private let descriptor: CInt
    private let address: NotificationAddress

    /// Opens a socket for messages to this address. Throws `NotificationError.system` if the socket
    /// cannot be made, as when descriptors run out.
    package init(_ address: NotificationAddress) throws(NotificationError) {
        let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, CInt(kind), 0)
        if descriptor < 0 { throw .system(call: "socket", code: errno) }
        self.address = address
    }

    deinit { _ = close(descriptor) }

    /// Sends one datagram. Throws `NotificationError.full` if the manager's buffer is full, after
    /// which another attempt may succeed; `.system` for any other error, such as that no process
    /// listens.
    package func send(_ text: String) throws(NotificationError) {
        let bytes = Array(text.utf8)
        while true {
            if sendOnce(bytes) == bytes.count { return }
            switch errno {
            case EINTR: continue
            case EAGAIN, ENOBUFS: throw .full
            default: throw .system(call: "sendto", code: errno)
            }
        }
    }

    /// Makes one attempt to send a datagram. Returns the number of bytes sent, which is all of
    /// them; or -1 with `errno` set.
    private func sendOnce(_ bytes: [UInt8]) -> Int {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        // The length of a path includes its terminating 0; an abstract name has none.
        let count = address.bytes.count + (address.isAbstract ? 0 : 1)
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { memory in
            unsafe memory.copyBytes(from: address.bytes)
        }
        let nameByteCount = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + count
        return unsafe withUnsafePointer(to: &name) { name in
            unsafe sendto(
                descriptor,
                bytes,
                bytes.count,
                CInt(MSG_NOSIGNAL),
                UnsafeRawPointer(name).assumingMemoryBound(to: sockaddr.self),
                socklen_t(nameByteCount)
            )
        }
    }
}

/// The socket address of a service manager, from `$NOTIFY_SOCKET`.
package struct NotificationAddress: Equatable, Sendable {
    /// The longest name that the system allows, in bytes: one less than `sun_path` has.
    package static var byteLimit: Int { 107 }

    /// The content of `sun_path`; the name of an abstract socket begins with a 0.
    let bytes: [UInt8]

    /// Whether it names an abstract socket rather than a file.
    package var isAbstract: Bool { bytes[0] == 0 }

    /// Parses the value of `$NOTIFY_SOCKET`: an absolute path, or `@` followed by the name of an
    /// abstract socket. Throws `NotificationError.address` for anything else.
    package init(_ text: String) throws(NotificationError) {
        var bytes = Array(text.utf8)
        let isNamed = bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "@")
        guard isNamed, bytes.count > 1, bytes.count <= Self.byteLimit, !bytes.contains(0) else {
            throw .address(text)
        }
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        self.bytes = bytes
    }
}

/// Why the service manager cannot be notified.
package enum NotificationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// `$NOTIFY_SOCKET` is not an address.
    case address(String)
    /// A variable of the watchdog is not a positive whole number.
    case number(name: String, value: String)
    /// A system call failed with this error number.
    case system(call: String, code: CInt)
    /// The socket's buffer is full, because the service manager has not read earlier messages.
    case full

    /// The reason as one sentence, for the log.
    package var description: String {
        switch self {
        case .address(let text):
            "NOTIFY_SOCKET is \(text); it must be a path from the root on, or @ and a name, with at "
                + "most \(NotificationAddress.byteLimit) bytes"
        case .number(let name, let value): "\(name) is \(value); it must be a whole number above 0"
        case .system(let call, let code): "\(call) fails (error \(code))"
        case .full: "the service manager does not read its messages"
        }
    }
}
