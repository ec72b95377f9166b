/// What wildcards have been found to say of long texts of the batch, so that many widgets with the
/// same wildcard cost little more than one.
///
/// A cache: an answer is overwritten when another wildcard falls into its place. Values and fields go
/// by their numbers, which are good for one batch and until its fields are moved.
@safe
struct TextAnswers: ~Copyable {
    private struct Entry: BitwiseCopyable {
        var operand: ValueID = 0
        var field: UInt32 = 0
        /// Empty unless it is the table's.
        var round: UInt32 = 0
        var holds = false
    }

    /// Shorter texts are compared again: that is as quick as to look here.
    static var leastLength: Int { 64 }
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

    /// Bytes held from the system.
    var byteCount: Int { Self.count * MemoryLayout<Entry>.stride }

    /// Forgets everything.
    mutating func removeAll() {
        round &+= 1
        if round > 0 { return }
        unsafe entries.update(repeating: Entry(), count: Self.count)
        round = 1
    }

    /// Whether a wildcard holds for the text of a field; nil if that is not known.
    func find(_ operand: ValueID, _ field: Int) -> Bool? {
        let entry = unsafe entries[place(operand, field)]
        if entry.round != round || entry.operand != operand || entry.field != UInt32(field) {
            return nil
        }
        return entry.holds
    }

    mutating func keep(_ holds: Bool, of operand: ValueID, _ field: Int) {
        let entry = Entry(operand: operand, field: UInt32(field), round: round, holds: holds)
        unsafe entries[place(operand, field)] = entry
    }

    private func place(_ operand: ValueID, _ field: Int) -> Int {
        (Int(operand) &+ field &* 61) & (Self.count - 1)
    }
}
