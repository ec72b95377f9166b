/// Counts the requests to an origin, second by second.
///
///     sums of all ─────────────────────────────────────────────►
///     forgotten … [ first kept second │ … │ newest second ]
///
/// At most `secondLimit` seconds are kept one by one, the newest; the sums cover all time.
package struct OriginCounts: Sendable {
    /// The most seconds that are kept: two days.
    package static var secondLimit: Int { 172_800 }

    /// The requests of one second, or of several.
    package struct Counts: Equatable, Sendable {
        /// Requests that came.
        package var arrived = 0
        /// Requests that were answered with a resource.
        package var answered = 0
        /// Requests that were refused because of overload.
        package var refused = 0

        /// Makes counts; without arguments, zeros.
        package init(arrived: Int = 0, answered: Int = 0, refused: Int = 0) {
            self.arrived = arrived
            self.answered = answered
            self.refused = refused
        }
    }

    /// The second with the highest count.
    package struct Peak: Equatable, Sendable {
        /// The number of the second since the start.
        package let second: Int
        /// What was counted in this second.
        package let count: Int
    }

    /// The sums over all seconds.
    package private(set) var sums = Counts()
    /// The counts of the kept seconds.
    private var kept: [Counts] = []
    /// The number of the first kept second.
    private var firstKept = 0

    /// Creates counts that are all zero.
    package init() {}

    /// The seconds that are kept, from the first to the newest with a request.
    package var seconds: Range<Int> { firstKept..<firstKept + kept.count }

    /// The counts of a second; zeros if it is not kept.
    package subscript(second: Int) -> Counts {
        seconds.contains(second) ? kept[second - firstKept] : Counts()
    }

    /// Counts one request.
    ///
    /// - Parameters:
    ///   - what: the counter to raise.
    ///   - second: the number of the second since the start. If it is not kept any more, only the
    ///     sums are raised.
    package mutating func count(_ what: WritableKeyPath<Counts, Int>, inSecond second: Int) {
        sums[keyPath: what] += 1
        if second < firstKept { return }
        makeRoom(for: second)
        kept[second - firstKept][keyPath: what] += 1
    }

    /// Extends the kept seconds up to a second, and forgets the oldest beyond the limit.
    private mutating func makeRoom(for second: Int) {
        if second < seconds.upperBound { return }
        if second - firstKept >= Self.secondLimit {
            // Forgets more than necessary, so that not every new second moves all others.
            let forgotten = second - firstKept - Self.secondLimit + 1 + Self.secondLimit / 16
            kept.removeFirst(min(kept.count, forgotten))
            firstKept += forgotten
        }
        let missing = second - firstKept - kept.count + 1
        kept += repeatElement(Counts(), count: missing)
        assert(
            seconds.upperBound == second + 1 && kept.count <= Self.secondLimit,
            "the newest second is not the last that is kept"
        )
    }

    /// The sums over the kept seconds of a range.
    package func sum(in range: Range<Int>) -> Counts {
        range.clamped(to: seconds).reduce(into: Counts()) { sum, second in
            sum.arrived += self[second].arrived
            sum.answered += self[second].answered
            sum.refused += self[second].refused
        }
    }

    /// The first of the busiest kept seconds of a range; nil if all are empty.
    package func peak(_ what: KeyPath<Counts, Int>, in range: Range<Int>) -> Peak? {
        var peak: Peak?
        for second in range.clamped(to: seconds) {
            let count = self[second][keyPath: what]
            if count > peak?.count ?? 0 { peak = Peak(second: second, count: count) }
        }
        return peak
    }

    /// The mean per second over a range; seconds without requests count as 0.
    package func mean(_ what: KeyPath<Counts, Int>, in range: Range<Int>) -> Double {
        if range.isEmpty { return 0 }
        return Double(sum(in: range)[keyPath: what]) / Double(range.count)
    }
}
