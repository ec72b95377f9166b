/// Where a reload stands in a ledger: what the caller keeps, to give the slot back or to finish it.
///
///     in a group     [ 0 | generation: 13 bits | group's slot: 18 bits ] [ index in the group ]
///     without one    [ 1 ………………………………………………………… 10 ] [ second ]
///     none           [ 1 ………………………………………………………… 11 ] [ 1 … 1 ]
///
/// The generation tells a group from those that had its slot before.
@usableFromInline
package struct SlotPosition: BitwiseCopyable, Equatable, Sendable {
    @usableFromInline package var group: UInt32
    package var index: UInt32

    package init(group: UInt32, index: UInt32) {
        self.group = group
        self.index = index
    }

    package static var none: SlotPosition { SlotPosition(group: .max, index: .max) }
    @inlinable package var isNone: Bool { group == .max }

    static var slotBits: UInt32 { 18 }
    static var generationMask: UInt32 { 1 << 13 - 1 }
    private static var withoutGroup: UInt32 { .max - 1 }

    /// Of a reload that only counts in its second.
    init(second: UInt32) {
        self.init(group: Self.withoutGroup, index: second)
    }

    init(slot: UInt32, generation: UInt32, index: UInt32) {
        assert(slot < 1 << Self.slotBits)
        assert(generation <= Self.generationMask)
        self.init(group: generation << Self.slotBits | slot, index: index)
    }

    var isInGroup: Bool { group >> 31 == 0 }
    package var isWithoutGroup: Bool { group == Self.withoutGroup }
    var slot: UInt32 { group & (1 << Self.slotBits - 1) }
    var generation: UInt32 { group >> Self.slotBits }
}

/// When a reload is due, and where it stands in the ledger.
package struct Slot: BitwiseCopyable, Equatable, Sendable {
    /// Schedule time in ms.
    package var at: Int64
    package var position: SlotPosition
}

/// A reload that now stands where a cancelled one stood: its timer and its position are new.
package struct MovedSlot: BitwiseCopyable, Equatable, Sendable {
    package var id: UInt32
    package var slot: Slot
    /// Where it stood: how far it has moved counts if the wall clock was set meanwhile.
    package var formerAt: Int64
}

/// What a ledger has done so far.
package struct SlotStatistics: Equatable, Sendable {
    package var taken = 0
    package var givenBack = 0
    package var finished = 0
    /// How often a group found its whole window full and went on behind it.
    package var windowsGrown = 0

    package init() {}

    /// Slots that somebody must hold: one that nobody holds has leaked.
    package var pending: Int { taken - givenBack - finished }
}
