package import Basics

extension TimingWheel {
    /// Checks the wheel's parts against each other: each running timer is parked at the index that
    /// its deadline says, or has an entry that is met at its deadline at the latest; and the counts
    /// are right.
    ///
    /// - Complexity: proportional to the entries and the timers' numbers.
    package func checkInvariants() throws(InvariantViolation) {
        try checkPart("TimingWheel", by: deadlines.checkInvariants())
        try checkPart("TimingWheel", by: parked.checkInvariants())
        try checkPart("TimingWheel", by: due.checkInvariants())
        let rest = sweep.rest?.chainLength ?? 0
        let loose = rest + (sweep.taken?.chainLength ?? 0) + (detached?.chainLength ?? 0)
        try checkPart(
            "TimingWheel",
            by: slots.checkInvariants(position: now, swept: sweep.slot, detachedCount: loose)
        )
        try checkTimers()
    }

    /// Checks that each running timer is found, and that timers and entries are counted.
    private func checkTimers() throws(InvariantViolation) {
        let earliest = earliestEntries()
        var (timerCount, parkedCount) = (0, 0)
        try deadlines.visit { (id, word) throws(InvariantViolation) in
            timerCount += 1
            if let parkedID = word.parkedID {
                parkedCount += 1
                try checkInvariant(
                    parkedID.index < parked.count && parked[parkedID].id == id,
                    otherwise: "timer \(id) is parked at \(parkedID), which is another timer's"
                )
            } else {
                let entry = earliest.distances[id]
                try checkInvariant(
                    entry != nil && entry! <= word.distance(from: now),
                    otherwise: "timer \(id) runs and has no entry that is met in time"
                )
            }
        }
        try checkInvariant(
            timerCount == count,
            otherwise: "\(count) timers are counted, and \(timerCount) have a deadline"
        )
        try checkInvariant(
            parkedCount == parked.count,
            otherwise: "\(parked.count) timers are parked, and \(parkedCount) say so"
        )
        try checkInvariant(
            earliest.count == entryCount,
            otherwise: "\(entryCount) entries are counted, and there are \(earliest.count)"
        )
    }

    /// The number of all entries, and for each timer with entries the ticks from now to the first.
    private func earliestEntries() -> (count: Int, distances: [TimerID: UInt64]) {
        var count = 0
        var distances: [TimerID: UInt64] = [:]
        let position = now
        func insert(_ id: TimerID, distance: UInt64) {
            count += 1
            distances[id] = min(distances[id] ?? .max, distance)
        }
        func insertEntry(_ entry: WheelEntry) {
            insert(entry.id, distance: entry.word.distance(from: position))
        }
        slots.visit(insertEntry)
        detached?.visitChain(insertEntry)
        sweep.rest?.visitChain(insertEntry)
        sweep.taken?.visitChain(insertEntry)
        due.visit { insert($0, distance: 0) }
        return (count, distances)
    }
}
