internal import StrictJSON

/// The answer to a publisher whose pushes are durable.
struct PublishedBody: AdminBody {
    private let pushes: PushesBody
    /// Whether this is the answer to an earlier request with the same key.
    var isRepeated: Bool { pushes.isRepeated }

    init(_ pushes: PushesBody) {
        self.pushes = pushes
    }

    /// Writes the body as one JSON object.
    func write(to json: inout JSONWriter) {
        let duplicates = pushes.outcome.duplicates
        json.beginObject()
        json.member("accepted", value: max(0, pushes.accepted - duplicates))
        json.member("duplicates", value: duplicates)
        json.member("matched", value: pushes.matched)
        json.list("rejected", of: pushes.rejected) { line, json in
            json.beginObject()
            json.member("line", value: line.line)
            json.member("code", value: line.code)
            json.member("detail", value: line.detail)
            json.endObject()
        }
        json.endObject()
    }
}

extension AdminAnswer {
    /// The answer as a publisher gets it: 202 if its pushes are durable, 422 if its only push was
    /// refused.
    var forPublisher: AdminAnswer {
        if case .problem(var problem, _) = self, problem.code == "app-paused" {
            // Publishers' libraries try again after this status, and not after 409.
            problem.status = 503
            return .problem(problem)
        }
        guard case .body(_, let body, _) = self, let pushes = body as? PushesBody else {
            return self
        }
        if pushes.accepted == 0, pushes.rejected.count == 1, let only = pushes.rejected.first {
            return .problem(AdminProblem(422, code: only.code, detail: only.detail))
        }
        return .body(status: 202, PublishedBody(pushes))
    }
}
