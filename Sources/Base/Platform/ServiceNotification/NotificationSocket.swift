internal import Glibc

/// A socket that sends datagrams to a service manager without ever blocking.
package final class NotificationSocket {
    private let descriptor: CInt
    private let address: NotificationAddress

    /// Opens a socket for messages to this address.
    ///
    /// - Throws: `NotificationError.system` if the socket cannot be made, as when descriptors run
    ///   out.
    package init(_ address: NotificationAddress) throws(NotificationError) {
        let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, CInt(kind), 0)
        if descriptor < 0 { throw .system(call: "socket", code: errno) }
        self.address = address
    }

    deinit { _ = close(descriptor) }

    /// Sends one datagram.
    ///
    /// - Throws: `NotificationError.full` if the manager's buffer is full, after which another
    ///   attempt may succeed; `.system` for any other error, such as that no process listens.
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

    /// Makes one attempt to send a datagram.
    ///
    /// - Returns: the number of bytes sent, which is all of them; or -1 with `errno` set.
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

@available(*, unavailable)
extension NotificationSocket: Sendable {}
