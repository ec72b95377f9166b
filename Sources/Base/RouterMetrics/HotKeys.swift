/// The numbers that come most often among any number of them, in a table of fixed size.
///
/// Metwally, Agrawal, El Abbadi: "Efficient Computation of Frequent and Top-k Elements in Data
/// Streams", ICDT 2005 (Space-Saving). A number that is not in the full table takes the place of the
/// one with the lowest count, and takes over that count as its possible error. So no number is
/// counted too low, none too high by more than its `error`, and any that makes up more than one in
/// `capacity` of the stream is there.
///
/// Which one has the lowest count is found by a hand that goes round: all that it has passed since
/// `lowest` was found have more. `halve` lets what is past fade.
package struct HotKeys {
    /// A number that came often.
    package struct Entry: BitwiseCopyable, Equatable, Sendable {
        package var key: UInt32
        /// How often it came, as the caller weighs it.
        package var count: UInt64
        /// How much of `count` may be of numbers that had its place before.
        package var error: UInt64
        /// What the caller counts beside that, since the number is in the table.
        package var extra: UInt64
    }

    /// The numbers that are told apart.
    package static var capacity: Int { 256 }
    /// Slots of the index, each with an entry's place or `vacant`: twice as many, so that few collide.
    private static var slotCount: Int { 512 }
    private static var vacant: UInt16 { UInt16.max }

    private var entries: ContiguousArray<Entry> = []
    private var slots: ContiguousArray<UInt16>
    private var hand = 0
    /// No count is lower.
    private var lowest: UInt64 = 0

    package init() {
        entries.reserveCapacity(Self.capacity)
        slots = ContiguousArray(repeating: Self.vacant, count: Self.slotCount)
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// Counts a number.
    ///
    /// - Parameters:
    ///   - key: the number.
    ///   - count: how often it came.
    ///   - extra: adds to the entry's.
    package mutating func add(_ key: UInt32, count: UInt64, extra: UInt64) {
        let slot = slot(of: key)
        if slots[slot] != Self.vacant {
            entries[Int(slots[slot])].count &+= count
            entries[Int(slots[slot])].extra &+= extra
        } else if entries.count < Self.capacity {
            slots[slot] = UInt16(entries.count)
            entries.append(Entry(key: key, count: count, error: 0, extra: extra))
            lowest = 0
        } else {
            replace(findLowest(), by: key, count: count, extra: extra)
        }
    }

    /// Forgets a number, because it means something else from now on.
    package mutating func remove(_ key: UInt32) {
        if entries.isEmpty { return }
        let slot = slot(of: key)
        if slots[slot] != Self.vacant { remove(at: Int(slots[slot])) }
    }

    /// Halves all counts, and forgets what has none left.
    package mutating func halve() {
        var index = 0
        while index < entries.count {
            entries[index].count /= 2
            entries[index].error /= 2
            entries[index].extra /= 2
            if entries[index].count == 0 { remove(at: index) } else { index += 1 }
        }
        lowest = 0
    }

    /// The numbers with the highest counts, the highest first; among equal ones the lowest number.
    package func top(_ limit: Int) -> [Entry] {
        let sorted = entries.sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.key < $1.key
        }
        return Array(sorted.prefix(limit))
    }

    // MARK: - Places

    /// Where an entry with the lowest count lies; the table is full.
    private mutating func findLowest() -> Int {
        for _ in 0..<Self.capacity {
            hand = (hand + 1) % Self.capacity
            if entries[hand].count <= lowest { return hand }
        }
        lowest = .max
        for index in entries.indices where entries[index].count < lowest {
            lowest = entries[index].count
            hand = index
        }
        return hand
    }

    private mutating func replace(_ index: Int, by key: UInt32, count: UInt64, extra: UInt64) {
        let former = entries[index]
        vacate(slot(of: former.key))
        entries[index] = Entry(
            key: key,
            count: former.count &+ count,
            error: former.count,
            extra: extra
        )
        slots[slot(of: key)] = UInt16(index)
    }

    private mutating func remove(at index: Int) {
        vacate(slot(of: entries[index].key))
        let last = entries.count - 1
        if index != last {
            slots[slot(of: entries[last].key)] = UInt16(index)
            entries[index] = entries[last]
        }
        entries.removeLast()
    }

    // MARK: - The index

    /// The slot that names a key's entry, or the vacant one where it would.
    private func slot(of key: UInt32) -> Int {
        var slot = home(key)
        while slots[slot] != Self.vacant && entries[Int(slots[slot])].key != key {
            slot = (slot + 1) % Self.slotCount
        }
        return slot
    }

    private func home(_ key: UInt32) -> Int { Int((key &* 0x9e37_79b1) >> 23) }

    /// Empties a slot, and moves those back that would not be found past it.
    private mutating func vacate(_ start: Int) {
        var hole = start
        var slot = (start + 1) % Self.slotCount
        while slots[slot] != Self.vacant {
            let distance = (slot - home(entries[Int(slots[slot])].key)) & (Self.slotCount - 1)
            if distance >= (slot - hole) & (Self.slotCount - 1) {
                slots[hole] = slots[slot]
                hole = slot
            }
            slot = (slot + 1) % Self.slotCount
        }
        slots[hole] = Self.vacant
    }
}
