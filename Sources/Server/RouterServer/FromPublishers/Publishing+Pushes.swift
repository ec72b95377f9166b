internal import AdminAPI
internal import Basics
internal import Platform
internal import RouterCore

/// Pushes over HTTP: sessions of the router whose frames are made here, and whose answers end here.
extension Publishing {
    /// Begins a request's pushes, or queues them after earlier ones of the same producer.
    func push(_ request: PushRequest, for asker: Asker) throws(AdminProblem) {
        try reading.requireStoreRoom()
        if reading.pauses.contains(.totalOutput) {
            throw .busy("no connection is read: too much output waits for devices")
        }
        if core.router.isPaused(app: request.app) { throw Self.pausedProblem(request.app) }
        if let key = request.key, try repeatAnswer(to: key, of: request, for: asker) { return }
        let byteCount = request.byteCount
        if !sessions.hasRoom(for: byteCount, isOfPublisher: request.isOfPublisher) {
            if request.isOfPublisher { throw Self.manyProblem("too many pushes are under way") }
            throw .busy(
                "\(sessions.jobCount) requests with \(sessions.byteCount) bytes of pushes "
                    + "are under way; no more are accepted"
            )
        }
        let now = core.now
        let session = try pushSession(request)
        if request.firstSeq == nil && !session.hasOwnNumbers {
            throw AdminProblem(
                409,
                code: "conflict",
                detail:
                    "the producer \(session.key.producerName) of \(request.app) has no sequence "
                    + "numbers left; give producer and seq"
            )
        }
        let job = PushSession.Job(
            request,
            asker: asker,
            byteCount: byteCount,
            begin: now.monotonic,
            hasExpired: request.expiresAt ?? .max <= now.wall
        )
        if let kinds = request.kinds {
            job.unknownKinds = core.router.undeclaredKinds(kinds, of: request.app)
        }
        sessions.began(job)
        session.append(job)
        // What arrives in this tick is decided in this tick.
        if request.isOfPublisher && session.jobs.count == 1 { offer(session) }
    }

    private static func pausedProblem(_ app: String) -> AdminProblem {
        AdminProblem(409, code: "app-paused", detail: "\(app) is paused: it accepts no pushes")
    }

    /// A refusal of a publisher that is too fast for what it shares with others.
    static func manyProblem(_ reason: String) -> AdminProblem {
        AdminProblem(429, code: "too-many-requests", detail: "\(reason); send again later")
    }

    /// True if a request's pushes can be given to a session now: its session exists already, or the
    /// router is not too busy to open one.
    func canPush(_ request: PushRequest) -> Bool {
        !core.router.isBusy || knownSession(for: request).session != nil
    }

    /// The session for a request: that of its producer or, of the router's own, one without work if
    /// there is any.
    ///
    /// A session does one request after the other, each of which waits for the disk. So publishers
    /// without a producer share several sessions, but not with those whose credential is limited;
    /// what one of them sends after an answer comes after what was answered.
    ///
    /// - Returns: its key, and the session; nil if it is to be opened.
    private func knownSession(
        for request: PushRequest
    ) -> (key: PushSession.Key, session: PushSession?) {
        var key = PushSession.Key(app: request.app, producer: request.producer)
        if request.producer != nil { return (key, sessions[key]) }
        if !request.isOfPublisher {
            key.lane = PushSession.operatorLane
            return (key, sessions[key])
        }
        key.sender = request.sender.name
        let session: PushSession?
        (key.lane, session) = sessions.leastBusy(of: key, mayBeNew: !core.router.isBusy)
        return (key, session)
    }

    /// Returns the session of a producer, opening one if there is none.
    private func pushSession(_ request: PushRequest) throws(AdminProblem) -> PushSession {
        let (key, known) = knownSession(for: request)
        if let known { return known }
        let now = core.now
        let slot = peers.take(nil, at: now.wall)
        peers[slot].hasSession = true
        core.setArrivalTime()
        do throws(ProtocolError) {
            let lastSeq = try core.router.openPublisher(
                slot,
                app: request.app,
                producer: key.producerName,
                now: now
            )
            let session = PushSession(key, slot: slot, lastSeq: lastSeq)
            sessions.insert(session)
            return session
        } catch {
            peers.freeUnopened(slot)
            throw AdminProblem(error)
        }
    }

