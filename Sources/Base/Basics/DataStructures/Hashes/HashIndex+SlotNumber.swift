/// Tables of numbers that are identifiers.
extension HashIndex {
    /// The first identifier stored under this hash for which `isWanted` returns true; nil if there
    /// is none.
    @inlinable @inline(__always)
    package func find<ID: SlotNumber>(_ hash: UInt64, where isWanted: (ID) -> Bool) -> ID? {
        find(hash) { (number: UInt32) in isWanted(ID(rawValue: number)) }.map(ID.init(rawValue:))
    }

    /// Stores an identifier; its key must not be in the table.
    @inlinable @inline(__always)
    package mutating func insert(_ hash: UInt64, number: some SlotNumber) {
        insert(hash, number: number.rawValue)
    }

    /// Removes an identifier, which must be stored under this hash.
    @inlinable @inline(__always)
    package mutating func remove(_ hash: UInt64, number: some SlotNumber) {
        remove(hash, number: number.rawValue)
    }
}
