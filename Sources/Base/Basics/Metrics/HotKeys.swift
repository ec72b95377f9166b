/// The most frequent keys of a stream of any number of keys, in a table of fixed size.
///
/// Metwally, Agrawal, El Abbadi: "Efficient Computation of Frequent and Top-k Elements in Data
/// Streams", ICDT 2005 (Space-Saving). A key that is not in the full table replaces the one with
/// the lowest count, and inherits that count as its possible error. So no key is counted too low,
/// none too high by more than its `error`, and any that makes up more than one in `capacity` of the
/// stream is in the table.
///
/// The lowest count is found by an index (`cursor`) that moves through the entries in a circle: all
/// entries that it has passed since `lowest` was found have a higher count. Repeated calls of
/// `halve` let old counts lose weight.
package struct HotKeys {
    /// A frequent key with its counts.
    package struct Entry: BitwiseCopyable, Equatable, Sendable {
        /// The key: any number by which the caller identifies it.
        package var key: UInt32
        /// How often the key came, in the caller's weighting.
        package var count: UInt64
        /// The part of `count` that may belong to keys that had the slot before.
        package var error: UInt64
        /// A second number that the caller counts, from when the key entered the table.
        package var extra: UInt64
    }

    /// The most keys in the table.
    package static var capacity: Int { 256 }
    /// The number of slots of the index, each with an entry's index or `vacant`: twice `capacity`,
    /// so that few keys collide.
    private static var slotCount: Int { 512 }
    /// The content of a slot of the index without an entry.
    private static var vacant: UInt16 { UInt16.max }

    private var entries: ContiguousArray<Entry> = []
    /// The index of each key's entry: a table of open addresses. `Dictionary` would take 9 times as
    /// many instructions, which is 8 per cent of a push.
    private var slots: ContiguousArray<UInt16>
    /// The index of the entry that the search for the lowest count examined last.
    private var cursor = 0
    /// A lower bound of all counts.
    private var lowest: UInt64 = 0

    /// An empty table.
    package init() {
        entries.reserveCapacity(Self.capacity)
        slots = ContiguousArray(repeating: Self.vacant, count: Self.slotCount)
    }

    /// Whether no key is in the table.
    package var isEmpty: Bool { entries.isEmpty }

    /// Counts a key: adds to its count and its `extra`.
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

    /// Removes a key, because the number will stand for something else from now on.
    package mutating func remove(_ key: UInt32) {
        if entries.isEmpty { return }
        let slot = slot(of: key)
        if slots[slot] != Self.vacant { remove(at: Int(slots[slot])) }
    }

    /// Halves all counts, and removes keys whose count becomes 0.
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

    /// The keys with the highest counts, the highest first; the lower key first among equal counts.
    package func top(_ limit: Int) -> [Entry] {
        let sorted = entries.sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.key < $1.key
        }
        return Array(sorted.prefix(limit))
    }

    // MARK: - Entries

    /// The index of an entry with the lowest count; the table must be full.
    private mutating func findLowest() -> Int {
        for _ in 0..<Self.capacity {
            cursor = (cursor + 1) % Self.capacity
            if entries[cursor].count <= lowest { return cursor }
        }
        lowest = .max
        for index in entries.indices where entries[index].count < lowest {
            lowest = entries[index].count
            cursor = index
        }
        return cursor
    }

    /// Gives the entry of a key to another one, which inherits its count as a possible error.
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

    /// Removes an entry; the last one moves to its index.
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

    /// The slot that refers to a key's entry, or the vacant one where it belongs.
    private func slot(of key: UInt32) -> Int {
        var slot = home(key)
        while slots[slot] != Self.vacant && entries[Int(slots[slot])].key != key {
            slot = (slot + 1) % Self.slotCount
        }
        return slot
    }

    /// The slot at which the search for a key begins.
    private func home(_ key: UInt32) -> Int { Int((key &* 0x9e37_79b1) >> 23) }

    /// Empties a slot, and moves back the later ones that could not be found across the gap.
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
