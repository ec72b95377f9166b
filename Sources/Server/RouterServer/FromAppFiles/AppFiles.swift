internal import AdminAPI
internal import Basics
internal import Credentials
internal import FrameCodec
internal import LibuvLoop
internal import Logging
internal import RouterCore
internal import RouterStore

/// App files come into force one after the other, in the order in which they were asked for. A
/// request is answered, or a signal logged, after its effect. A refused file changes nothing.
final class AppFiles {
    private let core: Core
    private let admission: SessionAdmission
    private let answers: UncommittedAnswers
    private let integration: ServerIntegration
    private let metrics: ServerMetrics
    /// Path of the app file that SIGHUP reads again; nil if the apps came from elsewhere.
    private let path: String?
    private let allowsOpenRoles: Bool
    private var loader = AppFileLoader()
    /// Called after a SIGHUP, and when an operator's app file is in force: delivery by APNs then
    /// reads its settings and keys.
    var onChange: () -> Void = {}

    init(
        _ configuration: ServerConfiguration,
        admission: SessionAdmission,
        answers: UncommittedAnswers,
        integration: ServerIntegration
    ) {
        core = admission.core
        metrics = admission.reading.metrics
        path = configuration.appFile
        allowsOpenRoles = configuration.allowsOpenRoles
        self.admission = admission
        self.answers = answers
        self.integration = integration
    }

    /// Notes the digest of the app file with which the server has begun: to read the same bytes
    /// again costs that digest alone, unless every user of the machine can read the file.
    func noteDigest(_ digest: SHA256Digest) { loader.digest = digest }

    /// Reads the app file again, after the loads that were asked for before. A signal that comes
    /// while the file is being read makes it be read once more.
    func reload() {
        if core.phase != .serving { return }
        if path == nil {
            core.logger.notice("there is no app file to read again")
            onChange()
            return
        }
        integration.reloading()
        _ = loader.append(.hangUp)
        loadNext()
    }

    /// Installs an app file of an operator, after those that were asked for before; the answer is
    /// sent when the change is committed.
    func replace(
        _ file: AppFile,
        for entry: AdminMailbox.Entry
    ) throws(AdminProblem) -> AdminAnswer? {
        try answers.requireRoom()
        if !loader.append(.operator(file, entry)) {
            throw .busy("\(AppFileLoader.waitingLimit) app files wait to be installed")
        }
        loadNext()
        return nil
    }

    private func loadNext() {
        guard let cause = loader.next() else { return }
        var file: AppFile?
        if case .operator(let sent, _) = cause { file = sent }
        let order = AppFileLoader.Order(
            file: file,
            path: path ?? "",
            inForce: core.router.appsSource,
            digest: loader.digest,
            makeReady: admission.gatekeeper.makeReady,
            allowsOpenRoles: allowsOpenRoles
        )
        loader.start(order, wake: core.mailbox.wake)
    }

    /// Continues with the app file that is being loaded, if its thread has ended: installs a
    /// portion of it, or its end, after which the next file is loaded.
    func continueLoading() {
        loader.release()
        switch loader.takeOutcome() {
        case .unchanged: end(.unchanged)
        case .refused(let problem): end(.refused(problem))
        case .loaded(let loaded):
            if let role = loaded.openRole {
                loader.discard(loaded)
                end(.notAllowed(code: "role-open", reason: role))
            } else {
                loader.installing = .init(loaded: loaded)
            }
        case nil: break
        }
        if loader.installing?.isDivided == nil { judge() }
        guard let installation = loader.installing else { return }
        if installation.isDivided == nil { return core.scheduleTick() }
        guard let portion = installation.nextPortion else { return install(installation) }
        if mayApplyPortion(of: installation) {
            core.setArrivalTime()
            core.router.tick(core.now)
            loader.discard(core.router.apply(portion))
            loader.installing?.applied += 1
        }
        core.scheduleTick()
    }

