internal import AdminAPI
internal import Basics
internal import LibuvLoop
internal import Logging
internal import RouterCore
internal import RouterStore
internal import StoreFormat

/// Requests of operators about connections, and those that change something.
extension OperatorRequests {
    // MARK: - Connections

    /// A page of the connections whose slots are above `after`.
    func connections(after: ConnectionSlot?, limit: Int) -> ListBody<ListedConnection> {
        // No connection can follow the last number.
        if after?.isNone == true { return ListBody("connections", of: [], next: nil as UInt32?) }
        let first = after?.successor ?? .first
        let page = core.router.connections(from: first, limit: limit)
        let now = core.now
        let connections = page.found.map { view in
            let peer = publishing.peers[view.slot]
            return ListedConnection(
                view: view,
                peer: peer.connection?.remoteAddress,
                openedAt: peer.openedAt,
                lastFrameAt: now.wall - (now.monotonic - view.lastFrameAt),
                inputBytes: peer.inputByteCount,
                outputBytes: peer.connection?.writtenByteCount ?? 0,
                unsentBytes: peer.connection?.outputByteCount ?? 0,
                isFull: peer.pauses.contains(.ownOutput)
            )
        }
        let last = page.next == nil ? nil : page.found.last?.slot
        return ListBody("connections", of: connections, next: last?.rawValue)
    }

    // MARK: - Producers

    /// A page of the producers of one app, or of all, whose numbers are above `after`.
    func producers(
        of app: String?,
        after: ProducerID?,
        limit: Int
    ) throws(AdminProblem) -> ListBody<ProducerView> {
        let page = try refusing(
            try core.router.producers(of: app, after: after, limit: limit, now: core.now)
        )
        return ListBody("producers", of: page.found, next: page.next?.rawValue)
    }

    /// Forgets a producer; the answer is sent when the change is committed.
    func forget(
        _ producer: String,
        of app: String,
        for entry: AdminMailbox.Entry
    ) throws(AdminProblem) -> AdminAnswer? {
        try answers.requireRoom()
        let now = core.now
        let outcome = try refusing(try core.router.forgetProducer(producer, app: app, now: now))
        switch outcome {
        case .forgotten: break
        case .unknown:
            throw AdminProblem(
                404,
                code: "producer-unknown",
                detail: "no producer \(quotation(producer)) of \(quotation(app)) is known"
            )
        case .inUse:
            throw AdminProblem(
                409,
                code: "conflict",
                detail:
                    "a session speaks for the producer \(quotation(producer)), or a push of it is being "
                    + "delivered; end that first"
            )
        }
        core.logger.notice(
            "a producer is forgotten",
            metadata: ["app": "\(app)", "producer": "\(producer)"]
        )
        let answer = Self.forgotten("producer", name: producer, app: app)
        return answers.whenCommitted(answer, for: entry)
    }

    // MARK: - Devices

    /// Removes a device with everything that is stored for it; the answer is sent when the change
    /// is committed. Returns nil if that has to wait, or if the answer comes later.
    func forgetDevice(
        _ device: String,
        of app: String,
        for entry: AdminMailbox.Entry
    ) throws(AdminProblem) -> AdminAnswer? {
        try answers.requireRoom()
        core.setArrivalTime()
        try refusing(try core.router.forgetDevice(device, app: app, now: core.now))
        core.logger.notice(
            "a device is removed",
            metadata: ["app": "\(app)", "device": "\(device)"]
        )
        let answer = Self.forgotten("device", name: device, app: app)
        return answers.whenCommitted(answer, for: entry)
    }

    /// The answer to a command that has removed something of an app.
    private static func forgotten(_ kind: String, name: String, app: String) -> AdminAnswer {
        let names: @Sendable (inout JSONWriter) -> Void = { json in
            json.member("app", value: app)
            json.member(kind, value: name)
        }
        return .object(change: AuditedChange(before: names, after: nil)) { json in
            names(&json)
            json.member("isForgotten", value: true)
        }
    }

    // MARK: - Apps

    /// Pauses or resumes an app.
    func setPaused(
        _ isPaused: Bool,
        app: String,
        for entry: AdminMailbox.Entry
    ) throws(AdminProblem) -> AdminAnswer? {
        core.router.tick(core.now)
        let wasPaused = core.router.isPaused(app: app)
        try refusing(try core.router.setPaused(isPaused, app: app))
        if wasPaused != isPaused {
            metrics.mark(isPaused ? .pause : .resume)
            core.logger.notice(
                isPaused ? "an app is paused" : "an app is resumed",
                metadata: ["app": "\(app)"]
            )
            if isPaused {
                publishing.refusePausedPushes()
            } else {
                publishing.reading.requeuePausedPublishers()
            }
        }
        let change = AuditedChange(
            before: { $0.member("isPaused", value: wasPaused) },
            after: { $0.member("isPaused", value: isPaused) }
        )
        return .object(change: wasPaused == isPaused ? nil : change) { json in
            json.member("app", value: app)
            json.member("isPaused", value: isPaused)
        }
    }

