internal import Basics

/// The outcome of pushes over HTTP, in which every accepted push is durable.
package struct PushesBody: AdminBody {
    /// A push that was rejected.
    package struct Rejection: Equatable, Sendable {
        /// Its line in the request, counted from 1.
        package var line: Int
        /// A stable code, such as `payload-not-json`.
        package var code: String
        /// What was wrong with the push, for people.
        package var detail: String

        /// Makes a rejection of the push on a line.
        package init(line: Int, code: String, detail: String) {
            assert(line >= 1, "lines are counted from 1")
            self.line = line
            self.code = code
            self.detail = detail
        }
    }

    /// Number of accepted pushes.
    let accepted: Int
    /// Number of widgets that they matched.
    let matched: UInt64
    /// Sequence number of the producer's last accepted push.
    let lastSeq: UInt64
    /// Those that were refused.
    let refused: RefusedLines
    /// What became of the accepted pushes.
    let outcome: PushesOutcome
    /// How many of the accepted pushes had expired when they came, so that they matched nothing.
    package var expired = 0
    /// Kinds to which the pushes were narrowed, and which the app does not declare; not all, if
    /// there are many.
    package var unknownKinds: [String] = []
    /// Whether this is the answer to an earlier request with the same key.
    package var isRepeated = false
    /// The path of the history of the first accepted push, the others of which follow by their
    /// numbers; nil if that is not known any more.
    package var location: String?
    /// Whether the answer to a publisher says what became of the pushes.
    package var showsOutcome = false

    /// Makes an outcome from its counts, the refused lines, and what became of the others.
    package init(
        accepted: Int,
        matched: UInt64,
        lastSeq: UInt64,
        refused: RefusedLines = RefusedLines(),
        outcome: PushesOutcome
    ) {
        assert(accepted >= 0, "more lines were refused than there were")
        self.outcome = outcome
        self.accepted = accepted
        self.matched = matched
        self.lastSeq = lastSeq
        self.refused = refused
    }

    /// The refusal of the request if all its pushes were refused; nil otherwise.
    var wholeRefusal: AdminProblem? {
        guard accepted == 0, let first = refused.named.first else { return nil }
        if refused.count == 1 { return AdminProblem(422, code: first.code, detail: first.detail) }
        var problem = AdminProblem(
            422,
            code: first.code,
            detail: "all \(refused.count) pushes are refused; line \(first.line): \(first.detail)"
        )
        problem.refused = refused
        return problem
    }

    /// The same for an operator, who learns of the lines and of the last number, too.
    fileprivate var operatorRefusal: AdminProblem? {
        var problem = wholeRefusal
        problem?.refused = refused
        problem?.lastSeq = lastSeq
        return problem
    }
}

extension AdminAnswer {
    /// What became of an operator's pushes: a refusal if all of them were refused.
    package init(_ pushes: PushesBody) {
        self = pushes.operatorRefusal.map { .problem($0) } ?? .body(pushes)
    }
}

extension RefusedLines {
    /// Writes the members `rejected` and, if it does not name all, `moreRejected`.
    func writeMembers(to json: inout JSONWriter) {
        json.list("rejected", of: named)
        if let moreCount { json.member("moreRejected", value: moreCount) }
    }
}
