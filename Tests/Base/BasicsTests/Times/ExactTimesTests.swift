import Basics
import TestSupport
import Testing

struct ExactTimesTests {
    @Test func `exact times differ by measured lengths, and move by them`() {
        var time = ExactTime(rawValue: 5_000)
        time += .microseconds(2)
        #expect(time - ExactTime(rawValue: 5_000) == .microseconds(2))
        #expect(time - .microseconds(7) == .none)
        #expect(ExactTime.min < .none && .none < ExactTime.max && time == 7_000)
    }

    @Test func `measured lengths are multiplied, divided and shown in each unit`() {
        let length = Nanoseconds.milliseconds(1_500)
        #expect(length * 3 == .milliseconds(4_500) && length / 2 == .milliseconds(750))
        #expect(length / .milliseconds(400) == 3 && Nanoseconds.max > length)
        #expect(length.inSeconds == 1.5 && length.inMilliseconds == 1_500)
        #expect(length.inMicroseconds == 1_500_000 && length.inNanoseconds == 1.5e9)
        #expect(Milliseconds.milliseconds(2_500).inSeconds == 2.5)
    }

    @Test(
        arguments: [
            (1.5, 1_500), (0.000_9, 0), (-0.25, -250), (-0.000_9, 0), (1e300, .max), (-1e300, .min),
            (.infinity, .max), (-.infinity, .min), (.nan, .max),
        ] as [(Double, Int64)]
    )
    func `a number of seconds is cut to whole units, and to the longest length`(
        seconds: Double,
        milliseconds: Int64
    ) {
        #expect(Milliseconds(seconds: seconds).rawValue == milliseconds)
        let nanoseconds = Nanoseconds(seconds: seconds).rawValue
        let isCut = milliseconds == .max || milliseconds == .min
        #expect(isCut ? nanoseconds == milliseconds : nanoseconds / 1_000_000 == milliseconds)
    }

    @Test func `an exact date loses the part below a unit`() {
        let date = ExactDate(rawValue: 1_780_272_000_123_456_789)
        #expect(WallTime(date).rawValue == 1_780_272_000_123)
        #expect(RecordedDate(date).rawValue == 1_780_272_000_123_456)
        #expect(ExactDate(rawValue: 1_500_000_000).inSeconds == 1.5)
        #expect(date < ExactDate(rawValue: .max) && date == date)
    }
}

struct RecordedTimesTests {
    @Test func `times in a recording differ by lengths in microseconds, and move by them`() {
        let start = RecordedTime(rawValue: 1_000_000)
        var time = start + .milliseconds(2_500)
        #expect(time - start == .milliseconds(2_500) && time.sinceBegin == .milliseconds(3_500))
        #expect(time.wholeSeconds == 3 && start < time && time < .max && start == 1_000_000)
        time += .seconds(1)
        #expect(time == RecordedTime(rawValue: 4_500_000))
        #expect(RecordedTime.zero + time.sinceBegin == time)
    }

    @Test func `lengths in microseconds are added, multiplied and divided`() {
        let length = Microseconds.seconds(2) + .milliseconds(5) - .seconds(1)
        #expect(length.rawValue == 1_005_000 && length == .milliseconds(1_005))
        #expect(length * 2 == .milliseconds(2_010) && length / 5 == .milliseconds(201))
        #expect(length / .milliseconds(200) == 5 && .zero < length)
        #expect(length.inSeconds == 1.005 && length.inMicroseconds == 1_005_000)
    }

    @Test func `lengths of other units are converted exactly, or lose the part below a unit`() {
        #expect(Microseconds(Nanoseconds(rawValue: 1_999)) == 1)
        #expect(Microseconds(Milliseconds.seconds(3)) == .seconds(3))
        #expect(Milliseconds(Microseconds(rawValue: 1_999)) == .milliseconds(1))
        #expect(Nanoseconds(Microseconds.milliseconds(7)) == .milliseconds(7))
    }

    @Test func `a recording's date moves by the times in it`() {
        let date = RecordedDate(rawValue: 1_780_272_000_000_000)
        let later = date + RecordedTime(rawValue: 1_500_000).sinceBegin
        #expect(later - date == .milliseconds(1_500) && date < later && later != date)
        #expect(WallTime(later).rawValue == 1_780_272_001_500)
        #expect(RecordedDate(exactly: WallTime(later)) == later)
    }

    @Test(
        arguments: [
            (.min, 0, 0), (-1, 999_999_999, 0), (0, 7, 7), (1, 2, 1_000_000_002),
            (9_223_372_036, 854_775_807, .max),
            (9_223_372_036, 999_999_999, 9_223_372_035_999_999_999),
            (.max, 0, 9_223_372_036_000_000_000),
        ] as [(Int64, Int64, Int64)]
    )
    func `a wall clock that is set to whatever shows a date that can be expressed`(
        seconds: Int64,
        nanoseconds: Int64,
        date: Int64
    ) {
        #expect(ExactDate(clamping: seconds, nanoseconds: nanoseconds).rawValue == date)
    }
}
