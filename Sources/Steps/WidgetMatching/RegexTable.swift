internal import DataStructures
internal import EventPatterns
internal import ReloadModel

/// The regular expressions of rules and widgets, each compiled once.
struct RegexTable: ~Copyable {
    private struct Entry {
        var references: Int
        /// None if the text is no regular expression: then nothing matches it.
        var expression: RegularExpression?
    }

    private var entries: [ValueID: Entry] = [:]

    /// Bytes held from the system, as far as they are known.
    var byteCount: Int {
        entries.values.reduce(0) { $0 + 64 + ($1.expression?.byteCount ?? 0) }
    }

    init() {}

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
    /// Then the next call with the scratch must be the same, or its `abandon` come before it.
    func matches(
        _ value: ValueID,
        _ text: ByteView,
        _ scratch: inout RegexScratch,
        _ meter: inout ConditionMeter
    ) -> Bool? {
        meter.charge(WorkCost.condition)
        guard let expression = entries[value]?.expression else { return false }
        var work = meter.left
        let answer = expression.matches(text, &scratch, work: &work)
        meter.charge(meter.left &- work)
        return answer
    }

    /// What every text begins with that the expression matches; nil if nothing matches it.
    func literalPrefix(_ value: ValueID) -> [UInt8]? {
        entries[value]?.expression?.literalPrefix
    }
}
