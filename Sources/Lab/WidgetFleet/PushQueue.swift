internal import Basics

/// The pushes of a run. Those that are due wait here until the publisher's session has capacity.
struct PushQueue {
    /// The most pushes that wait.
    ///
    /// Beyond that, pushes are made late, when there is capacity; their latencies still count from
    /// when they were due. Pushes that have not been made when the run ends are not sent.
    static var limit: Int { 65_536 }

    /// A push that waits.
    struct Entry {
        /// Its index in the scenario.
        let push: Int
        let payload: JSONValue
        let message: PushMessage
        /// When it was due, by the clock of `FleetPorts.exactTime`.
        let time: ExactTime
    }

    private let scenario: FleetScenario
    private var schedule: PushSchedule
    private var random: SplitMix64
    private var waiting: [Entry] = []

    init(_ scenario: FleetScenario, seed: UInt64) {
        self.scenario = scenario
        schedule = PushSchedule(scenario)
        // A random stream that differs from those of the devices, their owners and the engine.
        random = SplitMix64(seed: seed, stream: 1 << 42)
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// When the earliest push that has not been made is due, from when the run began; nil if all
    /// have been made.
    var next: Nanoseconds? { schedule.next }

    /// Makes the pushes that are due.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - start: when the run began.
    ///   - wall: the date.
    mutating func make(until now: ExactTime, start: ExactTime, wall: WallTime) {
        while waiting.count < Self.limit, let due = schedule.take(until: now - start) {
            let plan = scenario.pushes[due.push]
            let payload = plan.payload.drawn(from: scenario.values.drawn(&random), using: &random)
            let message = plan.message(payload, now: wall, using: &random)
            waiting.append(
                Entry(push: due.push, payload: payload, message: message, time: start + due.time)
            )
        }
    }

    /// Passes waiting pushes to `send`, in order, until it returns false.
    ///
    /// - Returns: true if any was sent.
    mutating func send(_ send: (Entry) -> Bool) -> Bool {
        let sent = waiting.prefix(while: send).count
        waiting.removeFirst(sent)
        return sent > 0
    }
}
