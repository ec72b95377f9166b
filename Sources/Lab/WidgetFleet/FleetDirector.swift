internal import DeviceSimulation

/// The course of a run: all devices come, then it is measured, then what is under way comes to its end.
///
///     gathering ──every widget has a timeline──► running ──seconds──► ending ──quiet──► over
struct FleetDirector {
    enum Phase: Equatable {
        case gathering, running, ending, over
    }

    /// How long widgets without a timeline are waited for when all devices are there, in ms.
    static var patience: Int64 { 120_000 }
    /// How long what is under way at the end is waited for, in ms.
    static var ending: Int64 { 10_000 }

    private(set) var phase = Phase.gathering
    /// When the phase began, in ms since 1970.
    private(set) var since: Int64
    /// When the run began.
    private(set) var startedAt: Int64 = 0
    private let length: Int64
    private let ramp: Int64
    private var seconds: Int64 = 0

    init(_ scenario: FleetScenario, now: Int64) {
        since = now
        length = Int64(scenario.seconds * 1_000)
        ramp = Int64(scenario.rampSeconds * 1_000)
    }

    /// When there is something to do next, in ms since 1970.
    var nextWake: Int64 {
        switch phase {
        case .gathering: since + ramp + Self.patience
        case .running: startedAt + (seconds + 1) * 1_000
        case .ending: since + Self.ending
        case .over: .max
        }
    }

    /// What the time leads to.
    enum Step {
        /// The run begins.
        case begin
        /// A second of the run is over.
        case endSecond
        case over
    }

    /// Takes the next step.
    ///
    /// - Parameters:
    ///   - now: in ms since 1970.
    ///   - isComplete: whether all devices are there, with timelines for all widgets.
    ///   - isQuiet: whether nothing is under way any more.
    /// - Returns: the step; nil if it is not time.
    mutating func step(at now: Int64, isComplete: Bool, isQuiet: Bool) -> Step? {
        switch phase {
        case .gathering:
            guard isComplete || now >= nextWake else { return nil }
            enter(.running, now)
            startedAt = now
            return .begin
        case .running:
            guard now >= nextWake else { return nil }
            seconds += 1
            if seconds * 1_000 >= length { enter(.ending, now) }
            return .endSecond
        case .ending:
            guard isQuiet || now >= nextWake else { return nil }
            enter(.over, now)
            return .over
        case .over: return nil
        }
    }

    private mutating func enter(_ phase: Phase, _ now: Int64) {
        self.phase = phase
        since = now
    }
}
