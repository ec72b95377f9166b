internal import DataStructures
internal import StrictJSON

/// The pushes of a run: those that are due wait here for room in the publisher's session.
struct PushQueue {
    /// Pushes that wait.
    ///
    /// Beyond, the next ones are made when there is room, late: their time counts from when they were
    /// due. Those that are not made when the run ends are not sent.
    static var limit: Int { 65_536 }

    struct Entry {
        /// Of the scenario.
        let push: Int
        let payload: JSONValue
        let message: PushMessage
        /// When it was due, by the clock of `FleetPorts.nanoseconds`.
        let time: Int64
    }

    private let scenario: FleetScenario
    private var schedule: PushSchedule
    private var random: SplitMix64
    private var waiting: [Entry] = []

    init(_ scenario: FleetScenario, seed: UInt64) {
        self.scenario = scenario
        schedule = PushSchedule(scenario)
        // Apart from the streams of devices, their owners and the engine.
        random = SplitMix64(seed: seed, stream: 1 << 42)
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// When the next one is due that does not wait yet, in ns since the run began.
    var next: Int64? { schedule.next }

    /// Makes the pushes that are due.
    ///
    /// - Parameters:
    ///   - now: in ns.
    ///   - start: of the run, in ns.
    ///   - wall: in ms since 1970.
    mutating func make(until now: Int64, start: Int64, wall: Int64) {
        while waiting.count < Self.limit, let due = schedule.take(until: now - start) {
            let plan = scenario.pushes[due.push]
            let payload = plan.payload.drawn(from: scenario.values.drawn(&random), &random)
            let message = plan.message(payload, now: wall, &random)
            waiting.append(
                Entry(push: due.push, payload: payload, message: message, time: start + due.time)
            )
        }
    }

    /// Sends those that wait, in their order, as long as `send` takes them.
    ///
    /// - Returns: whether any went out.
    mutating func send(_ send: (Entry) -> Bool) -> Bool {
        let sent = waiting.prefix(while: send).count
        waiting.removeFirst(sent)
        return sent > 0
    }
}
