internal import HTTPServing
internal import StrictJSON

/// What is told of the router's status over HTTP.
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

    /// The answer to `GET /v1/status`.
    var answer: HTTPResponse { response }

    /// `status` with that answer's body, or `problem`.
    var event: HTTPEvent {
        HTTPEvent(
            name: isStatus ? "status" : "problem",
            data: String(decoding: response.body.dropLast(), as: UTF8.self)
        )
    }

    /// Why there is no status now.
    static func problem(_ answer: StatusAnswer) -> AdminProblem {
        let reasons = Readiness(answer).reasons.joined(separator: "; ")
        return AdminProblem(503, answer == .loading ? "loading" : "silent", reasons)
    }
}
