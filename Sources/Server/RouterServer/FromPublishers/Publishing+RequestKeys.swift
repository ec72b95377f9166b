internal import AdminAPI
internal import Basics
internal import RouterCore

/// Requests over HTTP with keys: what is repeated has no effect again.
extension Publishing {
    /// Sends the first answer again, to `asker`, if a request was answered before; returns false if
    /// some of its lines are still to be accepted.
    ///
    /// - Throws: 422 if its key was that of another request; 409 if that request is under way.
    func repeatAnswer(
        to key: RequestKey,
        of request: PushRequest,
        for asker: Asker
    ) throws(AdminProblem) -> Bool {
        let known = core.router.progress(of: key)
        let underWay = sessions.keys[key.high]
        if (known?.key ?? key) != key || (underWay ?? key) != key { throw Self.otherProblem }
        if underWay != nil || core.router.isFinishing(key) { throw Self.inUseProblem }
        guard let known, known.isAnswered else { return false }
        core.router.countRepeatedRequest()
        let refused = known.refused(of: request, maxBody: core.limits.maxBody)
        var body = PushesBody(
            // Of a repaired store, more lines may be known than the request has.
            accepted: min(known.accepted, request.payloads.count - refused.count),
            matched: known.matched,
            lastSeq: 0,
            refused: refused,
            outcome: PushesOutcome()
        )
        body.isRepeated = true
        answers.send(body, to: asker)
        return true
    }

    /// Begins a session's first job, if it or its pushes have names.
    func begin(_ session: PushSession, now: Instant) {
        guard let job = session.awaitedBegin else { return }
        core.setArrivalTime()
        core.router.namePushes(job.request.names, from: job.firstSeq, on: session.slot)
        let known = job.request.key.flatMap {
            core.router.beginRequest(session.slot, key: $0, firstSeq: job.firstSeq, now: now)
        }
        session.begin(after: known, maxBody: core.limits.maxBody)
        core.scheduleTick()
    }

    private static var otherProblem: AdminProblem {
        AdminProblem(
            422,
            code: "idempotency-key-reused",
            detail: "another request had the same key; a new request needs a new one"
        )
    }

    private static var inUseProblem: AdminProblem {
        AdminProblem(
            409,
            code: AdminProblem.keyInUse,
            detail: "a request with the same key is under way; send again later"
        )
    }
}

extension RequestProgress {
    /// The refused lines, of which those that are remembered are named.
    ///
    /// The router remembers one code for all lines that were refused before it could judge them.
    /// What they were is in the request that is sent again, which has them at the same places. Of a
    /// repaired store, more lines may be known than the request has.
    func refused(of request: PushRequest, maxBody: Int) -> RefusedLines {
        let lineCount = request.payloads.count
        let named = rejected.filter { $0.line <= lineCount }
        let longest = PushSession.longestPayload(of: request, maxBody: maxBody)
        return RefusedLines(
            count: max(named.count, min(lines, lineCount) - accepted),
            named: named.map { line, code in
                if code == .frameLength,
                    let found = PushSession.refusal(of: line, in: request, longest: longest)
                {
                    return found
                }
                return PushesBody.Rejection(
                    line: line,
                    code: code.rawValue,
                    detail: "the push was refused when the request was sent before"
                )
            }
        )
    }
}
