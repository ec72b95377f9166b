internal import DataStructures

/// A cache of whether wildcards match long texts of the batch, so that many widgets with the same
/// wildcard cost little more than one.
///
/// An answer is overwritten when another one has the same slot. Wildcards and fields are identified
/// by their numbers, so the cache must be emptied when the batch is.
@safe
struct TextAnswers: ~Copyable {
    /// An answer: whether a wildcard matches the text of a field.
    private struct Entry: BitwiseCopyable {
        /// The wildcard.
        var operand = ValueID.none
        /// Index of the field in the batch.
        var field: UInt32 = 0
        /// The entry is empty unless this is the cache's current round.
        var round: UInt32 = 0
        /// Whether the wildcard matches the field's text.
        var holds = false
    }

    /// The shortest text whose answers are cached, in bytes; for shorter ones a match is as fast as
    /// a lookup.
    static var leastLength: Int { 64 }
    /// Number of entries; a power of two.
    private static var count: Int { 256 }

    /// The address of the first entry.
    private let entries: UnsafeMutablePointer<Entry>
    /// Rises each time the cache is emptied: entries of earlier rounds are empty.
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
    func find(_ operand: ValueID, for field: Int) -> Bool? {
        let entry = unsafe entries[slot(of: operand, for: field)]
        if entry.round != round || entry.operand != operand || entry.field != UInt32(field) {
            return nil
        }
        return entry.holds
    }

    /// Caches whether a wildcard matches the text of a field.
    mutating func keep(_ holds: Bool, of operand: ValueID, for field: Int) {
        let entry = Entry(operand: operand, field: UInt32(field), round: round, holds: holds)
        unsafe entries[slot(of: operand, for: field)] = entry
    }

    /// The slot of an answer.
    private func slot(of operand: ValueID, for field: Int) -> Int {
        assert(operand != .none && field >= 0, "an answer for field \(field)")
        return (Int(operand.rawValue) &+ field &* 61) & (Self.count - 1)
    }
}
