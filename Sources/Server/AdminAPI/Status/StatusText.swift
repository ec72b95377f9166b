internal import Basics
internal import HTTPServing

/// The router's status as the body of an HTTP response, or as an event; a problem if there is none.
struct StatusText {
    private let response: HTTPResponse
    private let isStatus: Bool

    init(_ answer: StatusAnswer) {
        switch answer {
        case .status(let status):
            response = HTTPResponse(json: status.json)
            isStatus = true
        case .loading, .silent:
            response = HTTPResponse(Self.problem(answer))
            isStatus = false
        }
    }

    /// The response to `GET /v1/status`.
    var answer: HTTPResponse { response }

    /// An event with the body of `answer`, named `status` or `problem`.
    var event: HTTPEvent {
        HTTPEvent(
            name: isStatus ? "status" : "problem",
            data: String(decoding: response.body.dropLast(), as: UTF8.self)
        )
    }

    /// The problem that says why there is no status; for `loading` and `silent`.
    static func problem(_ answer: StatusAnswer) -> AdminProblem {
        let reasons = Readiness(answer).reasons.joined(separator: "; ")
        assert(!reasons.isEmpty, "there is a status")
        return AdminProblem(503, code: answer == .loading ? "loading" : "silent", detail: reasons)
    }
}
