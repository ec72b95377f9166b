internal import HTTPServing

/// A response whose status is known and whose body is made when it is sent, on the HTTP server's
/// thread; so the loop only copies values.
struct DeferredResponse: Sendable {
    let status: UInt32
    /// Makes the response.
    let make: @Sendable () -> HTTPResponse

    init(_ response: HTTPResponse) {
        status = response.status
        make = { response }
    }

    init(_ answer: AdminAnswer) {
        status = answer.status
        make = { HTTPResponse(answer) }
    }
}
