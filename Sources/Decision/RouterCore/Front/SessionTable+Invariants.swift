internal import Basics
internal import FrameCodec

extension SessionTable {
    /// Checks that `roles` is right, that each connection without a HELLO is in the queue of those,
    /// and that each connection to which an ACK is due is in `acknowledging`.
    func checkInvariants() throws(InvariantViolation) {
        try checkPart("SessionTable.connections", by: connections.checkInvariants())
        var found = RoleCounts()
        var awaiting = awaitingHello.generations()
        let acknowledged = Set(acknowledging)
        for connection in connections.ids where connections[connection].isOpen {
            let record = connections[connection]
            found.add(1, to: record.session.phase)
            if record.session.phase == .awaitingHello {
                try checkInvariant(
                    awaiting.removeValue(forKey: connection) == record.generation,
                    otherwise: "connection \(connection) awaits HELLO, and is not queued"
                )
            }
            let isAckDue = record.ackIsDue && record.session.phase != .ended
            try checkInvariant(
                !isAckDue || acknowledged.contains(connection),
                otherwise: "an ACK is due to connection \(connection), which is not listed"
            )
        }
        try checkInvariant(found == roles, otherwise: "\(roles) are counted of \(found)")
        try checkInvariant(
            found.awaitingHello == awaitingHello.count,
            otherwise: "\(awaitingHello.count) connections without HELLO are counted "
                + "of \(found.awaitingHello)"
        )
    }
}

extension AwaitingHelloQueue {
    /// For each queued connection, the newest generation that is queued.
    fileprivate func generations() -> [ConnectionSlot: UInt32] {
        var generations: [ConnectionSlot: UInt32] = [:]
        for entry in entries[head...] { generations[entry.connection] = entry.generation }
        return generations
    }
}
