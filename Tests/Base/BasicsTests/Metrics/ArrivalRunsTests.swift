import TestSupport
import Testing

@testable import Basics

@Suite("Output at the end of a tick")
struct ArrivalRunsTests {
    @Test("each is recorded as long as it was there, and then forgotten")
    func recording() {
        var runs = ArrivalRuns()
        var histogram = LatencyHistogram()
        runs.add(3, arrival: 1_000)
        runs.add(2, arrival: 1_000)
        runs.add(1, arrival: 901_000)
        #expect(!runs.isEmpty)
        runs.record(in: &histogram, at: 1_001_000)
        #expect(runs.isEmpty)
        let summary = histogram.summary
        #expect(summary.count == 6)
        #expect(summary.sum == .microseconds(5_100))
        #expect(summary.buckets[0] == 1)
        runs.record(in: &histogram, at: 2_000_000)
        #expect(histogram.summary == summary)
    }

    @Test("what is not to be measured is passed over")
    func unmeasured() {
        var runs = ArrivalRuns()
        runs.add(3, arrival: .none)
        runs.add(0, arrival: 5)
        #expect(runs.isEmpty)
    }

    @Test("however much leaves, no more than a thousand times are distinguished, and none is lost")
    func limit() {
        var runs = ArrivalRuns()
        var histogram = LatencyHistogram()
        for arrival in 1...5_000 as ClosedRange<Int64> {
            runs.add(1, arrival: ExactTime(rawValue: arrival))
        }
        runs.record(in: &histogram, at: 5_000)
        #expect(histogram.summary.count == 5_000)
    }
}

@Suite("Counters by app")
struct AppMetricsTests {
    @Test("each app has its own, and begins at zero")
    func apps() {
        var metrics = AppMetrics()
        metrics.reserve(3)
        metrics[2].pushes += 5
        metrics[0].matched += 1
        metrics.reserve(2)
        #expect(metrics[2].pushes == 5 && metrics[1] == AppCounts())
        var sum = metrics[2]
        sum += metrics[0]
        #expect(sum.pushes == 5 && sum.matched == 1 && sum.reloads == 0)
        metrics.reset()
        #expect(metrics[2] == AppCounts())
    }
}
