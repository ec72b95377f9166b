internal import AdminAPI
internal import Basics
internal import Credentials
internal import Cryptography
internal import FrameCodec
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// Who is let in, and who has to go when the app file changes.
extension Server {
    /// Judges the HELLO of a connection.
    ///
    /// - Returns: false if the verdict comes later; the connection is paused until then.
    func judgeHello(of connection: TCPConnection) -> Bool {
        let slot = slot(of: connection)
        guard let hello = router.awaitedHello(slot) else { return true }
        let now = thisTick.clock.now()
        let verdict = gatekeeper.judge(
            hello,
            certificate: connection.security?.shownCertificate,
            for: slot,
            serial: peers[slot].serial,
            revokedBefore: revocation(for: hello),
            now: now.wall
        )
        guard let verdict else {
            pauseReading(slot, because: .verdict)
            return false
        }
        apply(verdict, to: slot, hello: hello)
        return true
    }

    /// Applies the verdicts that have become known since the last tick, unless the router cannot
    /// begin sessions now: the number of a producer's last push is known only once its pushes have
    /// been searched for.
    func applyVerdicts() {
        if router.isSearching || !admitsClients { return }
        let now = thisTick.clock.now()
        for answer in gatekeeper.answers() {
            switch answer.question.asker {
            case .session(let slot, let serial):
                // The connection may be gone, and another one have its slot.
                guard let connection = peers[slot].connection, peers[slot].serial == serial,
                    router.awaitsVerdict(slot), peers[slot].lingerUntil == .zero
                else { continue }
                let hello = answer.question.signed.hello
                let verdict = gatekeeper.verdict(
                    on: answer,
                    revokedBefore: revocation(for: hello),
                    now: now.wall
                )
                apply(verdict, to: slot, hello: hello)
                resumeReading(connection, removing: .verdict)
            case .request(let request):
                publishing.listener?.apply(
                    answer.question.signed,
                    isValid: answer.isValid,
                    to: request
                )
            }
        }
    }

    private func apply(_ verdict: Verdict, to slot: ConnectionSlot, hello: HelloMessage) {
        let now = thisTick.clock.now()
        switch verdict {
        case .admitted(let grant):
            let entry = gatekeeper.table.entries[grant.entry]
            if let group = WorkGroup(of: entry) { router.join(group, on: slot) }
            peers[slot].entry = Int32(grant.entry)
            peers[slot].tokenEnd = grant.tokenEnd
            peers[slot].tokenIssued = grant.issued
            peers[slot].connection?.holdsSecrets = false
            let behind = router.admit(slot, until: grant.until, devices: grant.names, now: now)
            if behind > 0 { logLoss(of: behind, knownTo: hello, on: slot) }
        case .refused(let refusal):
            metrics.refusedCredentials[refusal.label, default: 0] &+= 1
            var details: Logger.Metadata = [
                "reason": "\(refusal.label)", "role": "\(hello.role.rawValue)",
                "app": "\(quotation(hello.app))",
            ]
            if let name = hello.name { details["name"] = "\(quotation(name))" }
            watch.refusals[slot] = details
            router.end(slot, with: refusal.error(for: hello), now: now)
        case .signed: preconditionFailure("the gatekeeper verifies signatures")
        }
    }

    /// Says that pushes are missing here which a publisher knows to be answered.
    private func logLoss(of count: UInt64, knownTo hello: HelloMessage, on slot: ConnectionSlot) {
        logger.warning(
            "the router knows nothing of pushes that a publisher had an answer to",
            metadata: [
                "app": "\(quotation(hello.app))", "name": "\(quotation(hello.name ?? ""))",
                "acked": "\(hello.acked ?? 0)", "missing": "\(count)",
                "session": "\(router.sessionName(slot) ?? "")",
            ]
        )
    }

    /// Uses the credentials of another app file, and ends the sessions that it does not let in any
    /// more; what they had accepted stays.
    ///
    /// - Returns: the former credentials.
    func replaceAccess(_ credentials: Gatekeeper.Replacement) -> CredentialTable {
        let successors = credentials.successors
        let replaced = gatekeeper.replace(with: credentials)
        let now = thisTick.clock.now()
        for slot in peers.slots where peers[slot].connection != nil && peers[slot].entry >= 0 {
            if !router.isEstablished(slot) { continue }
            let former = Int(peers[slot].entry)
            guard let entry = successors[former],
                gatekeeper.table.isGood(entry, for: router.peerName(slot), at: now.wall),
                let devices = devices(of: slot, by: entry)
            else {
                let error = ProtocolError(
                    .tokenRevoked,
                    message: "the app file no longer has what let this session in"
                )
                router.end(slot, with: error, now: now)
                continue
            }
            peers[slot].entry = Int32(entry)
            let credential = gatekeeper.table.entries[entry].credential
            router.limit(
                slot,
                until: min(peers[slot].tokenEnd, credential?.notAfter ?? .max),
                devices: devices
            )
        }
        return replaced
    }

    /// The devices for which a session may speak under an entry of the table.
    ///
    /// - Returns: nil if these are fewer than before: a gateway may already speak for the others.
    private func devices(of slot: ConnectionSlot, by entry: Int) -> NamePatterns? {
        guard let credential = gatekeeper.table.entries[entry].credential else { return .all }
        guard let own = router.gatewayDevices(slot) else { return credential.names }
        if !credential.names.includes(own) { return nil }
        // A signed token may name fewer devices than its key.
        if case .signature = credential.proof { return own }
        return credential.names
    }

    /// Why an app file must not come into force; nil if it may.
    func problem(with file: AppFile) -> String? {
        (configuration.allowsOpenRoles ? nil : file.openRole) ?? file.unusableKey
            ?? router.problem(with: file.catalog)
    }

    /// Warns about what an app file in force says and seldom means: about roles that are open to
    /// all, tokens that devices share, and what has no effect, in the log and in the status; about
    /// widgets whose kind it does not declare, in the log.
    func warn(_ notes: AppFileNotes) {
        let shown = notes.trials.prefix(AppFileNotes.statusLimit)
        admin.warnings = shown.map { "\($0.app): \($0.warning)" }
        for (app, warning) in notes.trials.prefix(AppFileNotes.logLimit) {
            logger.warning("\(warning)", metadata: ["app": "\(app)"])
        }
        admin.hints = notes.hints
        admin.members = notes.members
        for hint in notes.hints.prefix(AppFileNotes.logLimit) {
            logger.warning(
                "the app file declares what can hardly have the effect that is meant",
                metadata: ["hint": "\(hint.text)"]
            )
        }
        warnAboutUndeclaredWidgets()
    }

    /// Warns about widgets that no push matches because the app file does not declare their kind.
    private func warnAboutUndeclaredWidgets() {
        let count = router.undeclaredWidgetCount
        if count == 0 { return }
        let kinds = router.undeclaredKinds(limit: AppFileNotes.logLimit).map { kind in
            "\(quotation(kind.kind)) of \(quotation(kind.app)): \(kind.widgets)"
        }
        logger.warning(
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
