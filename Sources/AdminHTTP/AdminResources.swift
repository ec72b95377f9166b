package import HTTPServing

/// What the admin server has, and how it answers a request.
package struct AdminResources: HTTPHandler {
    private static var methods: String { "GET, HEAD" }

    private let board: StatusBoard

    package init(_ board: StatusBoard) {
        self.board = board
    }

    package func respond(to request: HTTPRequest, with responder: HTTPResponder) {
        responder.send(answer(request.method, request.path))
    }

    /// Answers a request; whoever sends it leaves the body of an answer to HEAD away.
    ///
    /// - Parameters:
    ///   - method: GET, HEAD or any other.
    ///   - path: without the query.
    /// - Returns: a response with a body in any case.
    package func answer(_ method: String, _ path: String) -> HTTPResponse {
        let resource: () -> HTTPResponse
        switch path {
        case "/healthz": resource = { .text(200, ["ok"]) }
        case "/readyz": resource = readiness
        case "/metrics": resource = metrics
        default:
            return .problem(404, "Not Found", "there are /healthz, /readyz and /metrics")
        }
        if method == "GET" || method == "HEAD" { return resource() }
        return .methodNotAllowed(Self.methods, "this can be read only: \(Self.methods)")
    }

    private func readiness() -> HTTPResponse {
        let readiness = Readiness(board.ask())
        return readiness.isReady ? .text(200, ["ready"]) : .text(503, readiness.reasons)
    }

    private func metrics() -> HTTPResponse {
        let answer = board.ask()
        if case .status(let status) = answer {
            return HTTPResponse(
                status: 200,
                contentType: "text/plain; version=0.0.4; charset=utf-8",
                body: status.metrics
            )
        }
        let reasons = Readiness(answer).reasons.joined(separator: "; ")
        return .problem(503, "Service Unavailable", reasons)
    }
}
