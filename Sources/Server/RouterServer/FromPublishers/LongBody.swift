internal import AdminAPI
internal import HTTPServing

/// A body of pushes that would take the loop too long, on its way to the thread that reads it.
struct LongBody: Sendable {
    let request: HTTPConnection.RequestID
    let terms: PushTerms
    let body: BodyPieces
}

/// The pushes of such a body, or why its request is refused.
struct ReadBody: Sendable {
    let request: HTTPConnection.RequestID
    let pushes: Result<PushRequest, AdminProblem>

    /// Reads a body.
    init(_ long: LongBody) {
        request = long.request
        do throws(AdminProblem) {
            pushes = .success(try long.terms.request(long.body.joined))
        } catch {
            pushes = .failure(error)
        }
    }
}
