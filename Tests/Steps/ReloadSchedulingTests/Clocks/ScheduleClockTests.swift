import Basics
import ReloadScheduling
import TestSupport
import Testing

private let minute: Int64 = 60_000
private let hour: Int64 = 3_600_000
/// 2023-11-14.
private let start: Int64 = 1_700_000_000_000

@Suite("A schedule clock")
struct ScheduleClockTests {
    @Test("shows the wall clock's time while both clocks pass alike")
    func plain() {
        var clocks = Clocks()
        #expect(clocks.schedule.now == start)
        for _ in 0..<100 { #expect(clocks.pass(7 * minute) == nil) }
        #expect(clocks.schedule.now == start + 700 * minute)
        #expect(clocks.schedule.schedule(wall: clocks.wall) == clocks.schedule.now)
        #expect(clocks.schedule.monotonic(clocks.schedule.now) == clocks.monotonic)
    }

    @Test("leaps with the wall clock, so that dates that have passed are met at once")
    func forward() {
        var clocks = Clocks()
        let date = start + 30 * minute
        let moment = clocks.monotonic + 30 * minute
        let (scheduledTime, waiting) = (
            clocks.schedule.schedule(wall: date), clocks.schedule.schedule(monotonic: moment)
        )
        #expect(clocks.pass(10 * minute, wall: 10 * minute + hour) == hour)
        #expect(clocks.schedule.now == start + 70 * minute)
        #expect(clocks.schedule.now >= scheduledTime)
        #expect(clocks.schedule.schedule(wall: date) == scheduledTime)
        // The wait's timer fires too early: 20 of its 30 minutes are left.
        #expect(clocks.schedule.now >= waiting)
        #expect(clocks.schedule.schedule(monotonic: moment) == clocks.schedule.now + 20 * minute)
    }

    @Test("continues when the wall clock is set back, and then reaches dates later")
    func back() {
        var clocks = Clocks()
        let date = start + 30 * minute
        let moment = clocks.monotonic + 30 * minute
        let waiting = clocks.schedule.schedule(monotonic: moment)
        #expect(clocks.pass(10 * minute, wall: 10 * minute - hour) == -hour)
        #expect(clocks.schedule.now == start + 10 * minute)
        #expect(clocks.schedule.schedule(monotonic: moment) == waiting)
        #expect(clocks.schedule.schedule(wall: date) == date + hour)
        #expect(clocks.schedule.schedule(wall: clocks.wall) == clocks.schedule.now)
        #expect(clocks.pass(80 * minute) == nil)
        #expect(clocks.wall == date)
        #expect(clocks.schedule.now == clocks.schedule.schedule(wall: date))
    }

    @Test("is left ahead by each time the wall clock is set back, and meets dates nonetheless")
    func backAndForth() {
        var clocks = Clocks()
        var set: Int64 = 0
        for step in [-hour, hour, -2 * hour, 2 * hour, 5 * minute, -hour, -hour, 3 * hour] {
            let before = clocks.schedule.now
            let date = clocks.wall + 2 * minute
            let scheduledTime = clocks.schedule.schedule(wall: date)
            #expect(clocks.pass(minute, wall: minute + step) == step)
            set += max(0, -step)
            #expect(clocks.schedule.now == before + minute + max(0, step))
            #expect(clocks.schedule.now == clocks.wall + set)
            if step > 0 { #expect(clocks.schedule.now >= scheduledTime) }
            if step < 0 { #expect(clocks.schedule.schedule(wall: date) == scheduledTime - step) }
        }
    }

    @Test("is what the picture in its comment shows")
    func picture() {
        var clocks = Clocks(monotonic: 0, wall: 9 * hour)
        var shown = [clocks.schedule.now]
        for (monotonic, wall) in [(10, 70), (10, 10), (0, -30), (10, 10), (0, 30), (10, 10)] {
            _ = clocks.pass(Int64(monotonic) * minute, wall: Int64(wall) * minute)
            shown.append(clocks.schedule.now)
        }
        let minutes = [0, 70, 80, 80, 90, 120, 130] as [Int64]
        #expect(shown == minutes.map { 9 * hour + $0 * minute })
    }

    @Test("takes up to a second for drift and more for a jump")
    func border() {
        for (step, isJump) in [(1_000, false), (1_001, true), (-1_000, false), (-1_001, true)] {
            var clocks = Clocks()
            let jump = clocks.pass(50, wall: 50 + Int64(step))
            #expect(jump == (isJump ? Int64(step) : nil))
        }
    }

    @Test("follows a wall clock that runs fast, without a jump and without an end")
    func fast() {
        var clocks = Clocks()
        // 500 ppm, the most that NTP slews: 86 s in two days.
        for _ in 0..<86_400 { #expect(clocks.pass(2_000, wall: 2_001) == nil) }
        #expect(clocks.schedule.now == clocks.wall)
    }

    @Test("passes with the monotonic clock while the wall clock runs slow, and meets dates late")
    func slow() {
        var clocks = Clocks()
        let date = start + 24 * hour
        for _ in 0..<86_400 { #expect(clocks.pass(2_000, wall: 1_999) == nil) }
        #expect(clocks.schedule.now == start + 48 * hour)
        #expect(clocks.schedule.now - clocks.wall == 86_400)
        #expect(clocks.schedule.schedule(wall: date) == date + 86_400)
        // Back to speed, and then fast: only what it was ahead, a second, is made up for.
        for _ in 0..<600 { #expect(clocks.pass(2_000, wall: 2_001) == nil) }
        #expect(clocks.schedule.now - clocks.wall == 85_800)
        for _ in 0..<600 { #expect(clocks.pass(2_000, wall: 2_001) == nil) }
        #expect(clocks.schedule.now - clocks.wall == 85_400)
    }

    @Test("is not driven by a wall clock that trembles", arguments: [1, 30, 450] as [Int64])
    func tremble(by amount: Int64) {
        var random = SeededGenerator(seed: 4)
        var clocks = Clocks()
        var offset: Int64 = 0
        for _ in 0..<100_000 {
            let next = Int64(random.below(2 * Int(amount) + 1)) - amount
            #expect(clocks.pass(5, wall: 5 + next - offset) == nil)
            offset = next
        }
        let gained = clocks.schedule.now - start - 500_000
        #expect(gained >= 0 && gained <= amount)
    }

    @Test("stands still with clocks that do, and with a monotonic clock that goes back")
    func still() {
        var clocks = Clocks()
        #expect(clocks.pass(0) == nil)
        #expect(clocks.schedule.now == start)
        #expect(clocks.pass(-500, wall: 0) == nil)
        #expect(clocks.schedule.now == start)
        // It passes again from where it was.
        #expect(clocks.pass(600, wall: 100) == nil)
        #expect(clocks.schedule.now == start + 100)
    }

    @Test("starts at 0 if the wall clock stands before 1970, and meets dates all the same")
    func beforeEpoch() {
        var clocks = Clocks(monotonic: 5, wall: -10 * hour)
        #expect(clocks.schedule.now == 0)
        #expect(clocks.schedule.schedule(wall: -9 * hour) == hour)
        #expect(clocks.schedule.schedule(wall: -11 * hour) == 0)
        #expect(clocks.pass(hour, wall: 20 * hour) == 19 * hour)
        #expect(clocks.schedule.now == 20 * hour)
    }

    @Test("takes every date and every reading of the clocks, the extremes too")
    func extremes() {
        let end = PlainClock.end
        let times: [Int64] = [.min, .min + 1, -1, 0, 1, start, end, end + 1, .max - 1, .max]
        for (first, second) in times.flatMap({ first in times.map { (first, $0) } }) {
            for wall in times {
                var clock = PlainClock(PlainInstant(monotonic: first, wall: second))
                let before = clock.now
                _ = clock.advance(to: PlainInstant(monotonic: second, wall: wall))
                #expect(clock.now >= before && before >= 0 && clock.now <= end)
                for time in times {
                    #expect((0...end).contains(clock.schedule(wall: time)))
                    #expect((0...end).contains(clock.schedule(monotonic: time)))
                    _ = clock.monotonic(time)
                }
            }
        }
        let clock = PlainClock(PlainInstant(monotonic: 0, wall: start))
        #expect(clock.schedule(wall: .max) == end)
        #expect(clock.schedule(wall: .min) == 0)
        #expect(clock.schedule(monotonic: .max) == end)
        #expect(clock.monotonic(.min) == .min)
    }
}

/// The two clocks, and the schedule time made of them.
private struct Clocks {
    var monotonic: Int64
    var wall: Int64
    var schedule: PlainClock

    init(monotonic: Int64 = 987_654, wall: Int64 = start) {
        self.monotonic = monotonic
        self.wall = wall
        schedule = PlainClock(PlainInstant(monotonic: monotonic, wall: wall))
    }

    mutating func pass(_ monotonic: Int64, wall: Int64? = nil) -> Int64? {
        self.monotonic += monotonic
        self.wall += wall ?? monotonic
        return schedule.advance(to: PlainInstant(monotonic: self.monotonic, wall: self.wall))
    }
}
