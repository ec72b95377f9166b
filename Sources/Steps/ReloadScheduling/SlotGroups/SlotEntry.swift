/// What one entry of a group's array says: the id of its member and whether the member may be
/// moved, or why the entry has none.
enum SlotEntry {
    /// Member ids are below this.
    static var idLimit: UInt32 { 1 << 31 - 4 }
    /// The bit of a member that must not be moved.
    private static var fixed: UInt32 { 1 << 31 }
    /// A cancelled member left the entry.
    static var hole: UInt32 { .max }
    /// The entry was passed over, because its second was full or is closed to new members.
    static var skipped: UInt32 { .max - 1 }
    /// The entry's member has reloaded; the entry stays used.
    static var finished: UInt32 { .max - 2 }
    /// A member whose id is not known yet and that must not be moved: in a ledger just read from a
    /// store, until `SlotLedger.nameMember` names the member.
    static var unnamed: UInt32 { .max - 3 }

    /// The entry of a member; a fixed one must not be moved.
    static func member(_ id: UInt32, isFixed: Bool) -> UInt32 {
        precondition(id < idLimit, "a ledger's ids are below 2^31 - 4")
        return isFixed ? id | fixed : id
    }

    /// The id of an entry's member.
    static func id(_ entry: UInt32) -> UInt32 {
        assert(isMember(entry), "the entry has no member")
        return entry & ~fixed
    }
    /// Whether the entry has a member.
    static func isMember(_ entry: UInt32) -> Bool { entry < finished }
    /// Whether the entry has a member that may be moved.
    static func isMovable(_ entry: UInt32) -> Bool { entry < fixed }
    /// Whether the entry can be dropped when it is the array's last.
    static func isFree(_ entry: UInt32) -> Bool { entry > finished }

    /// What is stored of an entry, in two bits: 0 a member, 1 finished, 2 skipped, 3 a hole.
    @inline(__always)
    static func kind(_ entry: UInt32) -> UInt32 { max(entry, unnamed) &- unnamed }
    /// The entry for a stored kind; a member is `unnamed` at first.
    @inline(__always)
    static func entry(ofKind kind: UInt32) -> UInt32 {
        assert(kind <= 3, "two bits have no such kind")
        return unnamed &+ kind
    }
}
