/// The charges of a widget's budget in the last 24 buckets of time, one byte each: a shift register
/// of 192 bits.
///
///     oldest            middle            recent
///     [23 22 … 17 16]   [15 14 … 9 8]     [7 6 … 1 0]      byte 0 is the current bucket
///
/// A byte counts 0 ... 254 charges; 255 means "255 or more". Only reloads that could not be refused
/// bring a byte to 255: `advances` moves any other charge to the next bucket first. As the exact
/// count is lost then, a bucket of 255 forbids every charge until it drops out.
struct ReloadBudgetWindow: BitwiseCopyable, Sendable {
    static let bucketCount = 24
    /// The value of a byte that has lost its count.
    private static let full: UInt64 = 255

    var recent: UInt64 = 0
    var middle: UInt64 = 0
    var oldest: UInt64 = 0

    /// The charges in the window; if a bucket is full, at least this many.
    var sum: Int {
        // Four sums of pairs of bytes, each at most 3 · 2 · 255, then their sum in the top 16 bits.
        let pairs = Self.pairs(recent) &+ Self.pairs(middle) &+ Self.pairs(oldest)
        return Int((pairs &* 0x0001_0001_0001_0001) >> 48)
    }

    /// Counts a charge in the current bucket.
    mutating func add() {
        if recent & 0xff < Self.full { recent += 1 }
    }

    /// Lets `buckets` of time pass: that many of the oldest bytes drop out.
    mutating func advance(by buckets: Int) {
        assert(buckets >= 0, "time goes back")
        switch buckets >> 3 {
        case 0: break
        case 1: (oldest, middle, recent) = (middle, recent, 0)
        case 2: (oldest, middle, recent) = (recent, 0, 0)
        default: self = ReloadBudgetWindow()
        }
        let bits = UInt64(buckets & 7) * 8
        guard bits > 0 else { return }
        oldest = oldest << bits | middle >> (64 - bits)
        middle = middle << bits | recent >> (64 - bits)
        recent <<= bits
    }

    /// Buckets of time that must pass until one more charge fits within `limit`, from 0 to 24.
    ///
    /// `limit` must be at least 1.
    func advances(untilBelow limit: Int) -> Int {
        assert(limit > 0)
        let sum = sum
        // The sum is below 254, so no single bucket is nearly full.
        if sum < min(limit, Int(Self.full) - 1) { return 0 }
        // Counted from the current bucket back, the first bucket that brings the sum to the limit
        // must drop out, and with it all older ones.
        var counted = 0
        for bucket in 0..<Self.bucketCount {
            let charges = charges(bucket)
            counted += Int(charges)
            if counted >= limit || charges == Self.full { return Self.bucketCount - bucket }
        }
        return charges(0) == Self.full - 1 ? 1 : 0
    }

    /// The charges of a bucket, counted from the current one back.
    private func charges(_ bucket: Int) -> UInt64 {
        assert((0..<Self.bucketCount).contains(bucket))
        let word = bucket < 8 ? recent : bucket < 16 ? middle : oldest
        return word >> (UInt64(bucket & 7) * 8) & 0xff
    }

    /// The sums of neighbouring bytes, in four lanes of 16 bits.
    private static func pairs(_ bytes: UInt64) -> UInt64 {
        (bytes & 0x00ff_00ff_00ff_00ff) &+ (bytes >> 8 & 0x00ff_00ff_00ff_00ff)
    }
}
