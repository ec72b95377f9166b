extension RegexTable {
    /// Asserts that the table has exactly the expressions that rules and widgets use.
    ///
    /// - Parameters:
    ///   - references: how often each value is used as an expression, if it is a string.
    ///   - values: the table of the values.
    func checkInvariants(references: [ValueID: Int], in values: borrowing ValueTable) {
        for (value, entry) in entries {
            assert(values.tag(of: value) == .string, "expression \(value) is not a string")
            assert(entry.references == references[value], "references of expression \(value)")
        }
        assert(entries.count == references.count, "an expression that is used is not compiled")
    }
}
