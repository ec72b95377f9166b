/// A contradiction inside a table: two of its indexes disagree, or a count is not the sum that it
/// stands for.
///
/// Its cause is a bug, or damage to a store that no checksum has detected. The `checkInvariants`
/// functions throw it: simulations, fuzzers and `store check` call them for a whole router, and
/// debug builds do after each recovery. A server never does, because they visit every entry.
package struct InvariantViolation: Error, Equatable, CustomStringConvertible {
    /// The table, such as `HashIndex`; if it is a part of another table, preceded by that table and
    /// the part, as in `DeliveryTable.devices.Slab`.
    package let table: String
    /// What is wrong, with the entry that is wrong.
    package let problem: String

    /// Makes the violation of a table.
    package init(of table: String, problem: String) {
        self.table = table
        self.problem = problem
    }

    /// The whole sentence: the table and the problem.
    package var description: String { "\(table): \(problem)" }
}

/// Throws a violation unless a condition holds, which names the table that is checked (by default
/// that of the file, `TABLE.swift` or `TABLE+Invariants.swift`), and says what is wrong otherwise,
/// with the entry that is wrong.
package func checkInvariant(
    _ holds: Bool,
    of table: StaticString? = nil,
    in file: StaticString = #fileID,
    otherwise problem: @autoclosure () -> String
) throws(InvariantViolation) {
    if holds { return }
    let name = "\(file)".split(separator: "/").last?.prefix { $0 != "+" && $0 != "." } ?? ""
    throw InvariantViolation(of: table?.description ?? String(name), problem: problem())
}

/// Checks a part of a table by its `checkInvariants`; a violation begins with the name of the table
/// and the part, as in `DeliveryTable.devices`.
package func checkPart(
    _ name: StaticString,
    by check: @autoclosure () throws(InvariantViolation) -> Void
) throws(InvariantViolation) {
    do throws(InvariantViolation) {
        try check()
    } catch {
        throw InvariantViolation(of: "\(name).\(error.table)", problem: error.problem)
    }
}

/// Traps with the sentence of the violation if a check of `checkInvariants` throws, in builds that
/// evaluate assertions; others do not call the check.
package func assertInvariants(_ check: () throws(InvariantViolation) -> Void) {
    if !areAssertionsEvaluated { return }
    do throws(InvariantViolation) {
        try check()
    } catch {
        preconditionFailure(error.description)
    }
}

/// Whether this build evaluates assertions, as debug builds and fuzzers do.
package var areAssertionsEvaluated: Bool {
    var isEvaluated = false
    assert(set(&isEvaluated))
    return isEvaluated
}

/// Sets a flag and returns true; as the condition of an assertion, it runs only if assertions are
/// evaluated.
private func set(_ flag: inout Bool) -> Bool {
    flag = true
    return true
}
