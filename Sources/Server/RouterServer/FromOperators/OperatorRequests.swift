internal import AdminAPI
internal import Basics
internal import LibuvLoop
internal import Logging
internal import Platform
internal import RouterCore
internal import RouterStore

/// Requests of operators. They arrive from other threads through the loop's wake-up; each tick ends
/// with carrying out some of them, after all its work for pushes, and then those of publishers.
final class OperatorRequests {
    /// A request that takes more than one step.
    indirect enum Task {
        /// Lists the devices of an app, some at a time.
        case devices(DeviceWalk)
        /// Lists the last pushes of an app, or makes the history of one, some at a time.
        case lookUp(LookupWalk)
        /// Lists the dead tokens of an app, some at a time.
        case deadTokens(EndedTokenWalk)
        /// Waits until the router is not busy, and removes a device.
        case forgetDevice(String, app: String)
        /// Waits until an explanation can begin.
        case explain(ExplainRequest)
        /// Explains one widget at a time.
        case explaining(ExplainWork, of: ExplainRequest)
        /// Waits until the router can open the publisher's session.
        case push(PushRequest)
    }

    /// The time in a tick after which no further step of a request begins; one step is always done.
    private static var tickTime: Nanoseconds { .microseconds(200) }
    /// Devices that one step of a list examines.
    private static var walkCount: Int { 4_096 }

    /// Where other threads ask for the router's status.
    let snapshot: StatusSnapshot
    /// Queue of requests from other threads; nil if the admin API is off.
    var mailbox: AdminMailbox?
    /// The oldest unfinished request that takes several steps; later requests wait for it.
    var underWay: (entry: AdminMailbox.Entry, task: Task)?
    /// When the first operator has rested whose next request waits for that; nil if none does.
    var restEnd: MonotonicTime?
    /// The latest backup, running or ended; nil if there was none.
    var backup: BackupRun?
    /// True if an operator asked for a drain. It begins with the next sweep, when the answer has
    /// left.
    var isDrainRequested = false
    let core: Core
    let publishing: Publishing
    let appFiles: AppFiles
    var answers: UncommittedAnswers { publishing.answers }
    var admission: SessionAdmission { publishing.output.admission }
    var metrics: ServerMetrics { publishing.output.metrics }
    /// Where operators' backups are made; nil if they can make none.
    let backupFolder: String?

    init(
        _ publishing: Publishing,
        appFiles: AppFiles,
        snapshot: StatusSnapshot,
        backupFolder: String?
    ) {
        core = publishing.core
        self.publishing = publishing
        self.appFiles = appFiles
        self.snapshot = snapshot
        self.backupFolder = backupFolder
    }

    /// Answers every waiting request with `draining`: the router is ending.
    func close() {
        publishing.endPushes()
        underWay?.entry.answer(.problem(.draining))
        underWay = nil
        answers.failAll()
        appFiles.cancel(atEnd: true)
        mailbox?.close()
        publishing.close()
        // The store must not be closed while it is being copied; an incomplete copy is abandoned.
        backup?.cancel()
        backup?.finish()
    }

    /// Carries out requests for as long as a tick may spend on them. Returns true if an
    /// operator, a session or an app rests now, so that the loop must wake at the end.
    func perform() -> Bool {
        if core.phase == .ended { return false }
        answers.sendCommitted()
        publishing.answerReports()
        if core.phase == .ended { return false }
        let hasRequests = underWay != nil || mailbox?.hasRequests == true
        if !hasRequests && !publishing.needsTick {
            publishing.sessions.restEnd = nil
            restEnd = nil
            return false
        }
        restEnd = nil
        let end = ExactTime.now + Self.tickTime
        var mayHaveMore = hasRequests
        while mayHaveMore {
            mayHaveMore = performNext()
            if ExactTime.now >= end { break }
        }
        if !publishing.waiting.isEmpty { publishing.performRequests(until: end) }
        publishing.applyWaitingReports(until: end)
        publishing.advancePushes(until: end)
        publishing.advanceLookups(until: end)
        if core.phase == .ended { return false }
        // The remaining requests, and frames decided here, need another tick even if no input
        // arrives.
        let mayBegin = mayHaveMore || restEnd == nil
        if underWay != nil || (mailbox?.hasRequests == true && mayBegin)
            || !publishing.waiting.isEmpty || !core.router.outbox.frames.isEmpty
            || core.router.needsStep
        {
            core.scheduleTick()
        }
        return publishing.restEnd != .max || restEnd != nil
    }

