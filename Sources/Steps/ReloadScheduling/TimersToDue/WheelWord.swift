/// A timer's deadline in 32 bits. Ticks are counted around a circle of 2^30, so they never run out.
///
///     0                                no timer
///     [0 | parkedID + 1: 31 bits]      parked: too far ahead for the wheel
///     [1 | 0 | tick mod 2^30]          in the wheel, with an entry for just this tick
///     [1 | 1 | tick mod 2^30]          in the wheel, but moved: its entry is for an earlier tick
///
/// The wheel has no deadline before its position, or `horizon` or more after it; so the full tick
/// follows from the word and the position.
struct WheelWord: BitwiseCopyable, Equatable {
    /// Set if the timer is in the wheel.
    private static var wheelBit: UInt32 { 1 << 31 }
    /// Set if the timer's entry is for an earlier tick than its deadline.
    private static var movedBit: UInt32 { 1 << 30 }
    /// The bits of the tick, modulo 2^30.
    private static var tickMask: UInt32 { movedBit - 1 }

    /// Deadlines in the wheel are fewer ticks ahead than this: all of the circle except one slot of
    /// the last level. With ticks of 1 ms that is 12.2 days.
    static var horizon: UInt64 { 63 << 24 }

    let bits: UInt32

    @inline(__always)
    static var none: WheelWord { WheelWord(bits: 0) }

    @inline(__always)
    private init(bits: UInt32) { self.bits = bits }

    /// The word of a timer in the wheel.
    @inline(__always)
    init(tick: UInt64) { bits = UInt32(truncatingIfNeeded: tick) & Self.tickMask | Self.wheelBit }

    /// The word of a timer parked at an index of `ParkedTimers`.
    @inline(__always)
    init(parkedID: ParkedID) {
        assert(parkedID.rawValue < Self.wheelBit - 1)
        bits = parkedID.rawValue + 1
    }

    /// Whether the timer is in the wheel rather than parked or not running.
    @inline(__always)
    var isInWheel: Bool { bits & Self.wheelBit != 0 }

    /// Whether the timer's entry is for an earlier tick than its deadline.
    @inline(__always)
    var isMoved: Bool { bits >= Self.wheelBit | Self.movedBit }

    /// The same deadline, with an entry for just its tick.
    @inline(__always)
    var withoutMove: WheelWord {
        assert(isInWheel, "a parked timer has no entry")
        return WheelWord(bits: bits & ~Self.movedBit)
    }

    /// The same deadline, marked as moved.
    @inline(__always)
    var asMoved: WheelWord {
        assert(isInWheel, "a parked timer has no entry")
        return WheelWord(bits: bits | Self.movedBit)
    }

    /// The index in `ParkedTimers` of a parked timer; nil for a timer in the wheel, or none.
    @inline(__always)
    var parkedID: ParkedID? { bits == 0 || isInWheel ? nil : ParkedID(rawValue: bits - 1) }

    /// Ticks from the wheel's position to the deadline.
    @inline(__always)
    func distance(from position: UInt64) -> UInt64 {
        assert(isInWheel)
        return UInt64((bits &- UInt32(truncatingIfNeeded: position)) & Self.tickMask)
    }

    /// The bits in which the deadline differs from the position.
    @inline(__always)
    func difference(from position: UInt64) -> UInt32 {
        (bits ^ UInt32(truncatingIfNeeded: position)) & Self.tickMask
    }

    /// The six bits of the deadline that number its slot within a level.
    @inline(__always)
    func digit(_ level: Int) -> Int {
        Int((bits & Self.tickMask) >> UInt32(truncatingIfNeeded: level &* WheelSlots.levelBits))
            & WheelSlots.levelMask
    }
}
