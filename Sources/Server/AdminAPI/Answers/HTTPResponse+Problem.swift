internal import Basics
internal import HTTPMessages
internal import HTTPServing

/// Admin answers as HTTP responses: JSON, or problem details (RFC 9457).
extension HTTPResponse {
    /// Makes problem details of the type `about:blank`, with a `code`.
    init(_ problem: AdminProblem) {
        self.init(
            status: problem.status,
            type: "application/problem+json",
            json: JSONWriter.object(problem)
        )
        switch problem.status {
        case 401: headers.append(("WWW-Authenticate", "Bearer realm=\"reload-router\""))
        case 409 where problem.code == AdminProblem.keyInUse: headers.append(("Retry-After", "1"))
        case 415 where problem.code == AdminProblem.contentEncoding:
            headers.append(("Accept-Encoding", "identity"))
        case 429, 503: headers.append(("Retry-After", "1"))
        default: break
        }
    }

    /// Writes an answer's body, so call it on the HTTP server's thread.
    init(_ answer: AdminAnswer) {
        switch answer {
        case .problem(let problem, _): self.init(problem)
        case .body(let status, let body, _):
            self.init(status: status, json: body.json)
            if body.isRepeated { headers.append(("Idempotent-Replayed", "true")) }
        }
    }

    /// Makes a response with a JSON body.
    init(status: UInt32 = 200, json: [UInt8]) {
        self.init(status: status, type: "application/json", json: json)
    }

    private init(status: UInt32, type: String, json: [UInt8]) {
        self.init(
            status: status,
            headers: [("Content-Type", type), ("Cache-Control", "no-store")],
            body: json + [0x0a]
        )
    }
}

extension AdminProblem {
    /// That of all problems, which differ by their codes.
    var type: String { "about:blank" }

    /// The status as HTTP names it.
    var title: String {
        let title = "\(AnswerWriter.reason(status))"
        assert(
            status == 500 || title != "\(AnswerWriter.reason(500))",
            "the status \(status) has no title"
        )
        return title
    }
}

/// A response whose status is known and whose body is made when it is sent, on the HTTP server's
/// thread; so the loop only copies values.
struct DeferredResponse: Sendable {
    let status: UInt32
    /// The code of a problem, and what a command has changed: for the audit log.
    let problem: String?
    let change: AuditedChange?
    /// Makes the response.
    let make: @Sendable () -> HTTPResponse

    init(_ response: HTTPResponse) {
        status = response.status
        problem = nil
        change = nil
        make = { response }
    }

    init(_ answer: AdminAnswer) {
        status = answer.status
        problem = answer.problemCode
        change = answer.change
        make = { HTTPResponse(answer) }
    }
}
