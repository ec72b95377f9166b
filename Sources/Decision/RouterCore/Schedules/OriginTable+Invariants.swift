internal import Basics
internal import ReloadScheduling

extension Origin {
    /// Checks ledger and queue, and that the ledger has the rate for which reloads need permits.
    func checkInvariants() throws(InvariantViolation) {
        try checkPart("Origin.ledger", by: ledger.checkInvariants())
        try checkPart("Origin.queue", by: queue.checkInvariants())
        try checkInvariant(
            perSecond == ledger.perSecond,
            of: "Origin",
            otherwise: "reloads need permits for a rate of \(rateText(perSecond)), "
                + "and the ledger gives slots for \(rateText(ledger.perSecond))"
        )
        try checkInvariant(permits >= 0, of: "Origin", otherwise: "\(permits) permits are left")
    }

    private func rateText(_ rate: Int?) -> String { rate.map { "\($0) a second" } ?? "no limit" }
}

extension OriginTable {
    /// Checks each origin, and that each one with a queue is visited in the next tick.
    func checkInvariants() throws(InvariantViolation) {
        var waiting: Set<OriginID> = []
        var next = firstWaiting
        while let number = next {
            waiting.insert(number)
            next = nextWaiting(after: number)
        }
        for number in ids {
            do throws(InvariantViolation) {
                try self[number].checkInvariants()
            } catch {
                let table = "origin \(number): \(error.table)"
                throw InvariantViolation(of: table, problem: error.problem)
            }
            try checkInvariant(
                waiting.contains(number) || self[number].queue.isEmpty,
                otherwise: "origin \(number) has a queue, and is not marked as waiting"
            )
        }
        let beyond = waiting.first { $0.index >= count }
        try checkInvariant(
            beyond == nil,
            otherwise: "origin \(beyond ?? .first) is marked as waiting, and there are \(count)"
        )
    }
}
