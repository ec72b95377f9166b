import Testing

@testable import TestOrigin

@Suite("What an origin has seen")
struct OriginCountsTests {
    @Test func `Seconds, sums, peak and mean agree with what was counted`() {
        var counts = OriginCounts()
        for second in [0, 2, 2, 2, 5] { counts.count(\.arrived, inSecond: second) }
        for second in [2, 3, 5] { counts.count(\.answered, inSecond: second) }
        counts.count(\.refused, inSecond: 2)
        #expect(counts.seconds == 0..<6)
        #expect(counts[2] == OriginCounts.Counts(arrived: 3, answered: 1, refused: 1))
        #expect(counts[1] == OriginCounts.Counts() && counts[6] == OriginCounts.Counts())
        #expect(counts.sums == OriginCounts.Counts(arrived: 5, answered: 3, refused: 1))
        #expect(counts.sum(in: 1..<4) == OriginCounts.Counts(arrived: 3, answered: 2, refused: 1))
        #expect(counts.peak(\.arrived, in: 0..<6) == OriginCounts.Peak(second: 2, count: 3))
        #expect(counts.peak(\.answered, in: 3..<100) == OriginCounts.Peak(second: 3, count: 1))
        #expect(counts.peak(\.refused, in: 3..<100) == nil)
        #expect(counts.mean(\.arrived, in: 0..<10) == 0.5)
        #expect(counts.mean(\.arrived, in: 3..<3) == 0)
    }

    @Test func `The newest seconds are kept, and the sums cover all`() {
        var counts = OriginCounts()
        let limit = OriginCounts.secondLimit
        for second in 0..<limit + 100 { counts.count(\.arrived, inSecond: second) }
        #expect(counts.seconds.upperBound == limit + 100)
        #expect(counts.seconds.count <= limit && counts.seconds.count > limit * 9 / 10)
        #expect(counts[counts.seconds.lowerBound].arrived == 1)
        counts.count(\.arrived, inSecond: 0)
        counts.count(\.arrived, inSecond: -1)
        #expect(counts[0].arrived == 0)
        #expect(counts.sums.arrived == limit + 102)
        // Far ahead, nothing of before is left.
        counts.count(\.refused, inSecond: 1_000_000_000)
        #expect(counts.seconds.upperBound == 1_000_000_001 && counts.seconds.count <= limit)
        #expect(counts.peak(\.arrived, in: counts.seconds) == nil)
        #expect(counts.sums == OriginCounts.Counts(arrived: limit + 102, answered: 0, refused: 1))
    }
}
