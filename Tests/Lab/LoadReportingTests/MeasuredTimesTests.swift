import Basics
import TestSupport
import Testing

@testable import LoadReporting

@Suite("Times that were measured")
struct MeasuredTimesTests {
    private let percentiles = [0.0, 1, 50, 90, 99, 99.9, 99.99, 100]

    @Test(arguments: [UInt64(1), 2, 3])
    func `A percentile is that of all times, at most 0.05 per cent above it`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var times = MeasuredTimes()
        let measured = (0..<20_000).map { _ in
            Nanoseconds.microseconds(Int64(1 + random.next() >> (28 + random.next() % 36)))
        }
        for time in measured { times.record(time) }
        let sorted = measured.sorted().map(\.inMilliseconds)
        for percentile in percentiles {
            let exact = sorted[percentile.rank(among: sorted.count) - 1]
            let reported = times.milliseconds(percentile)
            #expect(
                reported >= exact && reported <= exact * 1.0005,
                "seed \(seed), \(percentile) %"
            )
        }
        #expect(times.summary.max == sorted.last && times.summary.count == sorted.count)
    }

    @Test func `Times below a microsecond count as one, and those above a day as a day`() {
        var times = MeasuredTimes()
        for time in [Int64.min, -1, 0, 999, .max] { times.record(Nanoseconds(rawValue: time)) }
        #expect(times.milliseconds(80) == 0.001 && times.summary.max == 86_400_000)
    }

    @Test func `Nothing was measured, or is any more`() {
        var times = MeasuredTimes()
        #expect(times.milliseconds(50) == 0 && times.summary == LatencySummary())
        times.record(.milliseconds(5))
        times.reset()
        #expect(times.milliseconds(50) == 0 && times.summary == LatencySummary())
        times.record(.microseconds(2))
        #expect(times.milliseconds(100) == 0.002)
    }
}
