internal import AdminAPI
internal import Basics
internal import Credentials
internal import FrameCodec
internal import Logging
internal import RouterCore

/// Signed tokens of single devices that operators revoke: from then on none is good that was issued
/// before a date.
///
///     PUT ─► journal ─► sessions by such tokens end ─► answer, when durable
///             └─► table ─► each later HELLO and report of the device is judged by it
extension OperatorRequests {
    /// Revokes the tokens of a device that were issued before a date, by default the present one;
    /// the answer is sent when the change is committed.
    func revokeTokens(
        of device: String,
        app: String,
        before: WallTime?,
        for entry: AdminMailbox.Entry
    ) throws(AdminProblem) -> AdminAnswer? {
        try answers.requireRoom()
        let now = core.now
        let (date, former) = try refusing(
            try core.router.revokeTokens(of: device, app: app, before: before ?? now.wall, now: now)
        )
        let count = admission.endSessions(of: device, app: app, before: date)
        core.logger.notice(
            "the tokens of a device are revoked",
            metadata: [
                "app": "\(app)", "device": "\(device)", "before": "\(date.rfc3339Milliseconds)",
                "sessions": "\(count)",
            ]
        )
        let change = Self.change(of: device, app: app, from: former, to: date)
        let hint = revocationHint(for: app)
        let isUnchanged = former == date && count == 0
        let answer = AdminAnswer.object(change: isUnchanged ? nil : change) { json in
            json.member("app", value: app)
            json.member("device", value: device)
            json.member("before", value: date)
            json.member("sessionsEnded", value: count)
            json.member("hint", value: hint)
        }
        return answers.whenCommitted(answer, for: entry)
    }

    /// Why a revocation keeps no device of an app out; nil if it may.
    private func revocationHint(for app: String) -> String? {
        let own = admission.gatekeeper.table.entries.filter { entry in
            entry.role == .device && entry.app.utf8.elementsEqual(app.utf8)
        }
        if own.contains(where: { $0.credential == nil }) {
            return "everybody may be a device of this app: the role is open"
        }
        let hasKey = own.contains { entry in
            if case .signature = entry.credential?.proof { true } else { false }
        }
        return hasKey
            ? nil
            : "the app file has no key for signed tokens of this app's devices: take what lets "
                + "them in out of it"
    }

    /// Takes a revocation back; the answer is sent when the change is committed.
    func withdrawRevocation(
        of device: String,
        app: String,
        for entry: AdminMailbox.Entry
    ) throws(AdminProblem) -> AdminAnswer? {
        try answers.requireRoom()
        let former = try refusing(
            try core.router.withdrawRevocation(of: device, app: app, now: core.now)
        )
        guard let former else {
            throw AdminProblem(
                404,
                code: "device-unknown",
                detail: "no tokens of \(quotation(device)) of \(quotation(app)) are revoked"
            )
        }
        admission.gatekeeper.publisherGate.revoked()
        core.logger.notice(
            "the revocation of a device's tokens is taken back",
            metadata: ["app": "\(app)", "device": "\(device)"]
        )
        let change = Self.change(of: device, app: app, from: former, to: nil)
        let answer = AdminAnswer.object(change: change) { json in
            json.member("app", value: app)
            json.member("device", value: device)
            json.member("isWithdrawn", value: true)
        }
        return answers.whenCommitted(answer, for: entry)
    }

    private static func change(
        of device: String,
        app: String,
        from former: WallTime?,
        to present: WallTime?
    ) -> AuditedChange {
        func write(_ date: WallTime?) -> (inout JSONWriter) -> Void {
            { json in
                json.member("app", value: app)
                json.member("device", value: device)
                json.member("revokedBefore", value: date?.rfc3339Milliseconds)
            }
        }
        return AuditedChange(before: write(former), after: write(present))
    }
}