    // MARK: - Ticks

    /// Offers the router the next frames of the sessions, and answers finished requests.
    ///
    /// Advances at least one session for which something is to be done, and more until `end`; the
    /// next tick begins with the session after the last of them. To be called only once between two
    /// steps, because each session offers the router as many pushes as one step acknowledges.
    func advancePushes(until end: ExactTime) {
        sessions.restEnd = nil
        if !sessions.isBusy { return }
        let all = sessions.all
        let first = sessions.next % max(1, all.count)
        for index in all.indices {
            let session = all[(first + index) % all.count]
            if session.isSettled { continue }
            core.part(paidBy: session.jobs.first?.asker.payer ?? .none) { advance(session) }
            if index + 1 < all.count && ExactTime.now >= end {
                sessions.next = first + index + 1
                return core.scheduleTick()
            }
        }
        sessions.hasFailure = false
    }

    private func advance(_ session: PushSession) {
        // Closing an earlier session may have ended the server, and with it this session.
        guard sessions[slot: session.slot] === session else { return }
        if session.failure == nil { offer(session) }
        while let (job, body) = session.popFinished() { finish(job, of: session, with: body) }
        if let failure = session.failure {
            for job in session.popAll() { refuse(job, with: Self.problem(failure)) }
            close(session)
        } else if session.jobs.isEmpty && !session.key.isKept {
            close(session)
        }
        if core.phase == .draining { endIfEmpty() }
    }

    /// Offers the router the session's next frames: no more than its window allows.
    private func offer(_ session: PushSession) {
        guard let job = session.jobs.first, !isWaitingForRoom, core.phase == .serving else {
            return
        }
        if core.router.isPaused(session.slot) {
            if let end = core.router.restEnd(session.slot) {
                sessions.restEnd = min(sessions.restEnd ?? .max, end)
                return
            }
            if core.router.isPausedPublisher(session.slot) { return }
            let isOverdrawn = core.router.isOverdrawn(session.slot)
            if isOverdrawn || core.router.isBusy { core.router.waits(session.slot) }
            if isOverdrawn { core.scheduleTick() }
            return
        }
        if core.mustWait(job.asker.payer, restEnd: &sessions.restEnd) { return }
        let now = core.now
        begin(session, now: now)
        let asks = !job.request.isOfPublisher || job.request.wantsOutcome
        core.router.reportOutcomes(asks, on: session.slot)
        let limits = core.limits
        let window = limits.window - core.router.unacknowledged(session.slot)
        let hasKey = job.request.key != nil
        var hasRefused = false
        session.makeFrames(maxBody: limits.maxBody, window: window) { seq in
            hasRefused = true
            if hasKey { core.router.refuseLine(session.slot, seq: seq, now: now) }
        }
        if session.input.isEmpty {
            // The window was full of what is refused here; what comes after it is next.
            if hasRefused { core.scheduleTick() }
            return
        }
        core.setArrivalTime()
        core.router.outbox.arrival = core.clock.begin
        output.setAnswerLimit(nil)
        let taken = session.input.withByteView {
            core.router.received(on: session.slot, bytes: $0, now: now)
        }
        session.taken(taken)
        core.limitWork()
        peers[session.slot].inputByteCount &+= UInt64(taken)
        core.scheduleTick()
    }

    /// True while pushes must not be offered: too much waits for the store or for devices.
    private var isWaitingForRoom: Bool { !reading.pauses.isDisjoint(with: [.store, .totalOutput]) }

    /// Removes a job, and refuses its request, unless that was answered before.
    private func refuse(_ job: PushSession.Job, with problem: AdminProblem) {
        sessions.ended(job)
        if !job.isAnswered { job.asker.refuse(problem) }
    }

