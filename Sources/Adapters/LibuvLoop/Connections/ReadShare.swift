internal import Basics

/// Limits how many bytes one read may bring, so that an iteration of the loop ends in time however
/// many connections have input, and whatever their frames cost.
///
/// The limit is doubled after a short iteration in which a read reached it, and halved after a long
/// iteration. Once an iteration has become long, its remaining reads get the smallest limit.
struct ReadShare {
    /// An iteration longer than this is long.
    static var longTick: Nanoseconds { .milliseconds(20) }
    /// An iteration shorter than this is short.
    static var shortTick: Nanoseconds { .milliseconds(10) }
    /// The smallest limit, in bytes.
    static var least: Int { 4 << 10 }
    /// The number of bytes after which the clock is read again.
    static var stride: Int { 64 << 10 }

    /// The largest limit, in bytes.
    private let most: Int
    /// The present limit, in bytes.
    private var share: Int
    /// The time when the first `stride` bytes of this iteration had arrived; nil before that.
    private var begin: ExactTime?
    /// The time from `begin` to the last reading of the clock.
    private var elapsed = Nanoseconds.zero
    /// The number of bytes since the last reading of the clock.
    private var byteCount = 0
    /// True if a read of this iteration reached its limit.
    private var hasFullRead = false

    init(most: Int) {
        assert(most >= Self.least, "the smallest limit is above the largest one")
        self.most = most
        share = most
    }

    private var isLong: Bool { elapsed > Self.longTick }

    /// The most bytes of the next read.
    var limit: Int { isLong ? Self.least : share }

    /// Records a read of `count` bytes whose processing has ended; `isFull` if it reached its
    /// limit.
    mutating func record(_ count: Int, isFull: Bool, now: () -> ExactTime) {
        assert(count >= 0)
        if isFull { hasFullRead = true }
        byteCount += count
        if byteCount < Self.stride { return }
        byteCount = 0
        let time = now()
        if let begin { elapsed = time - begin } else { begin = time }
    }

    /// Ends an iteration: adapts the limit.
    mutating func endTick() {
        if isLong {
            share = max(Self.least, share / 2)
        } else if hasFullRead && elapsed < Self.shortTick {
            share = min(most, share * 2)
        }
        assert(share >= Self.least, "a read may bring too little to make progress")
        assert(share <= most, "a read may bring more than the slab holds")
        begin = nil
        elapsed = .zero
        byteCount = 0
        hasFullRead = false
    }
}
