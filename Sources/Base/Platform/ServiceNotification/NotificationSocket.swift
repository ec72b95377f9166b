internal import Glibc

/// A socket that sends datagrams to a service manager, and never waits.
package final class NotificationSocket {
    private let descriptor: CInt
    private let address: NotificationAddress

    /// - Throws: `NotificationError.system` if there are no descriptors left.
    package init(_ address: NotificationAddress) throws(NotificationError) {
        let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, CInt(kind), 0)
        if descriptor < 0 { throw .system(call: "socket", code: errno) }
        self.address = address
    }

    deinit { _ = close(descriptor) }

    /// Sends one datagram.
    ///
    /// - Throws: `NotificationError.full` if the other side does not read, which may be tried again;
    ///   `.system` for anything else, such as nobody who listens.
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

    /// - Returns: how many bytes it took: all, or -1 and `errno`.
    private func sendOnce(_ bytes: [UInt8]) -> Int {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        // Of a path the 0 behind it counts, of an abstract name nothing does but its bytes.
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
