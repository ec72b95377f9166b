internal import HTTPServing

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