    /// Removes a job whose lines are all accepted or rejected, and answers its request, unless that
    /// was answered before.
    private func finish(_ job: PushSession.Job, of session: PushSession, with body: PushesBody) {
        sessions.ended(job)
        if job.request.key == nil {
            if !job.isAnswered { job.asker.answer(body) }
            return
        }
        core.setArrivalTime()
        core.router.endRequest(session.slot, lines: job.lineCount, now: core.now)
        if job.earlierLines == job.lineCount { core.router.countRepeatedRequest() }
        // Nothing has awaited the commit of lines that were accepted before, nor of the end. If a
        // crash loses the end, refused lines after the last accepted one are judged again.
        let mustWait = job.earlierLines > 0 || job.refused.count > 0
        if job.isAnswered { return }
        if mustWait { answers.send(body, to: job.asker) } else { job.asker.answer(body) }
    }

    private func close(_ session: PushSession) {
        assert(session.jobs.isEmpty, "requests of the session would never be answered")
        core.setArrivalTime()
        sessions.remove(session)
        core.router.closed(session.slot)
        peers.release(session.slot)
    }

    private static func problem(_ failure: (code: String, message: String)) -> AdminProblem {
        guard let code = ErrorCode(rawValue: failure.code) else {
            return AdminProblem(409, code: failure.code, detail: failure.message)
        }
        return AdminProblem(ProtocolError(code, message: failure.message))
    }

    // MARK: - Ends

    /// Answers requests that have waited longer than `PushSessions.patience`, and says why: the
    /// store fails, the app is paused, or too much output waits for devices.
    func answerLate() {
        let time = core.now.monotonic - PushSessions.patience
        for session in sessions.all {
            for job in session.takeOverdue(before: time) { job.asker.refuse(lateProblem(session)) }
        }
        answerLatePublishers()
        answerLateReports()
        answerLateLookups()
    }

    private func lateProblem(_ session: PushSession) -> AdminProblem {
        let advice =
            "they may have been accepted nevertheless: with producer and seq it is safe to send "
            + "them again"
        if core.router.isPaused(app: session.key.app) {
            return AdminProblem(
                409,
                code: "app-paused",
                detail:
                    "\(session.key.app) was paused before all pushes were accepted; \(advice)"
            )
        }
        if core.router.restEnd(session.slot) != nil || session.jobs.first.map(isResting) == true {
            return Self.manyProblem("the pushes of \(session.key.app) cost too much; \(advice)")
        }
        if reading.pauses.contains(.totalOutput) {
            return .busy("too much output waits for devices, so pushes are not accepted; \(advice)")
        }
        return AdminProblem(
            503,
            code: "store-failing",
            detail: "the pushes are not durable after \(PushSessions.patience) ms; \(advice)"
        )
    }

    /// Whether who asks for pushes has to rest after what they have cost.
    private func isResting(_ job: PushSession.Job) -> Bool {
        core.account(of: job.asker.payer).map { core.router.restEnd($0.account) != nil } ?? false
    }

    /// Refuses the requests of a paused app from which no push was offered to the router yet.
    func refusePausedPushes() {
        for session in sessions.all where core.router.isPaused(app: session.key.app) {
            for job in session.popUntouched() {
                refuse(job, with: Self.pausedProblem(session.key.app))
            }
        }
    }

    /// Refuses requests whose pushes the router has not accepted yet, because it is draining.
    func dropUnsentPushes() {
        for session in sessions.all {
            for job in session.popUnsent() { refuse(job, with: .draining) }
        }
    }

    /// Answers every unfinished request with `draining` and closes all sessions: the router is
    /// ending.
    func endPushes() {
        for session in sessions.all {
            for job in session.popAll() { refuse(job, with: .draining) }
            sessions.remove(session)
            core.router.closed(session.slot)
        }
        assert(
            sessions.jobCount == 0 && sessions.byteCount == 0,
            "requests are counted that no session has"
        )
    }
}
