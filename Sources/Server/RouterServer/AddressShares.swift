internal import LibuvLoop
internal import ReloadModel

/// How many connections each party has, so that none has those of all.
///
/// A party is an IPv4 address, or an IPv6 network of 64 bits. As many entries as there are parties with
/// connections; each step takes the same time however many there are.
struct AddressShares {
    private struct Share {
        var open = 0
        /// Those among them that have no session yet.
        var silent = 0
    }

    private var shares: [PeerNetwork: Share] = [:]
    private let limits: RouterLimits

    init(_ limits: RouterLimits) {
        self.limits = limits
    }

    var isEmpty: Bool { shares.isEmpty }

    /// Counts a connection that has been accepted.
    ///
    /// - Returns: why it is not to be taken, as a sentence; nil if it is counted.
    mutating func open(_ network: PeerNetwork) -> String? {
        let share = shares[network] ?? Share()
        if let limit = limits.connectionsPerAddress
            ?? (network.isLoopback ? nil : limits.fairShare),
            share.open >= limit
        {
            return "\(limit) connections of this address are open; no more are taken from it"
        }
        if !network.isLoopback, share.silent >= limits.fairSilentShare {
            return "\(limits.fairSilentShare) connections of this address have not said HELLO; no "
                + "more are taken from it"
        }
        shares[network] = Share(open: share.open + 1, silent: share.silent + 1)
        return nil
    }

    /// A connection has a session now.
    mutating func welcomed(_ network: PeerNetwork) {
        shares[network]!.silent -= 1
    }

    /// A connection is gone.
    mutating func closed(_ network: PeerNetwork, hadSession: Bool) {
        var share = shares[network]!
        share.open -= 1
        if !hadSession { share.silent -= 1 }
        shares[network] = share.open == 0 ? nil : share
    }
}
