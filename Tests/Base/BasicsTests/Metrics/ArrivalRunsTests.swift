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
