internal import DataStructures
internal import ReloadScheduling

extension Origin {
    /// Checks ledger and queue, and that the ledger has the rate for which reloads need permits.
    func checkInvariants() throws(InvariantViolation) {
        try checkPart("Origin.ledger") { () throws(InvariantViolation) in
            try ledger.checkInvariants()
        }
        try checkPart("Origin.queue") { () throws(InvariantViolation) in
            try queue.checkInvariants()
        }
        try checkInvariant(
            perSecond == ledger.perSecond,
            of: "Origin",
            otherwise: "reloads need permits for a rate of \(rateText(perSecond)), "
                + "and the ledger gives slots for \(rateText(ledger.perSecond))"
        )
        try checkInvariant(
            permits >= 0,
            of: "Origin",
            otherwise: "\(permits) permits are left"
        )
    }

    private func rateText(_ rate: Int?) -> String { rate.map { "\($0) a second" } ?? "no limit" }
}

extension OriginTable {
    /// Checks each origin, and that each one with a queue is visited in the next tick.
    func checkInvariants() throws(InvariantViolation) {
        for number in 0..<UInt32(count) {
            do throws(InvariantViolation) {
                try self[number].checkInvariants()
            } catch {
                let table = "origin \(number): \(error.table)"
                throw InvariantViolation(of: table, problem: error.problem)
            }
            let isWaiting = nextWaiting(from: number) == number
            try checkInvariant(
                isWaiting || self[number].queue.isEmpty,
                of: "OriginTable",
                otherwise: "origin \(number) has a queue, and is not marked as waiting"
            )
        }
        let beyond = nextWaiting(from: UInt32(count))
        try checkInvariant(
            beyond == nil,
            of: "OriginTable",
            otherwise: "origin \(beyond ?? 0) is marked as waiting, and there are \(count)"
        )
    }
}
