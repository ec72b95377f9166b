internal import Basics

extension DueTimers {
    /// How many timers are still to be delivered; a number that occurs twice counts twice.
    var count: Int { first.count - firstIndex + late.count - lateIndex }

    /// Checks that what is left of each run is sorted, unless timers were added since `sort`.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            firstIndex <= first.count && lateIndex <= late.count,
            otherwise: "more timers were delivered than there were"
        )
        try Self.check(first[firstIndex...], name: "first")
        if isSorted { try Self.check(late[lateIndex...], name: "late") }
    }

    /// Checks that a run is sorted; `name` is that of its array.
    private static func check(_ run: ArraySlice<TimerID>, name: String) throws(InvariantViolation) {
        for index in run.indices.dropFirst() {
            try checkInvariant(
                run[index - 1] <= run[index],
                otherwise: "timer \(run[index - 1]) is delivered before \(run[index]) of `\(name)`"
            )
        }
    }

    /// Calls `body` with each timer that is still to be delivered.
    func visit(_ body: (TimerID) -> Void) {
        for id in first[firstIndex...] { body(id) }
        for id in late[lateIndex...] { body(id) }
    }
}
