internal import Basics
internal import FrameCodec

extension Front {
    /// Checks that the connections agree with each other, and that each session is open in the
    /// partition as on its connection.
    func checkInvariants(of partition: borrowing Router) throws(InvariantViolation) {
        try sessions.checkInvariants()
        let end = max(sessions.connections.end, partition.connectionEnd)
        for connection in NumberRange<ConnectionSlot>(count: Int(end)) {
            let number = partition.sessionNumber(connection)
            var established: UInt64 = 0
            if sessions.connections.has(connection) {
                let record = sessions.connections[connection]
                if record.isOpen && record.session.phase.isEstablished {
                    established = record.number
                }
            }
            try checkInvariant(
                number == established,
                otherwise: "connection \(connection) has session \(established), "
                    + "and in the state \(number)"
            )
        }
    }
}
