internal import ReloadModel
internal import RouterMetrics

/// Which keys pushes find widgets by most often.
///
/// Keys are values that widgets wait for: equalities, prefixes and so on. A condition that no value
/// leads to has none. Of many pushes only some are looked at, and each is counted for those that are
/// not.
struct KeySampler {
    /// Pushes in a second that are all looked at; of more, one in two, in four and so on.
    static var rate: UInt64 { 16_384 }

    var hotKeys = HotKeys()
    /// One push in so many and one is looked at: a power of two less one.
    var mask: UInt64 = 0
    /// How many keys have been counted since that was last chosen.
    private var counted: UInt64 = 0

    init() {}

    /// Whether a push is one of those that are looked at.
    @inline(__always)
    func isSampled(_ push: PushBatch.Push) -> Bool { push.number & mask == 0 }

    /// Says how many pushes have come in the last second; more may come in the next one.
    mutating func adapt(toPushesPerSecond pushes: UInt64) {
        var step: UInt64 = 1
        while pushes / step > Self.rate { step *= 2 }
        mask = step - 1
        counted = 0
    }

    /// - Parameters:
    ///   - key: by which widgets may have been found.
    ///   - isFirst: whether this is the first portion of them that has found some.
    ///   - found: how many.
    mutating func record(_ key: KeyID, isFirst: Bool, found: Int) {
        if found == 0 { return }
        let weight = mask + 1
        hotKeys.add(key, count: isFirst ? weight : 0, extra: UInt64(found) * weight)
        counted += 1
        if counted < Self.rate { return }
        // More than were expected: only half of what was looked at is from here on.
        counted = 0
        mask = mask << 1 | 1
    }
}
