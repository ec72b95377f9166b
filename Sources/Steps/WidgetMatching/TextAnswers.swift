/// A cache of whether wildcards match long texts of the batch, so that many widgets with the same
/// wildcard cost little more than one.
///
/// An answer is overwritten when another one has the same slot. Values and fields are identified by
/// their numbers, which are valid for one batch and until its fields are moved.
@safe
struct TextAnswers: ~Copyable {
    private struct Entry: BitwiseCopyable {
        var operand: ValueID = 0
        var field: UInt32 = 0
        /// The entry is empty unless this is the cache's current round.
        var round: UInt32 = 0
        var holds = false
    }

    /// Shortest text whose answers are cached, in bytes; for shorter ones a match is as fast as a
    /// lookup.
    static var leastLength: Int { 64 }
    /// Number of entries; a power of two.
    private static var count: Int { 256 }

    private let entries: UnsafeMutablePointer<Entry>
    private var round: UInt32 = 1

    init() {
        unsafe entries = .allocate(capacity: Self.count)
        unsafe entries.initialize(repeating: Entry(), count: Self.count)
    }

    deinit {
        unsafe entries.deallocate()
    }

    /// Bytes allocated.
    var byteCount: Int { Self.count * MemoryLayout<Entry>.stride }

    /// Empties the cache.
    mutating func removeAll() {
        round &+= 1
        if round > 0 { return }
        unsafe entries.update(repeating: Entry(), count: Self.count)
        round = 1
    }

    /// Whether a wildcard matches the text of a field; nil if that is not cached.
    func find(_ operand: ValueID, _ field: Int) -> Bool? {
        let entry = unsafe entries[place(operand, field)]
        if entry.round != round || entry.operand != operand || entry.field != UInt32(field) {
            return nil
        }
        return entry.holds
    }

    /// Caches whether a wildcard matches the text of a field.
    mutating func keep(_ holds: Bool, of operand: ValueID, _ field: Int) {
        let entry = Entry(operand: operand, field: UInt32(field), round: round, holds: holds)
        unsafe entries[place(operand, field)] = entry
    }

    private func place(_ operand: ValueID, _ field: Int) -> Int {
        (Int(operand) &+ field &* 61) & (Self.count - 1)
    }
}
