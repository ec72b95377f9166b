internal import Basics
internal import EventPatterns

/// The regular expressions in rules and parameters, each compiled once with a count of references.
struct RegexTable: ~Copyable {
    /// A compiled expression, and how often rules and widgets use it.
    struct Entry {
        var references: Int
        /// Nil if the text is not a valid expression: then nothing matches it.
        var expression: RegularExpression?
    }

    /// By the expression's text.
    var entries: [ValueID: Entry] = [:]

    /// Bytes allocated, as an estimate.
    var byteCount: Int {
        entries.values.reduce(0) { $0 + 64 + ($1.expression?.byteCount ?? 0) }
    }

    init() {}

    /// Adds a reference to the expression in a value; compiles it if it is new. Ignores values that
    /// are not strings.
    mutating func acquire(_ value: ValueID, in values: borrowing ValueTable) {
        if values.tag(of: value) != .string { return }
        if entries[value] != nil {
            entries[value]!.references += 1
            return
        }
        let expression = try? RegularExpression(values.bytes(of: value))
        entries[value] = Entry(references: 1, expression: expression)
    }

    /// Releases a reference; the last one removes the expression. Ignores values that are not
    /// strings.
    mutating func release(_ value: ValueID, in values: borrowing ValueTable) {
        assert(values.tag(of: value) != .string || entries[value] != nil, "no such expression")
        if values.tag(of: value) != .string { return }
        entries[value]!.references -= 1
        if entries[value]!.references == 0 { entries[value] = nil }
    }

    /// Whether the expression matches the whole text; nil if the work ran out before that was
    /// known: what the meter allows now, or `work` for this text in all.
    ///
    /// After nil, the next call with this scratch must be for the same expression and text, unless
    /// the scratch is abandoned first.
    func matches(
        _ value: ValueID,
        text: ByteView,
        scratch: inout RegexScratch,
        meter: inout ConditionMeter,
        work: inout Int
    ) -> Bool? {
        meter.charge(WorkCost.condition)
        guard let expression = entries[value]?.expression else { return false }
        let allowed = min(meter.left, work)
        var left = allowed
        let answer = expression.matches(text, using: &scratch, work: &left)
        meter.charge(allowed &- left)
        work &-= allowed &- left
        return answer
    }

    /// The bytes with which every match begins; nil if the expression is invalid, so that nothing
    /// matches.
    func literalPrefix(_ value: ValueID) -> [UInt8]? { entries[value]?.expression?.literalPrefix }
}

extension RegexTable {
    /// Asserts that the table has exactly the expressions that rules and widgets use.
    func checkInvariants(references: [ValueID: Int], in values: borrowing ValueTable) {
        for (value, entry) in entries {
            assert(values.tag(of: value) == .string, "expression \(value) is not a string")
            assert(entry.references == references[value], "references of expression \(value)")
        }
        assert(entries.count == references.count, "an expression that is used is not compiled")
    }
}