    /// Counts some of the numbers that a loaded file needs, until it is known whether it can be
    /// installed in portions. Refuses a file that cannot be installed at all.
    private func judge() {
        guard var installation = loader.installing else { return }
        installation.isDivided = core.router.mayChangeInPortions(
            installation.loaded.change,
            counting: &installation.numbers,
            kinds: AppFileLoader.kindsPerTick
        )
        loader.installing = installation
        let loaded = installation.loaded
        if installation.isDivided == false,
            let reason = core.router.problem(with: loaded.file.catalog)
        {
            loader.discard(loaded)
            end(.notAllowed(code: ErrorCode.quotaExceeded.rawValue, reason: reason))
        }
    }

    /// Whether a portion can be applied without doing at once what else is done in portions: the
    /// delivery of large pushes. While the store does not keep up, no portion is.
    private func mayApplyPortion(of installation: AppFileLoader.Installation) -> Bool {
        if core.driver?.hasRoomForSteps == false { return false }
        // For a kind that is changed twice, all widgets would have to follow at once.
        if installation.applied == 0 && core.router.isFollowingRules { return false }
        if !core.router.isFanningOut {
            loader.installing?.waitsSince = nil
            return true
        }
        let now = core.now.monotonic
        let since = installation.waitsSince ?? now
        loader.installing?.waitsSince = since
        if now - since > AppFileLoader.deliveryTime { core.router.finishFanOuts() }
        return false
    }

    /// Installs the end of an app file, or the whole.
    private func install(_ installation: AppFileLoader.Installation) {
        let loaded = installation.loaded
        let former = auditedAppFile
        core.setArrivalTime()
        core.router.tick(core.now)
        if !loaded.change.isEmpty || core.router.appsSource != loaded.file.source {
            let replaced = core.router.install(
                loaded.file.catalog,
                source: loaded.file.source,
                after: installation.isDivided == true ? loaded.change : nil
            )
            loader.discard(replaced)
        }
        let replaced = admission.replace(with: loaded.credentials)
        loader.discard(replaced)
        loader.discard(loaded)
        loader.digest = loaded.digest
        metrics.mark(.appFile)
        end(.installed(loaded, former: former))
    }

    // MARK: - After the effect

    /// What has become of an app file.
    private enum Ending {
        case unchanged
        /// It is in force; `former` says which was before.
        case installed(AppFileLoader.Loaded, former: AuditedAppFile)
        case refused(AppFileProblem)
        /// The router or this server may not have what it declares: a code and a sentence.
        case notAllowed(code: String, reason: String)
    }

    /// Logs or answers what has become of an app file, and begins to load the next.
    private func end(_ ending: Ending) {
        switch loader.end() {
        case .hangUp:
            logHangUp(ending)
            onChange()
            if !loader.hasHangUp { integration.ready() }
        case .operator(_, let entry):
            entry.settle { () throws(AdminProblem) in try answer(ending, to: entry) }
        case nil: break
        }
        loadNext()
        core.scheduleTick()
    }

    private func logHangUp(_ ending: Ending) {
        let path = path ?? ""
        switch ending {
        case .refused(let problem): return refuseHangUp(problem)
        case .notAllowed(_, let reason): return refuseHangUp(.refused(path: path, reason: reason))
        case .unchanged:
            metrics.mark(.appFile)
            let present = auditedAppFile
            integration.onAppFile(.success(present.change(to: present)))
        case .installed(_, let former):
            integration.onAppFile(.success(former.change(to: auditedAppFile)))
        }
        integration.fileRead(
            .apps,
            details: ["path": "\(path)", "apps": "\(core.router.declaredAppCount)"]
        )
        if case .installed(let loaded, _) = ending { warn(loaded.notes) }
    }

    private func refuseHangUp(_ problem: AppFileProblem) {
        integration.fileRefused(.apps, because: problem)
        integration.onAppFile(.failure(problem))
    }

