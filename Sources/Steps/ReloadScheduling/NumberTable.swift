internal import Basics

/// A small hash table from 32-bit keys to 32-bit numbers; the same key may be stored with several
/// numbers.
///
///     open addressing, a power of two of [ key: 32 bits | number + 1: 32 bits ]    0 = empty slot
///
/// It starts at 128 bytes, where `HashIndex` starts at 32 KB, because thousands of apps may have an
/// origin each; the price is that growing moves all entries at once. Removal shifts later entries
/// back (Knuth 6.4, R). Devices choose the keys, so their positions depend on a secret hash key.
@safe
struct NumberTable: ~Copyable {
    /// The number of slots of an empty table.
    static var firstCapacity: Int { 16 }

    private(set) var slots: UnsafeMutablePointer<UInt64>
    /// The number of slots less one.
    private(set) var mask: Int
    /// How many numbers are stored.
    private(set) var count = 0
    private let hashKey: HashKey

    /// Bytes allocated from the system.
    var byteCount: Int { (mask + 1) * MemoryLayout<UInt64>.stride }

    /// Colliding keys cannot be chosen without knowing the hash key, a secret. The table has
    /// capacity for `count` numbers before it must grow.
    init(hashKey: HashKey, roomFor count: Int = 0) {
        self.hashKey = hashKey
        var capacity = Self.firstCapacity
        while count * 4 > capacity * 3 { capacity *= 2 }
        unsafe slots = Self.emptySlots(capacity)
        mask = capacity - 1
    }

    deinit { unsafe slots.deallocate() }

    /// The number stored under this key for which `isWanted` holds; nil if there is none.
    @inline(__always)
    func find<Number: TableNumber>(
        _ key: UInt32,
        where isWanted: (Number) -> Bool
    ) -> Number? where Number.RawValue == UInt32 {
        var position = home(key)
        while true {
            let slot = unsafe slots[position]
            if slot == 0 { return nil }
            if UInt32(truncatingIfNeeded: slot >> 32) == key {
                let number = Number(rawValue: UInt32(truncatingIfNeeded: slot) &- 1)
                if isWanted(number) { return number }
            }
            position = (position + 1) & mask
        }
    }

    /// Stores a number, which must be below `UInt32.max`, under a key.
    mutating func insert<Number: TableNumber>(
        _ key: UInt32,
        number: Number
    ) where Number.RawValue == UInt32 {
        assert(number.rawValue != .max, "this number stands for an empty slot")
        if (count + 1) * 4 > (mask + 1) * 3 { resize(to: (mask + 1) * 2) }
        place(Self.slot(key, number: number.rawValue))
        count += 1
    }

    /// Removes a number from under this key; traps if it is not there.
    mutating func remove<Number: TableNumber>(
        _ key: UInt32,
        number: Number
    ) where Number.RawValue == UInt32 {
        let wanted = Self.slot(key, number: number.rawValue)
        var hole = home(key)
        while unsafe slots[hole] != wanted {
            unsafe precondition(slots[hole] != 0, "removes a number that is not in the table")
            hole = (hole + 1) & mask
        }
        var next = (hole + 1) & mask
        while unsafe slots[next] != 0 {
            let home = unsafe home(UInt32(truncatingIfNeeded: slots[next] >> 32))
            // An entry moves back into the hole only if the hole is not before the entry's home.
            if (next - home) & mask >= (next - hole) & mask {
                unsafe slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        unsafe slots[hole] = 0
        count -= 1
        if mask >= Self.firstCapacity && count * 8 < mask { resize(to: (mask + 1) / 2) }
    }

    /// The position at which the search for a key starts.
    @inline(__always)
    func home(_ key: UInt32) -> Int { Int(truncatingIfNeeded: hashKey.hash(UInt64(key))) & mask }

    /// The content of a slot: a key, and a number plus one.
    private static func slot(_ key: UInt32, number: UInt32) -> UInt64 {
        UInt64(key) << 32 | UInt64(number + 1)
    }

    /// Allocates this many slots, all of them empty.
    private static func emptySlots(_ capacity: Int) -> UnsafeMutablePointer<UInt64> {
        let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        unsafe slots.initialize(repeating: 0, count: capacity)
        return unsafe slots
    }

    /// Writes a slot into the first empty position from its key's home on.
    private mutating func place(_ slot: UInt64) {
        assert(count < mask, "the table has no empty slot left")
        var position = home(UInt32(truncatingIfNeeded: slot >> 32))
        while unsafe slots[position] != 0 { position = (position + 1) & mask }
        unsafe slots[position] = slot
    }

    /// Moves all slots to new memory of this capacity.
    private mutating func resize(to capacity: Int) {
        assert(capacity & (capacity - 1) == 0 && count * 4 <= capacity * 3)
        let (old, oldMask) = unsafe (slots, mask)
        unsafe slots = Self.emptySlots(capacity)
        mask = capacity - 1
        for position in 0...oldMask {
            let slot = unsafe old[position]
            if slot != 0 { place(slot) }
        }
        unsafe old.deallocate()
    }
}

extension NumberTable {
    /// Checks that a lookup reaches each number: there is no empty slot between its key's home and
    /// its own slot; and that `count` is right.
    func checkInvariants() throws(InvariantViolation) {
        var used = 0
        for position in 0...mask {
            let slot = unsafe slots[position]
            if slot == 0 { continue }
            used += 1
            let key = UInt32(truncatingIfNeeded: slot >> 32)
            var before = home(key)
            while before != position {
                try checkInvariant(
                    unsafe slots[before] != 0,
                    otherwise: "key \(key) is not found: slot \(before) before it is empty"
                )
                before = (before + 1) & mask
            }
        }
        try checkInvariant(
            used == count && used * 4 <= (mask + 1) * 3,
            otherwise: "\(count) numbers are counted, and \(used) of \(mask + 1) slots are used"
        )
    }
}
