import Basics
import ReloadScheduling
import TestSupport
import Testing

/// Timers are armed for dates and for waits while the wall clock is set and drifts at random.
@Suite("A schedule clock's timers")
struct ScheduleClockModelTests {
    @Test(
        "fire in time and, armed again, not before it, whatever the wall clock does",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func timers(seed: UInt64) {
        var run = ScheduleClockRun(seed: seed)
        let failure = run.failure(steps: 20_000)
        #expect(failure == nil, "seed \(seed)")
    }
}

private struct ScheduleClockRun {
    private struct Timer {
        var fires: Int64
        var target: Int64
        var isDate: Bool
    }

    private var random: SeededGenerator
    private var instant: PlainInstant
    private var clock: PlainClock
    private var timers: [Timer] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        instant = PlainInstant(monotonic: 1_000, wall: 1_700_000_000_000)
        clock = PlainClock(instant)
    }

    mutating func failure(steps: Int) -> String? {
        for step in 0..<steps {
            let before = (clock.now, instant)
            let (passed, moved) = pass()
            let jump = clock.advance(to: instant)
            if jump != (abs(moved) > 1_000 ? moved : nil) { return "\(step): jump" }
            if clock.now < before.0 + passed { return "\(step): slower than the monotonic clock" }
            if let failure = convertedBack() ?? fire(before: before.1) {
                return "step \(step): \(failure)"
            }
            arm()
        }
        return nil
    }

    /// Lets time pass on both clocks, and moves the wall clock against the other.
    private mutating func pass() -> (passed: Int64, moved: Int64) {
        let passed = Int64(random.below(random.pick([1, 10, 1_000, 600_000])))
        let moved =
            switch random.below(12) {
            case 0: Int64(random.below(7_200_001)) - 3_600_000
            case 1: Int64(random.below(2_401)) - 1_200
            case 2...6: Int64(random.below(11)) - 5
            default: 0 as Int64
            }
        instant.monotonic += passed
        instant.wall += passed + moved
        return (passed, moved)
    }

    private func convertedBack() -> String? {
        let now = clock.now
        if clock.schedule(wall: instant.wall) != now { return "not the wall clock's time" }
        if clock.monotonic(now) != instant.monotonic { return "not the monotonic clock's time" }
        let time = now + 12_345
        if clock.schedule(wall: instant.wall + 12_345) != time { return "date is another" }
        if clock.schedule(monotonic: clock.monotonic(time)) != time { return "moment is another" }
        return nil
    }

    /// Looks at what is due.
    ///
    /// A timer that has not fired must not be past its time, but for a date
    /// the tolerance.
    private mutating func fire(before: PlainInstant) -> String? {
        var waiting: [Timer] = []
        for var timer in timers {
            let shown = timer.isDate ? instant.wall : instant.monotonic
            if timer.fires <= clock.now {
                if shown >= timer.target { continue }
                timer.fires = schedule(timer)
                if timer.fires <= clock.now { return "fires for ever" }
            } else if shown >= timer.target + (timer.isDate ? PlainClock.tolerance : 0) {
                return "late"
            }
            waiting.append(timer)
        }
        timers = waiting
        return nil
    }

    private mutating func arm() {
        guard timers.count < 20 else { return }
        let isDate = random.below(2) == 0
        let wait = Int64(random.below(random.pick([2, 5_000, 3_600_000, 20_000_000])))
        let target = (isDate ? instant.wall : instant.monotonic) + wait
        var timer = Timer(fires: 0, target: target, isDate: isDate)
        timer.fires = schedule(timer)
        timers.append(timer)
    }

    private func schedule(_ timer: Timer) -> Int64 {
        timer.isDate
            ? clock.schedule(wall: timer.target) : clock.schedule(monotonic: timer.target)
    }
}
