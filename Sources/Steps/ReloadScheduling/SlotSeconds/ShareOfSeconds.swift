internal import Basics

/// A partition's share of a number that all partitions have in each second, such as an origin's
/// rate. What is left over when the number is divided goes round, a second after the other:
///
///     5 a second, of 2 partitions      second   0  1  2  3
///                         partition 0           3  2  3  2
///                         partition 1           2  3  2  3
///
/// So the shares of a second sum up to the number, and a number below that of the partitions is a
/// share of 1 in some seconds and of 0 in the others. Nothing is agreed on: a partition that
/// replays its log has the same shares.
struct ShareOfSeconds: BitwiseCopyable {
    /// What all partitions have together; `UInt32.max` for no limit, which is not divided.
    let whole: UInt32
    /// What this partition has in every second.
    private let base: UInt32
    /// How many partitions have one more in a second.
    private let rest: UInt32
    /// The partition's number.
    private let offset: UInt32
    private let count: Divisor

    init(of whole: UInt32, for partition: Partition) {
        self.whole = whole
        count = Divisor(partition.count)
        offset = UInt32(partition.id.rawValue)
        base = whole == .max ? .max : count.quotient(whole)
        rest = whole == .max ? 0 : count.remainder(UInt64(whole))
    }

    /// Whether there is no limit.
    var isUnlimited: Bool { base == .max }

    /// The share in a second. With one partition, or if nothing is left over, it is always the
    /// same, and this is one comparison.
    @inline(__always)
    subscript(second: UInt32) -> UInt32 {
        if rest == 0 { return base }
        return phase(of: second) < rest ? base + 1 : base
    }

    /// The first second from `start` on in which the share is not 0; there must be one.
    @inline(__always)
    func firstOpen(from start: UInt32) -> UInt32 {
        if base > 0 { return start }
        assert(rest > 0, "a share of nothing")
        let phase = phase(of: start)
        return phase < rest ? start : start + (count.value - phase)
    }

    /// How many seconds of `start` ..< `end` have a share of 0.
    func closedCount(from start: UInt32, to end: UInt32) -> UInt32 {
        if base > 0 || end <= start { return 0 }
        return end - start - (openCount(before: end) - openCount(before: start))
    }

    /// Where a second is in the round of the partitions: in the first `rest` places, this one has
    /// one more.
    @inline(__always)
    private func phase(of second: UInt32) -> UInt32 {
        count.remainder(UInt64(offset) + UInt64(second))
    }

    /// The seconds before `end` with a share, counted from the beginning of the round that second 0
    /// is in.
    private func openCount(before end: UInt32) -> UInt32 {
        let position = UInt64(offset) + UInt64(end)
        let phase = count.remainder(position)
        let rounds = UInt32((position - UInt64(phase)) / UInt64(count.value))
        return rounds * rest + min(phase, rest)
    }
}
