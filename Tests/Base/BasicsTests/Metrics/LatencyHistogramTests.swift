import TestSupport
import Testing

@testable import Basics

@Suite("How long something took, again and again")
struct LatencyHistogramTests {
    /// Times from 2 µs to 50 s, short ones as likely as long ones.
    private func times(_ count: Int, seed: UInt64) -> [Nanoseconds] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let octave = Int64(random.next() % 24)
            let time = min(50_000_000_000, 2_000 << octave + Int64(random.next() % 2_000) << octave)
            return Nanoseconds(rawValue: time)
        }
    }

    @Test("percentiles are within six per cent of what sorting says", arguments: 1...20)
    func percentiles(seed: UInt64) {
        var histogram = LatencyHistogram()
        let times = times(3_000, seed: seed)
        for time in times { histogram.record(time) }
        let summary = histogram.summary
        let sorted = times.sorted()
        for (found, share) in [
            (summary.p50, 0.5), (summary.p90, 0.9), (summary.p99, 0.99), (summary.p999, 0.999),
        ] {
            let exact = sorted[Int((share * 3_000).rounded(.up)) - 1].inNanoseconds
            #expect(
                abs(found.inNanoseconds - exact) <= 0.06 * exact,
                "\(share): \(found), not \(exact)"
            )
        }
        #expect(summary.longest == sorted.last)
        #expect(summary.recentCount == 3_000 && summary.count == 3_000)
        #expect(summary.sum == times.reduce(.zero, +))
    }

    @Test("the percentiles of a history are those of the summary", arguments: 1...20)
    func recent(seed: UInt64) {
        var histogram = LatencyHistogram()
        #expect(histogram.recent.isEmpty)
        for (index, time) in times(300, seed: seed).enumerated() {
            histogram.record(time)
            if index % 70 == 69 { histogram.rotate() }
            let (recent, summary) = (histogram.recent, histogram.summary)
            #expect(recent.p50 == summary.p50 && recent.p99 == summary.p99)
            #expect(recent.longest == summary.longest)
        }
    }

    @Test("a time that is a bucket's bound is in it, and a nanosecond more is not")
    func bounds() {
        for bucket in 0..<LatencyCells.bucketCount {
            var histogram = LatencyHistogram()
            let bound = LatencyCells.bound(bucket)
            histogram.record(bound)
            histogram.record(bound + Nanoseconds(rawValue: 1))
            let buckets = histogram.summary.buckets
            #expect(buckets[bucket] == 1 && buckets[bucket + 1] == 1, "\(bound) ns")
        }
        #expect(LatencyCells.bound(0) == 100_000)
        #expect(LatencyCells.bound(19) == 52_428_800_000)
    }

    @Test("every cell has the times around its middle, and cells follow each other")
    func cells() {
        var last = Nanoseconds.zero
        for cell in 0..<LatencyCells.count - 1 {
            let middle = LatencyCells.middle(cell)
            #expect(LatencyCells.cell(middle) == cell)
            #expect(middle > last)
            last = middle
        }
        #expect(LatencyCells.cell(Nanoseconds(rawValue: .min)) == 0 && LatencyCells.cell(0) == 0)
        #expect(LatencyCells.cell(.max) == LatencyCells.count - 1)
    }

    @Test("percentiles are of the last two windows, buckets of all time")
    func windows() {
        var histogram = LatencyHistogram()
        histogram.record(1_000_000, times: 10)
        histogram.rotate()
        #expect(histogram.summary.recentCount == 10)
        histogram.record(8_000_000, times: 5)
        #expect(histogram.summary.recentCount == 15)
        #expect(histogram.summary.longest == 8_000_000)
        histogram.rotate()
        let summary = histogram.summary
        #expect(summary.recentCount == 5 && summary.count == 15)
        #expect(abs((summary.p50 - 8_000_000).rawValue) < 480_000)
        histogram.rotate()
        let quiet = histogram.summary
        #expect(quiet.recentCount == 0 && quiet.count == 15)
        #expect(quiet.p50 == 0 && quiet.longest == 0)
        #expect(quiet.sum == 50_000_000)
    }

    @Test("no percentile is above the longest time")
    func longest() {
        var histogram = LatencyHistogram()
        histogram.record(1_000_001)
        let summary = histogram.summary
        #expect(summary.longest == 1_000_001)
        #expect(summary.p999 <= summary.longest && summary.p50 > 960_000)
    }

    @Test("a time that was taken often counts as often")
    func times() {
        var one = LatencyHistogram()
        var many = LatencyHistogram()
        one.record(3_000, times: 1_000)
        for _ in 0..<1_000 { many.record(3_000) }
        #expect(one.summary == many.summary)
    }
}
