internal import Basics

/// Counts the keys by which pushes find widgets most often.
///
/// Keys are values that widgets wait for: equalities, prefixes and so on. Groups of conditions to
/// which no value leads are not counted. If there are many pushes, only a sample of them is
/// counted, each with the weight of the pushes that are left out.
struct KeySampler {
    /// Pushes a second up to which every push is sampled; if there are more, one in two is, one in
    /// four and so on.
    static var rate: UInt64 { 16_384 }

    /// The keys counted.
    var hotKeys = HotKeys()
    /// One push in `mask + 1` is sampled, chosen by its number. A power of two less one; `.max`
    /// while no push is to be sampled.
    var mask: UInt64 = 0
    /// Keys recorded since `mask` was last set.
    private var counted: UInt64 = 0

    init() {}

    /// Whether the push is part of the sample.
    @inline(__always)
    func isSampled(_ push: PushBatch.Push) -> Bool { push.number & mask == 0 }

    /// Sets which part of the pushes is sampled, from the number of pushes in the last second. If
    /// more come in the next second, `record` makes the part smaller.
    mutating func adapt(toPushesPerSecond pushes: UInt64) {
        var step: UInt64 = 1
        while pushes / step > Self.rate { step *= 2 }
        mask = step - 1
        counted = 0
    }

    /// Counts a key of a sampled push, and the widgets that a portion found by it. `isFirst` is
    /// whether no earlier portion of the push has found any.
    mutating func record(_ key: KeyID, isFirst: Bool, found: Int) {
        assert(key != .none && found >= 0, "\(found) widgets under key \(key)")
        assert(mask & (mask &+ 1) == 0, "the weight of a push is a power of two")
        if found == 0 { return }
        let weight = mask + 1
        hotKeys.add(key.rawValue, count: isFirst ? weight : 0, extra: UInt64(found) * weight)
        counted += 1
        if counted < Self.rate { return }
        // More than expected: halve the sample from here on.
        counted = 0
        mask = mask << 1 | 1
    }
}
