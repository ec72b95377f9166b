internal import CLibuv
package import Cryptography

/// Receives the connections that a `TCPListener` accepts.
package protocol ListenerOwner: ConnectionOwner {
    /// A peer has connected; nothing is read before `startReading`.
    func listener(_ listener: TCPListener, accepted connection: TCPConnection)
    /// A peer could not be accepted. (If no file descriptor is left, libuv rejects the waiting
    /// peers with one that it keeps in reserve, and this is not called.)
    func listener(_ listener: TCPListener, failedToAccept error: UVError)
}

extension ListenerOwner {
    /// For an owner that ignores peers which could not be accepted.
    package func listener(_ listener: TCPListener, failedToAccept error: UVError) {}
}

/// A TCP socket that accepts connections.
@safe
package final class TCPListener {
    private let loop: Loop
    private let handle = unsafe HandleMemory<uv_tcp_t>()
    private unowned(unsafe) let owner: any ListenerOwner
    private var isClosing = false
    /// Begins the TLS sessions of connections; nil if bytes are sent as they are.
    package let security: TLSServerContext?
    /// The address listened on, with the port that the system chose if 0 was asked for.
    package private(set) var localAddress: SocketAddress
    /// Whether connections are accepted while the loop takes input; nil if the loop's `accepts`
    /// decides that.
    package var accepts: Bool?
    /// True if a connection waits to be accepted; libuv accepts no other one meanwhile.
    private var hasWaiting = false
    /// The most connections that the kernel queues until they are accepted.
    package static var backlog: CInt { 4_096 }

    /// Binds and listens; the owner gets the connections and receives their events. `includesIPv4`
    /// is true if a socket for all IPv6 addresses accepts those of IPv4, too; `security` begins the
    /// TLS sessions of connections, and is nil to send bytes as they are. Throws libuv's error,
    /// such as `EADDRINUSE`.
    package init(
        _ loop: Loop,
        address: SocketAddress,
        includesIPv4: Bool = false,
        security: TLSServerContext? = nil,
        owner: any ListenerOwner
    ) throws(UVError) {
        self.loop = loop
        self.security = security
        unsafe self.owner = owner
        localAddress = address
        unsafe UVError.assertSuccess(uv_tcp_init(loop.pointer, handle.pointer))
        unsafe handle.retain(self, owner: owner)
        do throws(UVError) {
            // Each family has its own socket: one for IPv6 must not occupy the IPv4 addresses,
            // unless the owner wants one socket for both.
            let isIPv6Only = address.isIPv6 && !includesIPv4
            let flags = isIPv6Only ? UInt32(UV_TCP_IPV6ONLY.rawValue) : 0
            unsafe try UVError.check(
                address.withSockaddr { unsafe uv_tcp_bind(handle.pointer, $0, flags) }
            )
            try UVError.check(
                unsafe uv_listen(handle.stream, Self.backlog) { stream, status in
                    let listener = unsafe object(TCPListener.self, data: stream!.pointee.data)
                    let meter = listener.loop.meter
                    meter.begin(.accept)
                    if status >= 0 {
                        listener.accept()
                    } else {
                        unsafe listener.owner.listener(
                            listener,
                            failedToAccept: UVError(code: status)
                        )
                    }
                    meter.end()
                }
            )
            localAddress = unsafe SocketAddress.ofSocket(handle)!
        } catch {
            close()
            throw error
        }
    }

    /// Accepts a connection that arrived while none were accepted, and then others as they arrive.
    package func acceptWaiting() {
        if hasWaiting && !isClosing { accept() }
    }

    private func accept() {
        assert(!isClosing, "a listener accepts after its end")
        hasWaiting = !loop.takesInput || !(accepts ?? loop.accepts)
        if hasWaiting { return }
        do throws(UVError) {
            let connection = try unsafe TCPConnection(loop, owner: owner)
            let status = unsafe uv_accept(handle.stream, connection.handle.stream)
            if status < 0 {
                connection.close()
                return
            }
            if let security {
                do throws(TLSError) {
                    connection.security = try security.session(at: loop.now)
                } catch {
                    // No memory for a session.
                    connection.close()
                    return
                }
            }
            unsafe owner.listener(self, accepted: connection)
        } catch {
            // No memory for a handle: the connection stays with the kernel.
        }
    }

    /// Stops accepting. A second call does nothing.
    package func close() {
        if isClosing { return }
        isClosing = true
        unsafe handle.close { unsafe releaseHandle($0) }
    }
}
