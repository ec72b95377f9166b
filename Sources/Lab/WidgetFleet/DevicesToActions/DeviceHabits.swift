internal import Basics

/// The random activities of the devices' owners: each owner does one thing at a time, with pauses
/// between.
struct DeviceHabits {
    /// An event on a device; an activity that takes time has one event at its start and one at its
    /// end.
    enum Event: Equatable {
        case looks(page: Int)
        case looksAway
        case opensApp, leavesApp
        case plays, isSilent
        case losesNetwork, findsNetwork
        case moves
        case connectionBreaks
    }

    private enum Activity: UInt8, CaseIterable {
        case none, look, app, audio, offline, move, `break`
    }

    private let plan: HabitPlan
    /// The rates of all activities together, per hour.
    private let total: Double
    /// The number of pages of each device's screen.
    private let pages: Int
    private var activities: ContiguousArray<Activity>
    private var randoms: ContiguousArray<SplitMix64>

    init(_ scenario: FleetScenario, seed: UInt64) {
        plan = scenario.habits
        pages = (scenario.widgets.map(\.page).max() ?? 0) + 1
        activities = ContiguousArray(repeating: .none, count: scenario.devices)
        randoms = ContiguousArray(
            (0..<scenario.devices).map {
                // A random stream that differs from those that choose the devices' widgets.
                SplitMix64(seed: seed, stream: UInt64($0) | 1 << 40)
            }
        )
        total =
            plan.looks.perHour + plan.foreground.perHour + plan.audio.perHour
            + plan.offline.perHour + plan.movesPerHour + plan.breaksPerHour
    }

    /// Starts a device; returns the time until its first event, or nil if it has none.
    mutating func begin(_ device: Int) -> Milliseconds? { pause(device) }

    /// The event that is due on a device, and the time until the next one.
    mutating func next(_ device: Int) -> (event: Event, pause: Milliseconds?) {
        switch activities[device] {
        case .none: return start(device)
        case .look: return (.looksAway, stop(device))
        case .app: return (.leavesApp, stop(device))
        case .audio: return (.isSilent, stop(device))
        case .offline: return (.findsNetwork, stop(device))
        case .move, .break: preconditionFailure("an action without a duration ends at once")
        }
    }

    /// Chooses what the owner does now; returns its event, and the time until the device's next
    /// one.
    private mutating func start(_ device: Int) -> (event: Event, pause: Milliseconds?) {
        let page = Int.random(in: 0..<pages, using: &randoms[device])
        let choices: [(Activity, Event, Double, Double)] = [
            (.look, .looks(page: page), plan.looks.perHour, plan.looks.seconds),
            (.app, .opensApp, plan.foreground.perHour, plan.foreground.seconds),
            (.audio, .plays, plan.audio.perHour, plan.audio.seconds),
            (.offline, .losesNetwork, plan.offline.perHour, plan.offline.seconds),
            (.move, .moves, plan.movesPerHour, 0),
            (.break, .connectionBreaks, plan.breaksPerHour, 0),
        ]
        var left = randoms[device].unit() * total
        var chosen = choices[0]
        for choice in choices where choice.2 > 0 {
            chosen = choice
            left -= choice.2
            if left < 0 { break }
        }
        assert(chosen.2 > 0, "an activity begins that never occurs")
        if chosen.3 == 0 { return (chosen.1, pause(device)) }
        activities[device] = chosen.0
        let length = randoms[device].exponential(mean: chosen.3)
        return (chosen.1, max(.milliseconds(1), Milliseconds(seconds: length)))
    }

    /// Ends the owner's activity; returns the pause after it.
    private mutating func stop(_ device: Int) -> Milliseconds? {
        assert(activities[device] != .none, "the owner does nothing that could end")
        activities[device] = .none
        return pause(device)
    }

    /// Chooses a random pause until the owner's next activity; nil if the plan has none.
    private mutating func pause(_ device: Int) -> Milliseconds? {
        if total == 0 { return nil }
        let pause = Int64(randoms[device].exponential(mean: 3_600_000 / total))
        return max(.milliseconds(1), .milliseconds(pause))
    }
}
