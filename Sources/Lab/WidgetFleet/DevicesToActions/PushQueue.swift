internal import Basics
internal import ReloadRouterClient

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

    /// Passes waiting pushes to `send`, in order, until it returns false. Returns whether any was
    /// sent.
    mutating func send(_ send: (Entry) -> Bool) -> Bool {
        let sent = waiting.prefix(while: send).count
        waiting.removeFirst(sent)
        return sent > 0
    }
}

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
            taken < count ? from + Nanoseconds(rawValue: Int64(interval * Double(taken))) : nil
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
                count: plan.perSecond > 0 ? max(0, Int(length * plan.perSecond + 1e-6)) : plan.count
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

/// A push that is ready to be sent.
struct PushMessage {
    let payload: [UInt8]
    /// The kinds to which it is narrowed; nil for all.
    let kinds: [String]?
    let isUrgent: Bool
    /// When it expires; nil for never.
    let expiresAt: WallTime?

    /// Passes the push to a session; returns false if the session has no capacity for it.
    func offer(to session: inout PublisherSession) -> Bool {
        do throws(ClientError) {
            let seq = try session.push(
                payload,
                urgent: isUrgent,
                expiresAt: expiresAt,
                kinds: kinds
            )
            return seq != nil
        } catch {
            // The push is too long, so the router would refuse it: it counts as sent.
            return true
        }
    }
}

extension PushPlan {
    /// Makes a push of the plan, of a payload whose values are drawn.
    func message(_ payload: JSONValue, now: WallTime, using random: inout SplitMix64) -> PushMessage
    {
        var writer = JSONWriter()
        writer.value(payload)
        return PushMessage(
            payload: writer.bytes,
            kinds: kinds,
            isUrgent: urgentPercent > 0 && random.unit() * 100 < urgentPercent,
            expiresAt: expires.map { now + Milliseconds(seconds: $0) }
        )
    }
}
