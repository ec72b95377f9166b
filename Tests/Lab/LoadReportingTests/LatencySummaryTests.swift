import Testing

@testable import LoadReporting

@Suite("A summary of latencies")
struct LatencySummaryTests {
    @Test func takesTheNearestRank() {
        let summary = LatencySummary(milliseconds: (1...1_000).map(Double.init).shuffled())
        #expect(summary.count == 1_000)
        #expect([summary.p50, summary.p90, summary.p99, summary.p999] == [500, 900, 990, 999])
        #expect(summary.max == 1_000)
    }

    @Test func ofOneIsThatOne() {
        let summary = LatencySummary(milliseconds: [7])
        #expect(
            [summary.p50, summary.p90, summary.p99, summary.p999, summary.max] == [7, 7, 7, 7, 7]
        )
    }

    @Test func ofNothingAsksForNothing() {
        #expect(LatencySummary(milliseconds: []) == LatencySummary())
        let summary = LatencySummary(count: 0, max: 3) { _ in
            Issue.record("was asked")
            return 1
        }
        #expect(summary.spectrum.percentiles.isEmpty)
    }

    @Test func curveAscendsAsFarAsMeasurementsReach() {
        for count in [1, 2, 10, 999, 100_000] {
            let spectrum = LatencySummary(milliseconds: (0..<count).map(Double.init)).spectrum
            #expect(spectrum.percentiles.first == 0)
            #expect(spectrum.percentiles.count == spectrum.milliseconds.count)
            #expect(spectrum.percentiles == spectrum.percentiles.sorted())
            #expect(spectrum.milliseconds == spectrum.milliseconds.sorted())
            let rest = (100 - spectrum.percentiles.last!) / 100 * Double(count)
            #expect(rest > 0.499 && rest < 1.001)
        }
    }
}
