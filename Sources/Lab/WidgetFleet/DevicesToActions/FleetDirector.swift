internal import Basics
internal import RouterSimulation

/// The phases of a run: all devices start, then the run is measured, then what is in progress
/// finishes.
///
///     gathering ──every widget has a timeline──► running ──seconds──► ending ──quiet──► over
struct FleetDirector {
    /// The phases of a run, in order.
    enum Phase: Equatable {
        case gathering, running, ending, over
    }

    /// How long to wait for widgets without a timeline, once all devices have started.
    static var patience: Milliseconds { .minutes(2) }
    /// How long to wait at the end for what is in progress.
    static var ending: Milliseconds { .seconds(10) }

    private(set) var phase = Phase.gathering
    /// When the phase began.
    private(set) var phaseStart: WallTime
    /// When the measured run began.
    private(set) var startedAt = WallTime.zero
    /// How long the run is measured.
    private let length: Milliseconds
    /// The time over which the devices start.
    private let ramp: Milliseconds
    /// Whole seconds of the run that have ended.
    private var seconds: Int64 = 0

    init(_ scenario: FleetScenario, now: WallTime) {
        phaseStart = now
        length = Milliseconds(seconds: scenario.seconds)
        ramp = Milliseconds(seconds: scenario.rampSeconds)
    }

    /// When the next step is due at the latest.
    var nextWake: WallTime {
        switch phase {
        case .gathering: phaseStart + ramp + Self.patience
        case .running: startedAt + .seconds(seconds + 1)
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

    /// Takes the next step; nil if none is due.
    ///
    /// `isComplete`: all devices have started, and all widgets have timelines; `isQuiet`: nothing
    /// is in progress any more.
    mutating func step(at now: WallTime, isComplete: Bool, isQuiet: Bool) -> Step? {
        switch phase {
        case .gathering:
            guard isComplete || now >= nextWake else { return nil }
            enter(.running, at: now)
            startedAt = now
            return .begin
        case .running:
            guard now >= nextWake else { return nil }
            seconds += 1
            if .seconds(seconds) >= length { enter(.ending, at: now) }
            return .endSecond
        case .ending:
            guard isQuiet || now >= nextWake else { return nil }
            enter(.over, at: now)
            return .over
        case .over: return nil
        }
    }

    private mutating func enter(_ phase: Phase, at now: WallTime) {
        assert(self.phase != .over, "no phase follows the last one")
        assert(now >= phaseStart, "time goes back")
        self.phase = phase
        phaseStart = now
    }
}

/// Finds when a run has come to rest: a second in which nothing happened, and in which this thread
/// could have noticed it.
///
/// On a busy machine neither this thread nor the router may have had a processor for a while.
/// A second of that is no rest, so the period begins anew with each tick that came late.
struct QuietPeriod {
    /// How long nothing must happen.
    static var length: Milliseconds { .seconds(1) }
    /// A tick that comes so long after the one before is late.
    static var lateness: Milliseconds { .milliseconds(50) }

    private var start = WallTime.zero
    private var observedAt = WallTime.zero
    private var progress = ExactTime.none

    /// Takes note of a tick; true if the period has lasted.
    ///
    /// `progress` is when a pushed change last made progress; each new one begins the period anew.
    mutating func observe(_ now: WallTime, isBusy: Bool, progress: ExactTime) -> Bool {
        if isBusy || now - observedAt > Self.lateness || progress != self.progress { start = now }
        observedAt = now
        self.progress = progress
        return now - start > Self.length
    }
}
