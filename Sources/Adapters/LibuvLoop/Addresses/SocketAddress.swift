internal import CLibuv
internal import Glibc

/// An IPv4 or IPv6 address with a port, as the system's structure.
package struct SocketAddress: CustomStringConvertible, Sendable {
    var storage = sockaddr_storage()

    /// Finds the addresses of a host, at least one: of an address, a name, `localhost` (both
    /// loopback addresses) or `*` (every address). A name is looked up before this returns, which
    /// blocks the loop's thread; a loop that has other work should use `AddressLookup`. Throws the
    /// resolver's error, such as `EAI_NONAME`.
    package static func resolve(
        host: String,
        port: UInt16,
        loop: Loop
    ) throws(UVError) -> [SocketAddress] {
        if let addresses = withoutLookup(host: host, port: port) { return addresses }
        return try lookUp(host, port: port, loop: loop)
    }

    /// The addresses of a host that need no lookup: an address, `localhost` or `*`; nil if the
    /// host's name must be looked up.
    package static func withoutLookup(host: String, port: UInt16) -> [SocketAddress]? {
        let texts =
            switch host {
            case "*": ["0.0.0.0", "::"]
            case "localhost": ["127.0.0.1", "::1"]
            default: [host]
            }
        var addresses: [SocketAddress] = []
        for text in texts {
            guard let address = try? literal(text, port: port) else { return nil }
            addresses.append(address)
        }
        return addresses
    }

    /// Parses a numeric address.
    private static func literal(_ text: String, port: UInt16) throws(UVError) -> SocketAddress {
        var address = SocketAddress()
        let isIPv6 = text.utf8.contains(0x3a)
        let status = unsafe withUnsafeMutablePointer(to: &address.storage) { storage in
            let raw = UnsafeMutableRawPointer(storage)
            return isIPv6
                ? unsafe uv_ip6_addr(
                    text,
                    CInt(port),
                    raw.assumingMemoryBound(to: sockaddr_in6.self)
                )
                : unsafe uv_ip4_addr(
                    text,
                    CInt(port),
                    raw.assumingMemoryBound(to: sockaddr_in.self)
                )
        }
        try UVError.check(status)
        return address
    }

    /// Looks up a name, and blocks until the resolver returns.
    private static func lookUp(
        _ host: String,
        port: UInt16,
        loop: Loop
    ) throws(UVError) -> [SocketAddress] {
        var hints = unsafe streamHints
        let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
        defer { unsafe request.deallocate() }
        try UVError.check(
            unsafe uv_getaddrinfo(loop.pointer, request, nil, host, String(port), &hints)
        )
        defer { unsafe uv_freeaddrinfo(request.pointee.addrinfo) }
        return unsafe list(request.pointee.addrinfo)
    }

    /// What a lookup asks for: addresses for TCP. Without it, each address would be found once for
    /// each kind of socket.
    static var streamHints: addrinfo {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        return unsafe hints
    }

    /// The addresses that a lookup has found, in the order in which they should be tried.
    @unsafe
    static func list(_ first: UnsafeMutablePointer<addrinfo>?) -> [SocketAddress] {
        var addresses: [SocketAddress] = []
        var next = unsafe first
        while let info = unsafe next {
            var address = SocketAddress()
            unsafe withUnsafeMutablePointer(to: &address.storage) { storage in
                unsafe UnsafeMutableRawPointer(storage).copyMemory(
                    from: info.pointee.ai_addr,
                    byteCount: Int(info.pointee.ai_addrlen)
                )
            }
            addresses.append(address)
            unsafe next = unsafe info.pointee.ai_next
        }
        return addresses
    }

    /// True for an IPv6 address, false for an IPv4 address.
    package var isIPv6: Bool { Int32(storage.ss_family) == AF_INET6 }

    /// The same address with another port.
    package func with(port: UInt16) -> SocketAddress {
        var copy = self
        unsafe withUnsafeMutablePointer(to: &copy.storage) { storage in
            // Both families have the port at the same offset, in network order.
            unsafe UnsafeMutableRawPointer(storage).storeBytes(
                of: port.bigEndian,
                toByteOffset: 2,
                as: UInt16.self
            )
        }
        return copy
    }

    /// The port; 0 lets the system choose one.
    package var port: UInt16 {
        unsafe withUnsafePointer(to: storage) { storage in
            unsafe UInt16(
                bigEndian: UnsafeRawPointer(storage).load(fromByteOffset: 2, as: UInt16.self)
            )
        }
    }

    /// The address without its port, in its usual spelling: `127.0.0.1` or `::1`.
    package var host: String {
        var text = [CChar](repeating: 0, count: 64)
        _ = unsafe withSockaddr { unsafe uv_ip_name($0, &text, text.count) }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `127.0.0.1:7410` or `[::1]:7410`.
    package var description: String { Endpoint(host: host, port: port).description }

    /// The bytes of the address as the system's structure, `sockaddr_in` or `sockaddr_in6`.
    package var bytes: [UInt8] {
        let count = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        return unsafe withUnsafeBytes(of: storage) { unsafe Array($0.prefix(count)) }
    }

    /// Calls `body` with the address as the system's structure, valid during the call.
    func withSockaddr(_ body: (UnsafePointer<sockaddr>) -> CInt) -> CInt {
        unsafe withUnsafePointer(to: storage) { storage in
            unsafe body(UnsafeRawPointer(storage).assumingMemoryBound(to: sockaddr.self))
        }
    }

    /// This side's address of a socket; nil if it has none.
    static func ofSocket(_ handle: HandleMemory<uv_tcp_t>) -> SocketAddress? {
        unsafe ask { unsafe uv_tcp_getsockname(handle.pointer, $0, $1) }
    }

    /// The peer's address of a socket; nil if it has none.
    static func ofPeer(_ handle: HandleMemory<uv_tcp_t>) -> SocketAddress? {
        unsafe ask { unsafe uv_tcp_getpeername(handle.pointer, $0, $1) }
    }

    /// The address that a call of libuv writes; nil if the call fails.
    private static func ask(
        _ question: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<CInt>) -> CInt
    ) -> SocketAddress? {
        var address = SocketAddress()
        var length = CInt(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address.storage) { storage in
            unsafe question(
                UnsafeMutableRawPointer(storage).assumingMemoryBound(to: sockaddr.self),
                &length
            )
        }
        return status < 0 ? nil : address
    }
}
