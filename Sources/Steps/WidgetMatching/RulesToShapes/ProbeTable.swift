/// An element of a `ProbeTable`: plain bits with a 32-bit hash, and a value that means "empty".
protocol ProbeSlot: BitwiseCopyable {
    /// A hash of the key. Its low bits choose the slot's home, so that growing needs only the
    /// slots.
    var fingerprint: UInt32 { get }
    /// Whether the slot has no entry.
    var isEmpty: Bool { get }
    /// A slot without an entry.
    static var empty: Self { get }
}

/// A hash table with open addressing and linear probing; its capacity is a power of two.
///
/// The user of the table writes the loop of a lookup, because only the user knows what makes two
/// keys equal:
///
///     var index = table.home(fingerprint)
///     while !table[index].isEmpty {
///         if table[index].fingerprint == fingerprint && … { return index }
///         index = table.next(index)
///     }
///
/// Removal closes the gap by moving later slots, so there are no tombstones: however many entries
/// have been removed, the table is as fast as a new one. At most 5/8 of the slots are used; below
/// 1/8 the table shrinks. An index is valid until the next insertion or removal.
///
/// A copy of the table stays as it is (`PagedArray`).
struct ProbeTable<Slot: ProbeSlot>: Sendable {
    private static var minimumCapacity: Int { 8 }

    private var slots = PagedArray<Slot>(repeating: .empty, count: minimumCapacity)
    private(set) var count = 0

    /// The capacity less one.
    @inline(__always)
    var mask: Int { slots.count - 1 }
    /// Bytes allocated, used or not.
    var byteCount: Int { slots.byteCount }

    init() {}

    subscript(index: Int) -> Slot {
        @inline(__always) unsafeAddress { unsafe slots.address(index) }
    }

    /// The index of the slot where the lookup of a fingerprint starts.
    @inline(__always)
    func home(_ fingerprint: UInt32) -> Int { Int(truncatingIfNeeded: fingerprint) & mask }

    /// The index of the slot after another one; after the last comes the first.
    @inline(__always)
    func next(_ index: Int) -> Int { (index &+ 1) & mask }

    /// The number of slots that a lookup inspects for an absent key with this fingerprint.
    func stepCount(_ fingerprint: UInt32) -> Int {
        var index = home(fingerprint)
        var count = 1
        while !self[index].isEmpty {
            index = next(index)
            count += 1
        }
        return count
    }

    /// Adds a slot whose key is not in the table, and returns its index.
    @discardableResult
    mutating func insert(_ slot: Slot) -> Int {
        precondition(!slot.isEmpty, "an empty slot cannot be found again")
        if (count + 1) * 8 > (mask + 1) * 5 { resize(to: (mask + 1) * 2) }
        count += 1
        return place(slot)
    }

    /// Removes the slot at `index`.
    mutating func remove(at index: Int) {
        precondition(!self[index].isEmpty, "slot \(index) is empty already")
        closeHole(index)
        count -= 1
        if mask + 1 > Self.minimumCapacity && count * 8 < mask + 1 { resize(to: (mask + 1) / 2) }
    }

    /// Puts a slot into the first empty one from its home on.
    private mutating func place(_ slot: Slot) -> Int {
        assert(count <= mask, "a full table has no end of a search")
        var index = home(slot.fingerprint)
        while !self[index].isEmpty { index = next(index) }
        slots[index] = slot
        return index
    }

    /// Empties a slot. Each later slot that a lookup could not reach past the hole is moved into
    /// it.
    private mutating func closeHole(_ start: Int) {
        assert(count <= mask, "a full table has no end of a run")
        var hole = start
        var index = next(start)
        while !self[index].isEmpty {
            let distanceFromHome = (index - home(self[index].fingerprint)) & mask
            if distanceFromHome >= (index - hole) & mask {
                slots[hole] = self[index]
                hole = index
            }
            index = next(index)
        }
        slots[hole] = .empty
    }

    /// Moves all slots to new memory of this capacity.
    @inline(never)
    private mutating func resize(to capacity: Int) {
        assert(capacity & (capacity - 1) == 0 && capacity > count, "\(count) slots of \(capacity)")
        let old = slots
        slots = PagedArray(repeating: .empty, count: capacity)
        for index in 0..<old.count where !old[index].isEmpty { _ = place(old[index]) }
    }
}

extension ProbeTable {
    /// Asserts that every slot is found from its home, and that the table has the size that its
    /// count demands.
    func checkInvariants() {
        let capacity = mask + 1
        assert(capacity & mask == 0, "the capacity \(capacity) is no power of two")
        assert(count * 8 <= capacity * 5, "\(count) of \(capacity) slots are used: too many")
        var used = 0
        for index in 0..<capacity where !self[index].isEmpty {
            used += 1
            var position = home(self[index].fingerprint)
            while position != index {
                assert(!self[position].isEmpty, "slot \(index) cannot be reached from its home")
                position = next(position)
            }
        }
        assert(used == count, "\(used) slots are used, but \(count) are counted")
    }
}
