/// What the admin server has, and how it answers a request.
package struct AdminResources: Sendable {
    private static var methods: String { "GET, HEAD" }

    private let board: StatusBoard

    package init(_ board: StatusBoard) {
        self.board = board
    }

    static func has(_ method: String) -> Bool { method == "GET" || method == "HEAD" }

    /// Answers a request; whoever sends it leaves the body of an answer to HEAD away.
    ///
    /// - Parameters:
    ///   - method: GET, HEAD or any other.
    ///   - path: without the query.
    /// - Returns: a response with a body in any case.
    package func answer(_ method: String, _ path: String) -> AdminResponse {
        let resource: () -> AdminResponse
        switch path {
        case "/healthz": resource = { .text(200, ["ok"]) }
        case "/readyz": resource = readiness
        case "/metrics": resource = metrics
        default:
            return .problem(404, "Not Found", "there are /healthz, /readyz and /metrics")
        }
        if Self.has(method) { return resource() }
        return .problem(
            405,
            "Method Not Allowed",
            "this can be read only: \(Self.methods)",
            allow: Self.methods
        )
    }

    private func readiness() -> AdminResponse {
        let readiness = Readiness(board.ask())
        return readiness.isReady ? .text(200, ["ready"]) : .text(503, readiness.reasons)
    }

    private func metrics() -> AdminResponse {
        let answer = board.ask()
        if case .status(let status) = answer { return .metrics(status.metrics) }
        let reasons = Readiness(answer).reasons.joined(separator: "; ")
        return .problem(503, "Service Unavailable", reasons)
    }
}
