internal import Basics

extension PeerTable {
    /// Checks that the counts are those of the entries, and that no slot is free or released twice,
    /// or while it has a peer.
    func checkInvariants() throws(InvariantViolation) {
        let opened = entries.count { $0.connection != nil }
        try checkInvariant(
            openCount == opened,
            otherwise: "\(openCount) connections are counted, and \(opened) are open"
        )
        let refused = entries.count { $0.isRefused }
        try checkInvariant(
            refusedCount == refused,
            otherwise: "\(refusedCount) refused connections are counted, and there are \(refused)"
        )
        var unused: Set<ConnectionSlot> = []
        for slot in free + released {
            try checkInvariant(
                unused.insert(slot).inserted,
                otherwise: "slot \(slot) is free or released twice"
            )
            try checkInvariant(
                self[slot].connection == nil && self[slot].network == nil,
                otherwise: "slot \(slot) is free or released, and has a peer"
            )
        }
    }
}
