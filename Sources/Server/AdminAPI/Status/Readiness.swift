internal import Basics
internal import HTTPServing
internal import StoreFormat

/// Whether the router is ready for connections and pushes, and if not, why: the answer of
/// `/readyz`.
package struct Readiness: Equatable, Sendable {
    /// Why the router is not ready, one sentence for each reason; empty if it is ready.
    package let reasons: [String]

    /// True if the router is ready: there is no reason against it.
    package var isReady: Bool { reasons.isEmpty }

    /// What strangers learn: a word, and of a stuck loop that it is stuck, because the
    /// probe that ends such a router (`reload-router health`) has no token.
    package let publicLine: String

    /// Judges the answer to a question for the router's status.
    package init(_ answer: StatusAnswer) {
        switch answer {
        case .loading: reasons = ["loading the store"]
        case .silent(let time): reasons = ["the loop has not answered for \(time.wholeSeconds) s"]
        case .status(let status): reasons = Self.reasons(status)
        }
        if case .silent = answer {
            publicLine = "not ready: the loop has not answered"
        } else {
            publicLine = reasons.isEmpty ? "ready" : "not ready"
        }
    }

    private static func reasons(_ status: RouterStatus) -> [String] {
        var reasons: [String] = []
        if status.isDraining { reasons.append("draining: no new connections are accepted") }
        if let failure = status.store?.failure {
            let time = (status.time - failure.since).wholeSeconds
            reasons.append(
                "the store fails (\(failure.code.rawValue)), for \(time) s now: "
                    + "nothing is acknowledged until it works again"
            )
        }
        if status.areInputsPaused {
            let store = status.store ?? StoreStatus()
            reasons.append(
                "no connection is read: \(store.waitingJournalByteCount) bytes of journal wait for "
                    + "the store, and \(store.uncommittedByteCount) bytes of answers for the journal"
            )
        }
        return reasons
    }
}

extension StatusAnswer {
    /// Why there is no status; nil if there is one.
    var problem: AdminProblem? {
        let reasons = Readiness(self).reasons.joined(separator: "; ")
        switch self {
        case .status: return nil
        case .loading: return AdminProblem(503, code: "loading", detail: reasons)
        case .silent: return AdminProblem(503, code: "silent", detail: reasons)
        }
    }

    /// The response to `GET /v1/status`.
    var response: HTTPResponse {
        if case .status(let status) = self { return HTTPResponse(json: status.json) }
        return HTTPResponse(problem ?? .draining)
    }

    /// An event with the body of `response`, named `status` or `problem`.
    var event: HTTPEvent {
        HTTPEvent(
            name: problem == nil ? "status" : "problem",
            data: String(decoding: response.body.dropLast(), as: UTF8.self)
        )
    }
}
