internal import Basics

/// What the members of a group have in common: the second of their date, and their window.
struct SlotGroupKey: Equatable {
    /// The second of the date, in schedule time.
    var second: UInt32
    /// Seconds in the window, at least 1.
    var width: UInt32
    /// See `SlotGroup.span`.
    var span: UInt32
    /// For a window of one second, the date's millisecond within its second; else 0.
    var offset: UInt32

    /// A fixed hash of the key, from which the group's slots follow; it is no secret.
    var hash: UInt64 {
        let word = UInt64(second) << 32 | UInt64(width) << 12 | UInt64(offset)
        return SplitMix64.mixed(word &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(span))
    }
}
