internal import Basics

/// A cache of whether regular expressions match texts of the batch, and wildcards long ones, so
/// that many widgets with the same one cost little more than one.
///
/// An answer is overwritten when another one has the same slot. Operands and fields are identified
/// by their numbers, so the cache must be emptied when the batch is.
@safe
struct TextAnswers: ~Copyable {
    /// Whether a wildcard or regular expression matches a text.
    enum Answer: UInt8, BitwiseCopyable {
        case fails
        case holds
        /// To know it costs more than a widget's expression may; a rule's is evaluated all the
        /// same.
        case unknown
    }

    /// An answer for the text of a field.
    private struct Entry: BitwiseCopyable {
        /// The wildcard or expression.
        var operand = ValueID.none
        /// Index of the field in the batch.
        var field: UInt32 = 0
        /// The entry is empty unless this is the cache's current round.
        var round: UInt32 = 0
        var answer = Answer.fails
    }

    /// The shortest text for which the answers of wildcards are cached, in bytes; for shorter ones
    /// a match is as fast as a lookup.
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

    deinit { unsafe entries.deallocate() }

    /// Bytes allocated.
    var byteCount: Int { Self.count * MemoryLayout<Entry>.stride }

    /// Empties the cache.
    mutating func removeAll() {
        round &+= 1
        if round > 0 { return }
        unsafe entries.update(repeating: Entry(), count: Self.count)
        round = 1
    }

    /// Whether a wildcard or expression matches the text of a field; nil if that is not cached.
    @inline(__always)
    func find(_ operand: ValueID, for field: Int) -> Answer? {
        let entry = unsafe entries[slot(of: operand, for: field)]
        if entry.round != round || entry.operand != operand || entry.field != UInt32(field) {
            return nil
        }
        return entry.answer
    }

    /// Caches whether a wildcard or expression matches the text of a field.
    mutating func keep(_ answer: Answer, of operand: ValueID, for field: Int) {
        let entry = Entry(operand: operand, field: UInt32(field), round: round, answer: answer)
        unsafe entries[slot(of: operand, for: field)] = entry
    }

    /// The slot of an answer.
    private func slot(of operand: ValueID, for field: Int) -> Int {
        assert(operand != .none && field >= 0, "an answer for field \(field)")
        return (Int(operand.rawValue) &+ field &* 61) & (Self.count - 1)
    }
}