    private func answer(
        _ ending: Ending,
        to entry: AdminMailbox.Entry
    ) throws(AdminProblem) -> AdminAnswer? {
        switch ending {
        case .notAllowed(let code, let reason): throw AdminProblem(409, code: code, detail: reason)
        case .refused, .unchanged:
            preconditionFailure("a file of an operator is not read from the disk")
        case .installed(let loaded, let former):
            onChange()
            let catalog = loaded.file.catalog
            core.logger.notice("app file replaced", metadata: ["apps": "\(catalog.apps.count)"])
            warn(loaded.notes)
            let undeclared = core.router.undeclaredWidgetCount
            let warnings = loaded.notes.warnings
            let change = former.change(to: auditedAppFile)
            let answer = AdminAnswer.object(change: change) { json in
                json.members(of: catalog)
                json.member("undeclaredWidgets", value: undeclared)
                json.list("warnings", of: warnings)
                json.member(
                    "note",
                    value: "the next SIGHUP and the next start read the app file of --apps again"
                )
            }
            return answers.whenCommitted(answer, for: entry)
        }
    }

    /// The app file in force, as the audit log compares it with another one.
    private var auditedAppFile: AuditedAppFile {
        AuditedAppFile(
            source: core.router.appsSource,
            entries: admission.gatekeeper.table.entries,
            digest: integration.secretDigest
        )
    }

    /// Answers the operators whose app files have not come into force, because the router drains.
    /// One that is being installed still does, unless the server is at its `end`.
    func cancel(atEnd isEnd: Bool) {
        for entry in loader.cancel(atEnd: isEnd) { entry.answer(.problem(.draining)) }
    }

    /// Ends the thread that loads.
    func close() { loader.close() }

    // MARK: - What a file says

    /// Who pays for what is being loaded or installed: the operator who has sent it.
    var payer: CallbackPayer { loader.payer }
    /// What the file in force says and seldom means.
    var notes: AppFileNotes { loader.notes }

    /// Refuses an app file that exceeds the router's limits, or opens roles to other machines.
    ///
    /// - Throws: `refused`, before anything has changed.
    func requireAllowed(_ file: AppFile) throws(AppFileProblem) {
        guard let reason = problem(with: file) else { return }
        throw .refused(path: path ?? "the app file", reason: reason)
    }

    /// Why an app file must not come into force; nil if it may.
    private func problem(with file: AppFile) -> String? {
        (allowsOpenRoles ? nil : file.openRole) ?? file.unusableKey
            ?? core.router.problem(with: file.catalog)
    }

    /// Notes what an app file in force says and seldom means, and warns about it and about widgets
    /// whose kind the file does not declare.
    func warn(_ notes: AppFileNotes) {
        loader.isInForce(notes, logger: core.logger)
        warnAboutUndeclaredWidgets()
    }

    /// Warns about widgets that no push matches because the app file does not declare their kind.
    private func warnAboutUndeclaredWidgets() {
        let count = core.router.undeclaredWidgetCount
        if count == 0 { return }
        let kinds = core.router.undeclaredKinds(limit: AppFileNotes.logLimit).map { kind in
            "\(quotation(kind.kind)) of \(quotation(kind.app)): \(kind.widgets)"
        }
        core.logger.warning(
            "widgets are of kinds that the app file no longer declares: no push matches them",
            metadata: ["widgets": "\(count)", "kinds": "\(kinds.joined(separator: ", "))"]
        )
    }

    /// The answer to an operator who asked what a push would lead to.
    func explanation(_ work: ExplainWork, of request: ExplainRequest) -> ObjectBody {
        let own = hints.filter { hint in
            hint.app == request.app && (request.kind ?? hint.kind) == hint.kind
        }
        let shown = own.prefix(AppFileNotes.statusLimit)
        return .explanation(work.explanation, hints: shown.map(\.text))
    }

    /// What the app file in force declares to no effect, and what recent pushes lack.
    var hints: [KindHint] { notes.hints + core.router.missed(notes.members) }
}

extension AppFile {
    /// Why the file is not for a server that other machines reach: the first role that is open;
    /// nil if there is none.
    var openRole: String? {
        for app in access {
            for role in AppAccess.roles where app[role] == .open {
                return "\(quotation(app.app)) lets everybody be a \(role.rawValue) (\"open\"), and "
                    + "other machines reach this router: list credentials (reload-router token new), "
                    + "or start it with --insecure"
            }
        }
        return nil
    }
}
