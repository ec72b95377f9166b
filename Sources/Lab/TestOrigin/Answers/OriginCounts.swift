/// What an origin has seen, second by second.
///
///     sums of all ─────────────────────────────────────────────►
///     forgotten … [ first kept second │ … │ newest second ]
///
/// The newest `secondLimit` seconds are kept, one by one; the sums cover all that ever was.
package struct OriginCounts: Sendable {
    /// Two days.
    package static var secondLimit: Int { 172_800 }

    /// What happened in a second, or in several.
    package struct Counts: Equatable, Sendable {
        package var arrived = 0
        package var answered = 0
        package var refused = 0

        package init(arrived: Int = 0, answered: Int = 0, refused: Int = 0) {
            self.arrived = arrived
            self.answered = answered
            self.refused = refused
        }
    }

    /// A second in which most happened, and how much.
    package struct Peak: Equatable, Sendable {
        package let second: Int
        package let count: Int
    }

    /// Of all seconds.
    package private(set) var sums = Counts()
    private var kept: [Counts] = []
    private var firstKept = 0

    package init() {}

    /// The seconds that are kept, up to the newest one in which something happened.
    package var seconds: Range<Int> { firstKept..<firstKept + kept.count }

    /// What happened in a second: nothing if it is not kept.
    package subscript(second: Int) -> Counts {
        seconds.contains(second) ? kept[second - firstKept] : Counts()
    }

    /// Counts something.
    ///
    /// - Parameters:
    ///   - what: what happened.
    ///   - second: since the start; one before it, or one that is forgotten, is in the sums only.
    package mutating func count(_ what: WritableKeyPath<Counts, Int>, inSecond second: Int) {
        sums[keyPath: what] += 1
        if second < firstKept { return }
        makeRoom(for: second)
        kept[second - firstKept][keyPath: what] += 1
    }

    private mutating func makeRoom(for second: Int) {
        if second < seconds.upperBound { return }
        if second - firstKept >= Self.secondLimit {
            // More than needed at a time, so that not each second moves all others.
            let forgotten = second - firstKept - Self.secondLimit + 1 + Self.secondLimit / 16
            kept.removeFirst(min(kept.count, forgotten))
            firstKept += forgotten
        }
        let missing = second - firstKept - kept.count + 1
        kept += repeatElement(Counts(), count: missing)
    }

    /// The sum over kept seconds.
    package func sum(in range: Range<Int>) -> Counts {
        range.clamped(to: seconds).reduce(into: Counts()) { sum, second in
            sum.arrived += self[second].arrived
            sum.answered += self[second].answered
            sum.refused += self[second].refused
        }
    }

    /// The first of the busiest kept seconds; nil if nothing happened in any.
    package func peak(_ what: KeyPath<Counts, Int>, in range: Range<Int>) -> Peak? {
        var peak: Peak?
        for second in range.clamped(to: seconds) {
            let count = self[second][keyPath: what]
            if count > peak?.count ?? 0 { peak = Peak(second: second, count: count) }
        }
        return peak
    }

    /// A second's mean, of all seconds of the range: those in which nothing happened count.
    package func mean(_ what: KeyPath<Counts, Int>, in range: Range<Int>) -> Double {
        if range.isEmpty { return 0 }
        return Double(sum(in: range)[keyPath: what]) / Double(range.count)
    }
}
