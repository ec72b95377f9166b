internal import AdminAPI
package import Basics
internal import Credentials
internal import Cryptography
internal import FrameCodec
internal import LibuvLoop
internal import Logging
internal import Platform
internal import RouterCore
internal import RouterStore

/// App files come into force one after the other, in the order in which they were asked for. A
/// request is answered, or a signal logged, after its effect. A refused file changes nothing.
extension Server {
    /// Notes the digest of the app file with which the server has begun: to read the same bytes
    /// again costs that digest alone, unless every user of the machine can read the file.
    package func noteAppFile(_ digest: SHA256Digest) { appFiles.digest = digest }

    /// Reads the app file again, after the loads that were asked for before. A signal that comes
    /// while the file is being read makes it be read once more.
    func reloadAppFile() {
        if core.phase != .serving { return }
        if configuration.appFile == nil {
            core.logger.notice("there is no app file to read again")
            apns?.readAgain(for: core.router)
            return
        }
        reportReloading()
        _ = appFiles.append(.hangUp)
        loadNextAppFile()
    }

    /// Installs an app file of an operator, after those that were asked for before; the answer is
    /// sent when the change is committed.
    func replaceAppFile(
        _ file: AppFile,
        for entry: AdminMailbox.Entry
    ) throws(AdminProblem) -> AdminAnswer? {
        try requireCommandRoom()
        if !appFiles.append(.operator(file, entry)) {
            throw .busy("\(AppFileLoader.waitingLimit) app files wait to be installed")
        }
        loadNextAppFile()
        return nil
    }

    private func loadNextAppFile() {
        guard let cause = appFiles.next() else { return }
        var file: AppFile?
        if case .operator(let sent, _) = cause { file = sent }
        let order = AppFileLoader.Order(
            file: file,
            path: configuration.appFile ?? "",
            inForce: core.router.appsSource,
            digest: appFiles.digest,
            makeReady: admission.gatekeeper.makeReady,
            allowsOpenRoles: configuration.allowsOpenRoles
        )
        appFiles.start(order, wake: core.mailbox.wake)
    }

    /// Continues with the app file that is being loaded, if its thread has ended: installs a
    /// portion of it, or its end, after which the next file is loaded.
    func continueAppFile() {
        appFiles.release()
        switch appFiles.takeOutcome() {
        case .unchanged: endAppFile(.unchanged)
        case .refused(let problem): endAppFile(.refused(problem))
        case .loaded(let loaded):
            let isDivided = core.router.mayChangeInPortions(loaded.change)
            if let role = loaded.openRole {
                appFiles.discard(loaded)
                endAppFile(.notAllowed(code: "role-open", reason: role))
            } else if !isDivided, let reason = core.router.problem(with: loaded.file.catalog) {
                appFiles.discard(loaded)
                endAppFile(.notAllowed(code: ErrorCode.quotaExceeded.rawValue, reason: reason))
            } else {
                appFiles.installing = .init(loaded: loaded, isDivided: isDivided)
            }
        case nil: break
        }
        guard let installation = appFiles.installing else { return }
        guard let portion = installation.nextPortion else { return install(installation) }
        if mayApplyPortion(of: installation) {
            core.setArrivalTime()
            core.router.tick(core.now)
            appFiles.discard(core.router.apply(portion))
            appFiles.installing?.applied += 1
        }
        core.scheduleTick()
    }

    /// Whether a portion can be applied without doing at once what else is done in portions: the
    /// delivery of large pushes. While the store does not keep up, no portion is.
    private func mayApplyPortion(of installation: AppFileLoader.Installation) -> Bool {
        if core.driver?.hasRoomForSteps == false { return false }
        // For a kind that is changed twice, all widgets would have to follow at once.
        if installation.applied == 0 && core.router.isFollowingRules { return false }
        if !core.router.isFanningOut {
            appFiles.installing?.waitsSince = nil
            return true
        }
        let now = core.now.monotonic
        let since = installation.waitsSince ?? now
        appFiles.installing?.waitsSince = since
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
                after: installation.isDivided ? loaded.change : nil
            )
            appFiles.discard(replaced)
        }
        let replaced = admission.replace(with: loaded.credentials)
        appFiles.discard(replaced)
        appFiles.discard(loaded)
        appFiles.digest = loaded.digest
        mark(.appFile)
        endAppFile(.installed(loaded, former: former))
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
    private func endAppFile(_ ending: Ending) {
        switch appFiles.end() {
        case .hangUp:
            logHangUp(ending)
            apns?.readAgain(for: core.router)
            if !appFiles.hasHangUp { reportReady() }
        case .operator(_, let entry):
            entry.settle { () throws(AdminProblem) in try answer(ending, to: entry) }
        case nil: break
        }
        loadNextAppFile()
        core.scheduleTick()
    }

    private func logHangUp(_ ending: Ending) {
        let path = configuration.appFile ?? ""
        switch ending {
        case .refused(let problem): return refuseHangUp(problem)
        case .notAllowed(_, let reason): return refuseHangUp(.refused(path: path, reason: reason))
        case .unchanged:
            mark(.appFile)
            let present = auditedAppFile
            integration.onAppFile(.success(present.change(to: present)))
        case .installed(_, let former):
            integration.onAppFile(.success(former.change(to: auditedAppFile)))
        }
        fileRead(.apps, details: ["path": "\(path)", "apps": "\(core.router.declaredAppCount)"])
        if case .installed(let loaded, _) = ending { warn(loaded.notes) }
    }

    private func refuseHangUp(_ problem: AppFileProblem) {
        fileRefused(.apps, because: problem)
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
            apns?.readAgain(for: core.router)
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
    func cancelAppFiles(atEnd isEnd: Bool) {
        for entry in appFiles.cancel(atEnd: isEnd) { entry.answer(.problem(.draining)) }
    }

    // MARK: - What a file says

    /// Why an app file must not come into force; nil if it may.
    func problem(with file: AppFile) -> String? {
        (configuration.allowsOpenRoles ? nil : file.openRole) ?? file.unusableKey
            ?? core.router.problem(with: file.catalog)
    }

    /// Notes what an app file in force says and seldom means, and warns about it and about widgets
    /// whose kind the file does not declare.
    func warn(_ notes: AppFileNotes) {
        appFiles.isInForce(notes, logger: core.logger)
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
