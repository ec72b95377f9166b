/// What the array of a group says of a place: a member's id, whether it may be moved, or nobody.
enum SlotEntry {
    /// Ids are below.
    static var idLimit: UInt32 { 1 << 31 - 4 }
    private static var fixed: UInt32 { 1 << 31 }
    /// Left by a cancelled member.
    static var hole: UInt32 { .max }
    /// Its second had no room, or is closed.
    static var skipped: UInt32 { .max - 1 }
    /// Left by a member that has reloaded.
    static var finished: UInt32 { .max - 2 }
    /// A member that must not be moved and has an id that nobody has: of a ledger that was read, until
    /// it is known who stands here.
    static var unseated: UInt32 { .max - 3 }

    static func member(_ id: UInt32, isFixed: Bool) -> UInt32 {
        precondition(id < idLimit, "a ledger's ids are below 2^31 - 4")
        return isFixed ? id | fixed : id
    }

    static func id(_ entry: UInt32) -> UInt32 { entry & ~fixed }
    static func isMember(_ entry: UInt32) -> Bool { entry < finished }
    static func isMovable(_ entry: UInt32) -> Bool { entry < fixed }
    /// Whether the place can go when it is the array's last.
    static func isFree(_ entry: UInt32) -> Bool { entry > finished }

    /// Two bits that say what is stored of a place: 0 a member, 1 finished, 2 skipped, 3 a hole.
    @inline(__always)
    static func kind(_ entry: UInt32) -> UInt32 { max(entry, unseated) &- unseated }
    /// What a place of this kind is that nobody has taken yet.
    @inline(__always)
    static func entry(ofKind kind: UInt32) -> UInt32 { unseated &+ kind }
}
