package import Basics

/// The outcome of an `AdminRequest`, sent from the loop to the HTTP server's thread.
package enum AdminAnswer: Sendable {
    /// Done. The body's JSON is written later, on the HTTP server's thread.
    ///
    /// `change` is what a command has changed, for the audit log.
    case body(status: UInt32 = 200, any AdminBody, change: AuditedChange? = nil)
    /// Refused or failed; with `change`, what was done all the same.
    case problem(AdminProblem, change: AuditedChange? = nil)

    /// HTTP status.
    var status: UInt32 {
        switch self {
        case .body(let status, _, _): status
        case .problem(let problem, _): problem.status
        }
    }

    /// What a command has changed; nil if nothing.
    package var change: AuditedChange? {
        switch self {
        case .body(_, _, let change), .problem(_, let change): change
        }
    }

    /// The code of a problem; nil if the request was carried out.
    var problemCode: String? {
        if case .problem(let problem, _) = self { problem.code } else { nil }
    }
}

/// The body of an answer: values copied on the loop, which are written as JSON on another thread.
package protocol AdminBody: Sendable {
    /// Writes one JSON value.
    func write(to writer: inout JSONWriter)
    /// Whether an earlier request has had the same answer, of which this is a repetition.
    var isRepeated: Bool { get }
}

extension AdminBody {
    /// False, as of all answers but those to publishers.
    package var isRepeated: Bool { false }

    /// The body as bytes.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

/// A body of one kind: an object, whose members a closure writes from values copied on the loop.
package struct ObjectBody: AdminBody {
    let writeMembers: @Sendable (inout JSONWriter) -> Void

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) { json.object(writeMembers) }
}

extension AdminAnswer {
    /// Done, with an object as the body, whose members are written later and on another thread.
    package static func object(
        status: UInt32 = 200,
        change: AuditedChange? = nil,
        members: @escaping @Sendable (inout JSONWriter) -> Void
    ) -> AdminAnswer {
        .body(status: status, ObjectBody(writeMembers: members), change: change)
    }
}

/// Why a request was refused or has failed; sent as problem details (RFC 9457).
package struct AdminProblem: Error, Equatable, Sendable {
    /// HTTP status, 400 or above.
    package var status: UInt32
    /// The problem's name for programs, which does not change; `protocol/admin.md` lists all codes.
    package var code: String
    /// What was wrong, and where; for people.
    package var detail: String
    /// The pushes that were refused, if all were and there are several.
    package internal(set) var refused: RefusedLines?
    /// The number of the producer's last push before an operator's that were all refused.
    package internal(set) var lastSeq: UInt64?

    /// The code of a request whose body is too long.
    static var bodyTooLarge: String { "body-too-large" }
    /// The code of a request whose body is compressed.
    static var contentEncoding: String { "content-encoding" }
    /// The code of a request whose key another request has that is under way.
    package static var keyInUse: String { "idempotency-key-in-use" }

    /// Makes a problem from its HTTP status, its code and its detail.
    package init(_ status: UInt32, code: String, detail: String) {
        assert((400...599).contains(status), "the status \(status) is that of no problem")
        self.status = status
        self.code = code
        self.detail = detail
    }
}

/// Where admin requests are passed to the loop that owns the router. A server's is an
/// `AdminMailbox`; tests have others.
package protocol AdminPort: Sendable {
    /// Submits a request; may be called on any thread. The operator is the name of who asks; nil if
    /// the admin server asks by itself. `answer` is called exactly once, on any thread, possibly
    /// before `submit` returns: with `busy`, `loading` or `draining` if the request cannot be
    /// queued, later with `busy` or `silent` if the loop does not take it in time. It must not
    /// block, since the loop may call it.
    func submit(
        _ request: AdminRequest,
        from operator: String?,
        answer: @escaping @Sendable (AdminAnswer) -> Void
    )
}
