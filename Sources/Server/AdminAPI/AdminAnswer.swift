package import StrictJSON

/// What became of an `AdminRequest`.
package enum AdminAnswer: Sendable {
    /// It is done; the body is written on the thread of who has asked.
    case body(status: UInt32 = 200, any AdminBody)
    case problem(AdminProblem)

    /// Of HTTP.
    var status: UInt32 {
        switch self {
        case .body(let status, _): status
        case .problem(let problem): problem.status
        }
    }
}

/// The body of an answer: values that the loop has copied.
package protocol AdminBody: Sendable {
    /// Writes one JSON value.
    func write(to writer: inout JSONWriter)
}

/// Why a request was refused.
package struct AdminProblem: Error, Equatable, Sendable {
    /// Of HTTP: 400 and beyond.
    package var status: UInt32
    /// Stable: see protocol/admin.md.
    package var code: String
    /// What was wrong, and where.
    package var detail: String

    package init(_ status: UInt32, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }
}

/// Where requests are taken to the loop.
package protocol AdminPort: Sendable {
    /// Hands a request over, from any thread.
    ///
    /// - Parameters:
    ///   - request: to be carried out.
    ///   - answer: is called once, on any thread, soon and without waiting: at once with `busy`,
    ///     `loading`, `silent` or `draining` if the loop does not take it.
    func submit(_ request: AdminRequest, answer: @escaping @Sendable (AdminAnswer) -> Void)
}
