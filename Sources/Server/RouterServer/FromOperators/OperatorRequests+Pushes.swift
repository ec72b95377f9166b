internal import AdminAPI
internal import RouterCore

/// Requests of operators about pushes: to make them, to list them, and what became of one.
extension OperatorRequests {
    /// Widgets of whose decisions one step of a history reads.
    private static var historyCount: Int { 256 }

    /// Begins a request about pushes; the answer comes later.
    func performOnPushes(_ entry: AdminMailbox.Entry) throws(AdminProblem) -> AdminAnswer? {
        switch entry.request {
        case .push(let request):
            if !publishing.canPush(request) { return begin(.push(request), for: entry) }
            try publishing.push(request, for: .operator(entry))
            return nil
        case .pushes(let request):
            let walk = try refusing(
                try core.router.beginPushes(
                    app: request.app,
                    producer: request.producer,
                    key: request.key,
                    before: request.before,
                    limit: request.limit
                )
            )
            return begin(.pushes(walk), for: entry)
        case .pushHistory(let app, let producer, let seq, let after, let limit):
            let walk = try finding(
                try core.router.beginHistory(
                    app: app,
                    producer: producer,
                    seq: seq,
                    after: after,
                    limit: limit
                )
            )
            return begin(.pushHistory(walk), for: entry)
        default: preconditionFailure("the request is not about pushes")
        }
    }

    /// Performs a step of a history; returns it if it is complete.
    func resume(_ walk: inout HistoryWalk) throws(AdminProblem) -> PushHistory? {
        // A push is passed over in a fraction of the time that a widget takes.
        let count = walk.history == nil ? Self.walkCount : Self.historyCount
        let isWhole = try finding(try core.router.resume(&walk, count: count, now: core.now))
        return isWhole ? walk.history : nil
    }
}

/// What the router says of a push; its refusal becomes an admin problem.
private func finding<Value>(
    _ value: @autoclosure () throws(HistoryWalk.Refusal) -> Value
) throws(AdminProblem) -> Value {
    do throws(HistoryWalk.Refusal) {
        return try value()
    } catch {
        throw AdminProblem(404, code: error.code, detail: error.detail)
    }
}
