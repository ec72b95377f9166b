internal import DataStructures

/// What the members of a group have in common.
struct SlotGroupKey: Equatable {
    var second: UInt32
    /// Seconds in the window, at least 1.
    var width: UInt32
    /// See `SlotGroup.span`.
    var span: UInt32
    /// The date within the second, in ms, if the window is but one second; else 0.
    var offset: UInt32

    /// A fixed mixture of the key's bits.
    var hash: UInt64 {
        let word = UInt64(second) << 32 | UInt64(width) << 12 | UInt64(offset)
        return SplitMix64.mixed(word &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(span))
    }
}
