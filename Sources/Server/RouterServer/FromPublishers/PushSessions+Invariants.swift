internal import Basics

extension PushSessions {
    /// Checks that each session is found by its slot, and that those found by their producers are
    /// among them.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            slotCount == all.count,
            otherwise: "\(slotCount) sessions have a slot, and there are \(all.count)"
        )
        for session in all {
            try checkInvariant(
                self[slot: session.slot] === session,
                otherwise: "slot \(session.slot) has another session"
            )
        }
        try checkInvariant(
            laneCount == all.count { $0.key.hasLane },
            otherwise: "\(laneCount) sessions of the router's own producers have lanes"
        )
        for session in all {
            try checkInvariant(
                session.lanes?.isCounted != false,
                otherwise: "the lanes of \(session.key) have other numbers of requests"
            )
        }
        for (key, session) in byKey {
            try checkInvariant(
                session.key == key && self[slot: session.slot] === session,
                otherwise: "the session of \(key) has ended"
            )
        }
    }
}