    // MARK: - Slots

    /// Reserves slots at the origin of a kind; the answer is sent when the change is committed.
    func takeSlots(
        _ request: SlotRequest,
        for entry: AdminMailbox.Entry
    ) throws(AdminProblem) -> AdminAnswer? {
        try answers.requireRoom()
        let now = core.now
        let latest = now.wall + Router.slotHorizon
        if let index = request.dates.firstIndex(where: { $0.after > latest }) {
            throw AdminProblem(
                400,
                code: "body-invalid",
                detail:
                    "dates[\(index)].after is \(request.dates[index].after); slots are given up to "
                    + "\(Router.slotHorizon / .days(1)) days ahead"
            )
        }
        let given = try refusing(
            try core.router.takeSlots(
                app: request.app,
                kind: request.kind,
                dates: request.dates.map(\.after),
                now: now
            )
        )
        guard let slots = given else {
            throw .busy("too many slots that were reserved at the origin are still in the future")
        }
        assert(slots.count == request.dates.count, "not every date has a slot, or one has several")
        let reserved = zip(request.dates, slots).map { ReservedSlot(date: $0, slot: $1) }
        return answers.whenCommitted(.body(ListBody("slots", of: reserved)), for: entry)
    }

    // MARK: - Operations

    /// Sets the level of the log, which the caller has checked.
    func setLogLevel(_ name: String) -> AdminAnswer {
        guard let level = Logger.Level(rawValue: name) else {
            preconditionFailure("levels are checked before they come here")
        }
        let former = core.logger.logLevel
        core.logger.logLevel = level
        core.logger.notice(
            "the log level is changed",
            metadata: ["level": "\(level)", "former": "\(former)"]
        )
        let change = AuditedChange(
            before: { $0.member("level", value: former.rawValue) },
            after: { $0.member("level", value: level.rawValue) }
        )
        return Self.answer(logLevel: level, change: former == level ? nil : change)
    }

    /// The log level in force: messages of this level and above are logged.
    static func answer(logLevel: Logger.Level, change: AuditedChange? = nil) -> AdminAnswer {
        .object(change: change) { $0.member("level", value: logLevel.rawValue) }
    }

    /// Starts copying the store on a thread of its own, to a new folder of this name below the one
    /// for backups; the request is answered from that thread.
    func backUp(as name: String, for entry: AdminMailbox.Entry) throws(AdminProblem) {
        guard let parent = backupFolder else {
            throw AdminProblem(
                409,
                code: "backup-folder-none",
                detail: "no folder is set for backups; the router's setting is backup-folder"
            )
        }
        let folder = "\(parent)/\(name)"
        guard let driver = core.driver, let path = driver.storePath else {
            throw AdminProblem(
                409,
                code: "store-none",
                detail: "there is no store: nothing can be backed up"
            )
        }
        if let backup, !backup.hasEnded {
            throw AdminProblem(
                409,
                code: "conflict",
                detail: "a backup to \(backup.folder) is being made"
            )
        }
        backup?.finish()
        core.logger.notice("a backup begins", metadata: ["folder": "\(folder)"])
        backup = BackupRun(of: path, to: folder) { outcome in
            switch outcome {
            case .success(let copy):
                let change = AuditedChange(before: nil) { json in
                    json.member("folder", value: folder)
                    json.member("bytes", value: copy.byteCount)
                }
                entry.answer(
                    .object(change: change) { json in
                        json.member("folder", value: folder)
                        json.member("bytes", value: copy.byteCount)
                        json.member("milliseconds", value: copy.duration)
                    }
                )
            case .failure(let error): entry.answer(.problem(AdminProblem(backup: error)))
            case nil: entry.answer(.problem(.draining))
            }
        }
    }
}

extension AdminProblem {
    /// Why a backup failed.
    fileprivate init(backup error: StoreError) {
        switch error.code {
        case .unusable, .locked: self.init(409, code: "conflict", detail: error.message)
        case .corrupt, .gap, .older, .newer, .partitions, .missing, .replaced, .full, .io:
            self.init(500, code: error.code.rawValue, detail: error.message)
        }
    }
}

/// A slot that was requested for a date, in the answer to `POST /v1/slots`.
struct ReservedSlot: Sendable {
    let date: SlotRequest.Date
    let slot: AssignedSlot
}
