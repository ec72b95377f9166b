package import Credentials
internal import Glibc
internal import Synchronization

/// A connection that was accepted outside of an `HTTPServer`, until the server adopts it.
///
/// It owns the socket: a connection that is never adopted is closed when it is released.
package final class AcceptedConnection: Sendable {
    /// The socket; negative once it was taken.
    private let socket: Atomic<CInt>
    /// The client's address, as the system's structure.
    let address: [UInt8]
    /// What the client has proved to be; nil for none.
    let certificate: ShownCertificate?

    /// - Parameters:
    ///   - socket: a connected stream socket, which this object owns from now on.
    ///   - address: the client's address as the system's structure, `sockaddr_in` or
    ///     `sockaddr_in6`: its share of the connections is that of its network.
    ///   - certificate: what the client has proved to be; nil for none.
    package init(owning socket: CInt, from address: [UInt8], certificate: ShownCertificate?) {
        precondition(!address.isEmpty, "a client without an address")
        self.socket = Atomic(socket)
        self.address = address
        self.certificate = certificate
    }

    deinit {
        let left = takeSocket()
        if left >= 0 { _ = close(left) }
    }

    /// Returns the socket, which the caller owns then; negative if it was taken before.
    func takeSocket() -> CInt { socket.exchange(-1, ordering: .acquiringAndReleasing) }
}
