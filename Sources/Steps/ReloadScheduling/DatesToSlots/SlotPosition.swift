package import Basics
package import StoreFormat

/// The position of a reload in a `SlotLedger`. The caller keeps it to release or to finish the slot
/// later.
///
///     in a group     [ 0 | generation: 13 bits | group's slot: 18 bits ] [ index in the group ]
///     without one    [ 1 ………………………………………………………… 10 ] [ second ]
///     none           [ 1 ………………………………………………………… 11 ] [ 1 … 1 ]
///
/// The generation distinguishes a group from earlier ones that used the same slot of the slab.
@usableFromInline
package struct SlotPosition: BitwiseCopyable, Equatable, Sendable {
    /// The generation and the slot of the group, or one of two marks: without a group, or none.
    @usableFromInline package var group: UInt32
    /// The entry's index in the group; the second if there is no group.
    package var index: UInt32

    /// Makes a position from its two words.
    package init(group: UInt32, index: UInt32) {
        self.group = group
        self.index = index
    }

    /// The position of a reload that has no slot.
    package static var none: SlotPosition { SlotPosition(group: .max, index: .max) }
    /// Whether this is `none`.
    @inlinable package var isNone: Bool { group == .max }

    /// The number of bits of a group's slot.
    static var slotBits: UInt32 { 18 }
    /// Generations are counted modulo 2^13.
    static var generationMask: UInt32 { 1 << 13 - 1 }
    /// The value of `group` for a reload without a group.
    private static var withoutGroup: UInt32 { .max - 1 }

    /// Makes the position of a reload that has no group and only counts in a second.
    init(second: UInt32) { self.init(group: Self.withoutGroup, index: second) }

    init(slot: GroupSlot, generation: UInt32, index: UInt32) {
        assert(slot.rawValue < 1 << Self.slotBits)
        assert(generation <= Self.generationMask)
        self.init(group: generation << Self.slotBits | slot.rawValue, index: index)
    }

    /// Whether the reload is in a group, so that `slot` and `generation` have a meaning.
    var isInGroup: Bool { group >> 31 == 0 }
    /// Whether the reload only counts in its second: `index` is the second then.
    package var isWithoutGroup: Bool { group == Self.withoutGroup }
    /// The group's slot in the ledger's slab; meaningful only if `isInGroup`.
    var slot: GroupSlot { GroupSlot(rawValue: group & (1 << Self.slotBits - 1)) }
    var generation: UInt32 { group >> Self.slotBits }
}

/// A reload's assigned time, and its position in the ledger.
package struct Slot: BitwiseCopyable, Equatable, Sendable {
    /// When the reload is due.
    package var at: ScheduleTime
    /// Where the ledger keeps the reload.
    package var position: SlotPosition
}

/// A reload that moved into the slot of a cancelled one: its timer and its position must be
/// replaced.
package struct MovedSlot: BitwiseCopyable, Equatable, Sendable {
    /// The widget whose reload moved, as it was given to `take`.
    package var widget: WidgetID
    /// The reload's new time and its new position.
    package var slot: Slot
    /// When the reload was due before. The caller shifts the time that it keeps for the reload by
    /// the difference, which is right even if the wall clock was set in between.
    package var formerAt: ScheduleTime
}

extension SlotPosition {
    /// Writes eight bytes: group, index.
    package func write(to writer: inout StoreWriter) {
        writer.put(group)
        writer.put(index)
    }

    /// Reads a position and checks its form only; `SlotLedger.nameMember` checks whether the ledger
    /// has it.
    package init(reading reader: inout StoreReader) throws(StoreError) {
        let group = try reader.read(UInt32.self)
        self.init(group: group, index: try reader.read(UInt32.self))
        if !isInGroup && !isWithoutGroup && self != .none {
            throw reader.corrupt("a slot position of an unknown kind")
        }
    }
}
