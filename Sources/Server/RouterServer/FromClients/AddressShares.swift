internal import Basics
internal import LibuvLoop

/// Counts the connections of each peer network, so that none of them uses up the server's limit.
/// `PeerTable` asks it before it accepts a connection.
///
/// A network is an IPv4 address, or an IPv6 prefix of 64 bits. Only networks with open connections
/// have an entry; every operation takes constant time.
struct AddressShares {
    private struct Share {
        /// Connections that are open.
        var open = 0
        /// Open connections that have no session yet.
        var silent = 0
    }

    private var shares: [PeerNetwork: Share] = [:]
    private let limits: RouterLimits

    init(_ limits: RouterLimits) { self.limits = limits }

    var isEmpty: Bool { shares.isEmpty }

    /// Counts an accepted connection, unless its network has too many. Returns nil if it was
    /// counted; otherwise a sentence for the peer that says why it is refused.
    mutating func open(_ network: PeerNetwork) -> String? {
        let share = shares[network] ?? Share()
        assert((0...share.open).contains(share.silent), "a network's connections are miscounted")
        if let limit = limits.connectionsPerAddress
            ?? (network.isLoopback ? nil : limits.fairConnections),
            share.open >= limit
        {
            return "\(limit) connections of this address are open; no more are accepted from it"
        }
        if !network.isLoopback, share.silent >= limits.fairConnectionsAwaitingHello {
            return
                "\(limits.fairConnectionsAwaitingHello) connections of this address have not sent "
                + "HELLO; no more are accepted from it"
        }
        shares[network] = Share(open: share.open + 1, silent: share.silent + 1)
        return nil
    }

    /// Records that a connection of the network has begun its session.
    mutating func welcomed(_ network: PeerNetwork) {
        shares[network]!.silent -= 1
        assert(shares[network]!.silent >= 0, "more sessions begin than connections are silent")
    }

    /// Removes a connection that has closed.
    mutating func closed(_ network: PeerNetwork, hadSession: Bool) {
        var share = shares[network]!
        share.open -= 1
        if !hadSession { share.silent -= 1 }
        assert((0...share.open).contains(share.silent), "a network's connections are miscounted")
        shares[network] = share.open == 0 ? nil : share
    }
}