    /// Performs a step of the request in progress, or begins the next request. Returns true if more
    /// can be done in this tick.
    private func performNext() -> Bool {
        if core.phase == .ended { return false }
        // One that has begun is not interrupted for long: others wait for it.
        if let entry = underWay?.entry {
            return core.part(paidBy: .operator(entry.group)) { resumeTask() }
        }
        // Operators have to wait whose earlier requests have cost too much.
        let entry = mailbox?.take { core.mustWait(.operator($0), restEnd: &restEnd) }
        guard let entry else { return false }
        return core.part(paidBy: .operator(entry.group)) { begin(entry) }
    }

    /// Begins a request, and answers it if that is possible at once.
    private func begin(_ entry: AdminMailbox.Entry) -> Bool {
        if core.phase != .serving && entry.request.isChange {
            entry.answer(.problem(.draining))
            return true
        }
        entry.settle { () throws(AdminProblem) in try perform(entry) }
        return true
    }

    /// Begins a request, and returns its answer; nil if that comes later.
    private func perform(_ entry: AdminMailbox.Entry) throws(AdminProblem) -> AdminAnswer? {
        switch entry.request {
        case .connections(let after, let limit):
            return .body(connections(after: after, limit: limit))
        case .producers(let app, let after, let limit):
            return .body(try producers(of: app, after: after, limit: limit))
        case .forgetProducer(let app, let producer):
            return try forget(producer, of: app, for: entry)
        case .apps: return .body(ListBody("apps", of: core.router.appViews))
        case .app(let name):
            let view = try refusing(try core.router.view(ofApp: name))
            return .body(ObjectBody.app(view, source: core.router.appsSource))
        case .appFile: return .body(ObjectBody.appFile(source: core.router.appsSource))
        case .replaceAppFile(let file): return try appFiles.replace(file, for: entry)
        case .pause(let app): return try setPaused(true, app: app, for: entry)
        case .resume(let app): return try setPaused(false, app: app, for: entry)
        case .devices, .device, .forgetDevice, .deadTokens, .revokeTokens, .withdrawRevocation,
            .revocations:
            return try performOnDevices(entry)
        case .explain(let request): return begin(.explain(request), for: entry)
        case .slots(let request): return try takeSlots(request, for: entry)
        case .lookUp(let lookup):
            return begin(.lookUp(try LookupWalk(lookup, in: core)), for: entry)
        case .push(let request):
            if !publishing.canPush(request) { return begin(.push(request), for: entry) }
            try publishing.push(request, for: .operator(entry))
            return nil
        case .history(let range, let resolution):
            return .body(metrics.history(over: range, resolution: resolution))
        case .appHistory(let app, let kind, let range):
            let reading = try refusing(core.router.courseReading(app: app, kind: kind))
            return .body(metrics.history(of: reading, over: range))
        case .origins(let after, let limit):
            let page = core.router.originViews(after: after, limit: limit, now: core.now)
            return .body(ListBody("origins", of: page.found, next: page.next?.rawValue))
        case .hotKeys:
            return .body(ListBody("keys", of: core.router.hotKeys(limit: RouterTotals.keyLimit)))
        case .drain:
            let wasRequested = isDrainRequested || core.phase != .serving
            isDrainRequested = true
            let change = AuditedChange(
                before: { $0.member("isDraining", value: false) },
                after: { $0.member("isDraining", value: true) }
            )
            return .object(status: 202, change: wasRequested ? nil : change) { json in
                json.member("isDraining", value: true)
            }
        case .logLevel: return Self.answer(logLevel: core.logger.logLevel)
        case .setLogLevel(let level): return setLogLevel(level)
        case .backup(let name):
            try backUp(as: name, for: entry)
            return nil
        }
    }

    /// Begins a request about the devices of an app, and returns its answer; nil if that comes
    /// later.
    private func performOnDevices(
        _ entry: AdminMailbox.Entry
    ) throws(AdminProblem) -> AdminAnswer? {
        switch entry.request {
        case .devices(let app, let after, let limit):
            let walk = try refusing(
                try core.router.beginDevices(app: app, after: after, limit: limit)
            )
            return begin(.devices(walk), for: entry)
        case .device(let app, let device):
            let view = try refusing(try core.router.view(ofDevice: device, app: app, now: core.now))
            return .body(view)
        case .forgetDevice(let app, let device):
            return begin(.forgetDevice(device, app: app), for: entry)
        case .revokeTokens(let app, let device, let before):
            return try revokeTokens(of: device, app: app, before: before, for: entry)
        case .withdrawRevocation(let app, let device):
            return try withdrawRevocation(of: device, app: app, for: entry)
        case .revocations(let app, let last, let limit):
            let page = try refusing(try core.router.revocations(of: app, after: last, limit: limit))
            let next = page.isWhole ? nil : page.found.last?.device
            return .body(ListBody("revocations", of: page.found, next: next))
        case .deadTokens(let app, let number, let limit):
            let walk = try refusing(
                try core.router.beginEndedTokens(app: app, after: number, limit: limit)
            )
            return begin(.deadTokens(walk), for: entry)
        default: preconditionFailure("the request is not about devices")
        }
    }

