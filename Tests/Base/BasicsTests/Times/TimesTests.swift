import Basics
import TestSupport
import Testing

struct TimesTests {
    @Test func `the difference of two times is a length that leads from one to the other`() {
        let first = MonotonicTime(rawValue: 1_500)
        let second = MonotonicTime(rawValue: 4_000)
        #expect(second - first == .milliseconds(2_500))
        #expect(first + (second - first) == second)
        #expect(second - .milliseconds(2_500) == first)
        #expect(first - second == -.milliseconds(2_500))
    }

    @Test func `a time moves by the lengths that are added and subtracted`() {
        var date = WallTime.zero
        date += .days(1)
        date -= .hours(1)
        #expect(date == WallTime(rawValue: 82_800_000))
    }

    @Test func `times are ordered by their clock`() {
        let times = [3, 1, 2].map { ScheduleTime(rawValue: $0) }
        #expect(times.sorted().map(\.rawValue) == [1, 2, 3])
        #expect(times[1] < times[2] && times[2] <= times[2] && times[0] > times[1])
        #expect(times[0] >= times[0] && times[0] != times[1])
        #expect(times.max() == times[0])
    }

    @Test func `a clamped sum ends at the last number instead of trapping`() {
        #expect(WallTime(rawValue: .max - 5).adding(clamped: .seconds(1)) == .max)
        #expect(WallTime(rawValue: .min + 5).adding(clamped: -.seconds(1)).rawValue == .min)
        #expect(WallTime.zero.adding(clamped: .seconds(1)).rawValue == 1_000)
        #expect(Milliseconds.max.adding(clamped: .minutes(1)) == .max)
        #expect(Milliseconds(rawValue: .min).adding(clamped: -.minutes(1)).rawValue == .min)
        #expect(Milliseconds.zero.adding(clamped: -.minutes(1)) == -.minutes(1))
        #expect(Milliseconds.min.adding(clamped: -.milliseconds(1)) == .min)
    }

    @Test func `the time long ago can be subtracted from any time since the epoch`() {
        let now = MonotonicTime(rawValue: .max / 2 - 1)
        #expect(now - .longAgo > .days(365 * 1_000_000))
    }

    @Test func `units are multiples of each other`() {
        #expect(Milliseconds.seconds(60) == .minutes(1))
        #expect(Milliseconds.minutes(60) == .hours(1))
        #expect(Milliseconds.hours(24) == .days(1))
        #expect(Nanoseconds.microseconds(1_000) == .milliseconds(1))
        #expect(Nanoseconds.milliseconds(1_000) == .seconds(1))
        #expect(Nanoseconds(Milliseconds.seconds(2)) == .seconds(2))
    }

    @Test func `lengths are added, multiplied and divided`() {
        var length = Milliseconds.seconds(10)
        length += .milliseconds(5)
        length -= .seconds(1)
        #expect(length.rawValue == 9_005)
        #expect(length.wholeSeconds == 9)
        #expect(length * 2 == .milliseconds(18_010))
        #expect(length / 2 == .milliseconds(4_502))
        #expect(Milliseconds.days(1) / .hours(5) == 4)
        #expect(Milliseconds.seconds(3) + .seconds(2) - .seconds(1) == .seconds(4))
    }

    @Test func `a measured length loses the part below a millisecond`() {
        #expect(Milliseconds(Nanoseconds(rawValue: 1_999_999)) == .milliseconds(1))
        #expect(MonotonicTime(ExactTime(rawValue: 5_999_999)).rawValue == 5)
        let start = ExactTime(rawValue: 1_000_000_000)
        #expect((start + .milliseconds(1_500) - start).inSeconds == 1.5)
        #expect(start < start + .microseconds(1))
    }

    @Test func `every time and length takes eight bytes, as the number in a record did`() {
        #expect(MemoryLayout<Milliseconds>.size == 8)
        #expect(MemoryLayout<Nanoseconds>.size == 8)
        #expect(MemoryLayout<MonotonicTime>.size == 8)
        #expect(MemoryLayout<WallTime>.size == 8)
        #expect(MemoryLayout<ScheduleTime>.size == 8)
        #expect(MemoryLayout<ExactTime>.size == 8)
        #expect(MemoryLayout<ExactDate>.size == 8)
        #expect(MemoryLayout<Microseconds>.size == 8)
        #expect(MemoryLayout<RecordedTime>.size == 8)
        #expect(MemoryLayout<RecordedDate>.size == 8)
    }

    @Test func `texts contain the number alone`() {
        #expect("\(Milliseconds.seconds(5)) ms" == "5000 ms")
        #expect("\(WallTime(rawValue: 7))" == "7")
        #expect("\(Nanoseconds.microseconds(1))" == "1000")
        #expect("\(ExactTime(rawValue: 5)) \(ExactDate(rawValue: -6))" == "5 -6")
        #expect("\(Microseconds.milliseconds(1)) \(RecordedTime(rawValue: 8))" == "1000 8")
        #expect("\(RecordedDate(rawValue: 9))" == "9")
    }
}
