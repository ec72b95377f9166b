/// The charges of the last 24 buckets of time, one byte each: a shift register of 192 bits.
///
///     oldest            middle            recent
///     [23 22 … 17 16]   [15 14 … 9 8]     [7 6 … 1 0]      byte 0 is the bucket that runs now
///
/// A byte counts 0 ... 254 charges; 255 means "255 or more". A charge that was asked for never gets
/// there (`advances` sends it to the next bucket), only charges that nobody could refuse do; how
/// many they were is not known then, so that the bucket forbids every charge until it drops out.
struct ReloadBudgetWindow: BitwiseCopyable, Sendable {
    static let bucketCount = 24
    private static let full: UInt64 = 255

    var recent: UInt64 = 0
    var middle: UInt64 = 0
    var oldest: UInt64 = 0

    /// All charges in the window; if a bucket is full, at least so many.
    var sum: Int {
        // Four sums of pairs of bytes, each at most 3 · 2 · 255, then their sum in the top 16 bits.
        let pairs = Self.pairs(recent) &+ Self.pairs(middle) &+ Self.pairs(oldest)
        return Int((pairs &* 0x0001_0001_0001_0001) >> 48)
    }

    /// Counts one more in the bucket that runs now.
    mutating func add() {
        if recent & 0xff < Self.full { recent += 1 }
    }

    /// Lets `buckets` of time pass: as many of the oldest drop out.
    mutating func advance(by buckets: Int) {
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

    /// How many buckets of time must pass until one more charge leaves the window at `limit` or
    /// below.
    ///
    /// From 0 to 24; `limit` is at least 1.
    func advances(untilBelow limit: Int) -> Int {
        assert(limit > 0)
        let sum = sum
        // No bucket can be nearly full then.
        if sum < min(limit, Int(Self.full) - 1) { return 0 }
        // The youngest bucket that must drop out is the first that brings the sum to the limit.
        var counted = 0
        for bucket in 0..<Self.bucketCount {
            let charges = charges(bucket)
            counted += Int(charges)
            if counted >= limit || charges == Self.full { return Self.bucketCount - bucket }
        }
        return charges(0) == Self.full - 1 ? 1 : 0
    }

    private func charges(_ bucket: Int) -> UInt64 {
        let word = bucket < 8 ? recent : bucket < 16 ? middle : oldest
        return word >> (UInt64(bucket & 7) * 8) & 0xff
    }

    private static func pairs(_ bytes: UInt64) -> UInt64 {
        (bytes & 0x00ff_00ff_00ff_00ff) &+ (bytes >> 8 & 0x00ff_00ff_00ff_00ff)
    }
}