    /// Begins a task; the answer comes with its last step.
    func begin(_ task: Task, for entry: AdminMailbox.Entry) -> AdminAnswer? {
        underWay = (entry, task)
        return nil
    }

    // MARK: - Steps

    private func resumeTask() -> Bool {
        guard let (entry, task) = underWay else { return false }
        do throws(AdminProblem) {
            switch task {
            case .devices(var walk):
                let isWhole = core.router.resume(&walk, count: Self.walkCount)
                if isWhole {
                    finishTask(.body(ListBody("devices", of: walk.devices, next: walk.last)))
                } else {
                    underWay = (entry, .devices(walk))
                }
            case .lookUp(var walk):
                if let body = try walk.resume(in: core) {
                    finishTask(.body(body))
                } else {
                    underWay = (entry, .lookUp(walk))
                }
            case .deadTokens(var walk):
                if core.router.resume(&walk, count: Self.walkCount) {
                    finishTask(.body(ListBody("tokens", of: walk.tokens, next: walk.next)))
                } else {
                    underWay = (entry, .deadTokens(walk))
                }
            case .forgetDevice(let device, let app):
                if core.router.isBusy { return false }
                if core.phase != .serving { throw .draining }
                let answer = try forgetDevice(device, of: app, for: entry)
                underWay = nil
                if let answer { entry.answer(answer) }
            case .push(let request):
                if !publishing.canPush(request) { return false }
                if core.phase != .serving { throw .draining }
                try publishing.push(request, for: .operator(entry))
                underWay = nil
            case .explain(let request):
                // The router is searching its index: nothing can be done before the next tick.
                if !core.router.canExplain { return false }
                underWay = (entry, .explaining(try beginExplaining(request), of: request))
            case .explaining(let work, let request):
                if core.router.resume(work) {
                    finishTask(.body(appFiles.explanation(work, of: request)))
                }
            }
        } catch {
            finishTask(.problem(error))
        }
        return true
    }

    private func finishTask(_ answer: AdminAnswer) {
        assert(underWay != nil, "no request is in progress")
        let entry = underWay?.entry
        underWay = nil
        entry?.answer(answer)
    }

    private func beginExplaining(_ request: ExplainRequest) throws(AdminProblem) -> ExplainWork {
        try refusing(
            try core.router.beginExplaining(
                app: request.app,
                payload: request.payload,
                kinds: request.kinds,
                isUrgent: request.isUrgent,
                device: request.device,
                kind: request.kind,
                limit: request.limit,
                near: request.near,
                now: core.now
            )
        )
    }
}

extension AdminMailbox.Entry {
    /// Answers with what `body` returns, or why it throws; nil if the answer comes later.
    func settle(by body: () throws(AdminProblem) -> AdminAnswer?) {
        let result = RequestID.$current.withValue(requestID) { () -> AdminAnswer? in
            do throws(AdminProblem) {
                return try body()
            } catch {
                return .problem(error)
            }
        }
        if let result { answer(result) }
    }
}

extension AdminRequest {
    /// True if the request changes something; a draining router refuses such requests.
    fileprivate var isChange: Bool {
        switch self {
        case .connections, .producers, .apps, .app, .appFile, .devices, .device, .deadTokens,
            .revocations, .explain, .origins, .history, .appHistory, .lookUp, .hotKeys, .logLevel:
            false
        case .replaceAppFile, .pause, .resume, .forgetProducer, .forgetDevice, .revokeTokens,
            .withdrawRevocation, .slots, .push, .setLogLevel, .backup:
            true
        // A drain that is asked for twice happens once.
        case .drain: false
        }
    }
}

extension AdminProblem {
    /// Turns an error of the router into an HTTP problem.
    init(_ error: ProtocolError) {
        let status: UInt32 =
            switch error.code {
            case .appUnknown, .deviceUnknown, .kindUnknown, .widgetUnknown: 404
            case .tooManyProducers, .tooManyDevices, .quotaExceeded: 503
            case .sessionReplaced, .deviceAttached: 409
            case .frameLength: 413
            default: 400
            }
        self.init(status, code: error.code.rawValue, detail: error.message)
    }
}

/// What the router gives; its refusal becomes an admin problem.
func refusing<Value>(
    _ value: @autoclosure () throws(ProtocolError) -> Value
) throws(AdminProblem) -> Value {
    do throws(ProtocolError) { return try value() } catch { throw AdminProblem(error) }
}
