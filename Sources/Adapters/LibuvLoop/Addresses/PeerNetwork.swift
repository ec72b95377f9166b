internal import CLibuv
internal import Glibc

/// The network of a peer: an IPv4 address, or the first half of an IPv6 address, since one party
/// usually has the whole network.
///
/// It is a key for tables: the standard library hashes it with a secret of the process, so peers
/// cannot provoke collisions.
package struct PeerNetwork: Hashable, Sendable {
    private let isIPv6: Bool
    private let bits: UInt64
    /// True if it is this machine itself.
    package let isLoopback: Bool

    /// - Parameter bytes: an address in network order, 4 or 16 bytes.
    init(_ bytes: [UInt8]) {
        var bytes = bytes
        assert(bytes.count == 4 || bytes.count == 16, "an address of \(bytes.count) bytes")
        // An IPv4 address that arrived through an IPv6 socket (`::ffff:a.b.c.d`) counts as IPv4.
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        if bytes.count == 16 && bytes.starts(with: mapped) { bytes.removeFirst(12) }
        isIPv6 = bytes.count == 16
        bits = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        let isOne = bytes.last == 1 && !bytes.dropLast().contains { $0 != 0 }
        isLoopback = isIPv6 ? isOne : bytes.first == 127
    }
}

extension SocketAddress {
    /// The network of this address.
    package var network: PeerNetwork {
        let bytes = unsafe withUnsafeBytes(of: storage) { storage in
            // `sockaddr_in6` has the flow information between the port and the address.
            unsafe Array(isIPv6 ? storage[8..<24] : storage[4..<8])
        }
        return PeerNetwork(bytes)
    }
}

extension TCPConnection {
    /// The network of the peer; nil once the connection is closing or broken.
    package var remoteNetwork: PeerNetwork? {
        isClosing ? nil : unsafe SocketAddress.ofPeer(handle)?.network
    }
}
