import Basics

@testable import ReloadScheduling

/// Who stands in a ledger's groups, one by one.
extension SlotLedger {
    /// A place in a group, as it lies in memory: who has it, and whether it is fixed.
    struct Seat: Equatable {
        var position: SlotPosition
        var entry: UInt32
    }

    /// All places of members, in their order.
    var seated: [Seat] {
        var seats: [Seat] = []
        for slot in groups.ids where groups[slot].isInUse {
            for index in 0..<groups[slot].entries.count
            where SlotEntry.isMember(groups[slot].entries[index]) {
                let generation = groups[slot].generation
                let position = SlotPosition(slot: slot, generation: generation, index: index)
                seats.append(Seat(position: position, entry: groups[slot].entries[index]))
            }
        }
        return seats
    }

    var unseatedPositions: [SlotPosition] {
        seated.filter { $0.entry == SlotEntry.unnamed }.map(\.position)
    }

    /// Whether this one stands there; of those without a group, whether anybody can.
    func holds(_ position: SlotPosition, by id: UInt32) -> Bool {
        if position.isWithoutGroup {
            return seconds.isForgotten(position.index) || seconds.planned(position.index) > 0
        }
        guard position.isInGroup, groups.has(position.slot),
            groups[position.slot].contains(position.index, generation: position.generation)
        else { return false }
        return SlotEntry.id(groups[position.slot].entries[position.index]) == id
    }
}
