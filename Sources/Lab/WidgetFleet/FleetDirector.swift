internal import DeviceSimulation

/// The phases of a run: all devices start, then the run is measured, then what is in progress
/// finishes.
///
///     gathering ──every widget has a timeline──► running ──seconds──► ending ──quiet──► over
struct FleetDirector {
    /// The phases of a run, in order.
    enum Phase: Equatable {
        case gathering, running, ending, over
    }

    /// How long to wait for widgets without a timeline, once all devices have started, in ms.
    static var patience: Int64 { 120_000 }
    /// How long to wait at the end for what is in progress, in ms.
    static var ending: Int64 { 10_000 }

    private(set) var phase = Phase.gathering
    /// When the phase began, in ms since 1970.
    private(set) var phaseStart: Int64
    /// When the measured run began, in ms since 1970.
    private(set) var startedAt: Int64 = 0
    /// How long the run is measured, in ms.
    private let length: Int64
    private let ramp: Int64
    /// Whole seconds of the run that have ended.
    private var seconds: Int64 = 0

    init(_ scenario: FleetScenario, now: Int64) {
        phaseStart = now
        length = Int64(scenario.seconds * 1_000)
        ramp = Int64(scenario.rampSeconds * 1_000)
    }

    /// When the next step is due at the latest, in ms since 1970.
    var nextWake: Int64 {
        switch phase {
        case .gathering: phaseStart + ramp + Self.patience
        case .running: startedAt + (seconds + 1) * 1_000
        case .ending: phaseStart + Self.ending
        case .over: .max
        }
    }

    /// What the driver must do.
    enum Step {
        /// The measured run begins.
        case begin
        /// A second of the measured run has ended.
        case endSecond
        case over
    }

    /// Takes the next step, if it is due.
    ///
    /// - Parameters:
    ///   - now: in ms since 1970.
    ///   - isComplete: true if all devices have started, and all widgets have timelines.
    ///   - isQuiet: true if nothing is in progress any more.
    /// - Returns: the step; nil if none is due.
    mutating func step(at now: Int64, isComplete: Bool, isQuiet: Bool) -> Step? {
        switch phase {
        case .gathering:
            guard isComplete || now >= nextWake else { return nil }
            enter(.running, at: now)
            startedAt = now
            return .begin
        case .running:
            guard now >= nextWake else { return nil }
            seconds += 1
            if seconds * 1_000 >= length { enter(.ending, at: now) }
            return .endSecond
        case .ending:
            guard isQuiet || now >= nextWake else { return nil }
            enter(.over, at: now)
            return .over
        case .over: return nil
        }
    }

    private mutating func enter(_ phase: Phase, at now: Int64) {
        assert(self.phase != .over, "no phase follows the last one")
        assert(now >= phaseStart, "time goes back")
        self.phase = phase
        phaseStart = now
    }
}
