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
            1_000 * Int64(1 + random.next() >> (28 + random.next() % 36))
        }
        for time in measured { times.record(nanoseconds: time) }
        let sorted = measured.sorted().map { Double($0) / 1e6 }
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
        for time in [Int64.min, -1, 0, 999, .max] { times.record(nanoseconds: time) }
        #expect(times.milliseconds(80) == 0.001 && times.summary.max == 86_400_000)
    }

    @Test func `Nothing was measured, or is any more`() {
        var times = MeasuredTimes()
        #expect(times.milliseconds(50) == 0 && times.summary == LatencySummary())
        times.record(nanoseconds: 5_000_000)
        times.reset()
        #expect(times.milliseconds(50) == 0 && times.summary == LatencySummary())
        times.record(nanoseconds: 2_000)
        #expect(times.milliseconds(100) == 0.002)
    }
}
