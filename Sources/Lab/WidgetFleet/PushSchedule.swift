internal import Basics

/// The times at which the pushes of a scenario are due.
struct PushSchedule {
    /// A push that is due.
    struct DuePush: Equatable {
        /// Its index in the scenario.
        let push: Int
        /// When it is due, from when the run began.
        let time: Nanoseconds
    }

    /// The pushes of one plan, at equal intervals.
    private struct Stream {
        let push: Int
        /// When the first push is due, from when the run began.
        let from: Nanoseconds
        /// The number of ns between two pushes, which need not be whole; 0 if all come at once.
        let interval: Double
        let count: Int
        /// The number of pushes that `take` has returned.
        var taken = 0

        /// When the plan's next push is due, from when the run began; nil if there are no more.
        var next: Nanoseconds? {
            taken < count
                ? from + Nanoseconds(rawValue: Int64(interval * Double(taken))) : nil
        }
    }

    private var streams: [Stream]

    init(_ scenario: FleetScenario) {
        streams = scenario.pushes.enumerated().map { number, plan in
            let length = (plan.to ?? scenario.seconds) - plan.from
            return Stream(
                push: number,
                from: Nanoseconds(seconds: plan.from),
                interval: plan.perSecond > 0 ? 1e9 / plan.perSecond : 0,
                // The addend makes up for rounding errors: 2.9 times 100 is slightly less than 290.
                count: plan.perSecond > 0
                    ? max(0, Int(length * plan.perSecond + 1e-6)) : plan.count
            )
        }
    }

    /// When the next push is due, from when the run began; nil if there are no more.
    var next: Nanoseconds? { streams.compactMap(\.next).min() }

    /// Removes and returns the earliest push that is due; nil if there is none.
    mutating func take(until now: Nanoseconds) -> DuePush? {
        var earliest: (stream: Int, time: Nanoseconds)?
        for (index, stream) in streams.enumerated() {
            guard let next = stream.next, next <= now, next < earliest?.time ?? .max else {
                continue
            }
            earliest = (index, next)
        }
        guard let earliest else { return nil }
        streams[earliest.stream].taken += 1
        return DuePush(push: streams[earliest.stream].push, time: earliest.time)
    }
}
