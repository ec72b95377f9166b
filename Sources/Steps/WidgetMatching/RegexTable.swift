internal import ByteStorage
internal import EventPatterns
internal import ReloadModel

/// The regular expressions of rules and widgets, each compiled once.
@safe
struct RegexTable: ~Copyable {
    private struct Entry {
        var references: Int
        /// None if the text is no regular expression: then nothing matches it.
        var expression: RegularExpression?
    }

    private var entries: [ValueID: Entry] = [:]
    /// Apart, so that a match needs no exclusive access to the matcher.
    private let scratch: UnsafeMutablePointer<RegexScratch>

    /// Bytes held from the system, as far as they are known.
    var byteCount: Int {
        entries.values.reduce(0) { $0 + 64 + ($1.expression?.byteCount ?? 0) }
    }

    init() {
        unsafe scratch = .allocate(capacity: 1)
        unsafe scratch.initialize(to: RegexScratch())
    }

    deinit {
        unsafe scratch.deinitialize(count: 1)
        unsafe scratch.deallocate()
    }

    /// Compiles the expression, or counts one reference more to it.
    mutating func acquire(_ value: ValueID, _ values: borrowing ValueTable) {
        if values.tag(of: value) != .string { return }
        if entries[value] != nil {
            entries[value]!.references += 1
            return
        }
        let expression = try? RegularExpression(values.bytes(of: value))
        entries[value] = Entry(references: 1, expression: expression)
    }

    /// Takes a reference back.
    mutating func release(_ value: ValueID, _ values: borrowing ValueTable) {
        if values.tag(of: value) != .string { return }
        entries[value]!.references -= 1
        if entries[value]!.references == 0 { entries[value] = nil }
    }

    /// Whether the expression matches; nil if the meter was spent before that was known.
    ///
    /// Then the next call must be the same, or `abandon` come before it.
    func matches(_ value: ValueID, _ text: ByteView, _ meter: borrowing ConditionMeter) -> Bool? {
        meter.charge(WorkCost.condition)
        guard let expression = entries[value]?.expression else { return false }
        var work = meter.left
        let answer = unsafe expression.matches(text, &scratch.pointee, work: &work)
        meter.charge(meter.left &- work)
        return answer
    }

    /// Forgets a match that was interrupted.
    func abandon() { unsafe scratch.pointee.abandon() }

    /// What every text begins with that the expression matches; nil if nothing matches it.
    func literalPrefix(_ value: ValueID) -> [UInt8]? {
        entries[value]?.expression?.literalPrefix
    }
}
