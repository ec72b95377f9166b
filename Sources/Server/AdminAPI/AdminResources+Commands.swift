internal import HTTPServing

/// How commands of operators take effect: all of them here.
///
///     work ─► line "begun" on the disk ─► effect ─► line "done" or "refused" on the disk ─► answer
///                    └─► not written: 503, and no effect
///
/// A sign-out alone takes effect at once: all that it does is to let one browser do less.
extension AdminResources {
    /// Does what a command asks for, once the audit log says that it begins, and answers once the
    /// log says how it has ended.
    func carryOut(
        _ work: Work,
        as record: AuditRecord,
        in audit: AuditLog,
        send: @escaping @Sendable (DeferredResponse) -> Void
    ) {
        audit.begin(record) { problem in
            if let problem { return send(DeferredResponse(.problem(problem))) }
            self.carryOutAtOnce(work, as: record, in: audit, send: send)
        }
    }

    /// Does what a command asks for, and answers once the log says how it has ended, or was tried:
    /// also by itself, for a sign-out, which must end the session while no line can be written.
    func carryOutAtOnce(
        _ work: Work,
        as record: AuditRecord,
        in audit: AuditLog,
        send: @escaping @Sendable (DeferredResponse) -> Void
    ) {
        perform(work, id: record.id) { [settings] later in
            var ended = record
            ended.date = settings.now()
            ended.state = .ended(
                status: later.status,
                problem: later.problem,
                change: later.change
            )
            audit.end(ended) { send(later) }
        }
    }

    /// Does what programs of operators ask for often, pushes and slots: the audit log has a line
    /// before the first of a minute has any effect, and one with the counts after the minute.
    func carryOut(
        _ work: Work,
        as record: AuditRecord,
        counted kind: (kind: AuditCounts.Kind, items: Int),
        in audit: AuditLog,
        send: @escaping @Sendable (DeferredResponse) -> Void
    ) {
        audit.beginCounted(kind.kind, record: record) { problem in
            if let problem { return send(DeferredResponse(.problem(problem))) }
            self.perform(work, id: record.id) { later in
                var outcome = kind.kind
                outcome.problem = later.problem
                audit.count(
                    AuditCounts.Request(
                        kind: outcome,
                        items: later.problem == nil ? kind.items : 0,
                        admitted: record.admitted,
                        client: record.request.client
                    )
                )
                send(later)
            }
        }
    }

    /// Counts a request of an operator that was refused without any effect; what comes from clients
    /// that are no operators is not counted.
    func count(
        _ problem: String,
        for admitted: AdmittedOperator?,
        request: HTTPRequest,
        route: AdminRoute?
    ) {
        guard let admitted, let audit = settings.audit else { return }
        let known = AdminRoutes.methods.contains(request.method) ? request.method : "(other)"
        let kind = AuditCounts.Kind(
            command: "\(known) \(route?.path ?? "(none)")",
            problem: problem
        )
        audit.count(.init(kind: kind, admitted: admitted, client: request.client))
    }
}

extension AdminResources.Work {
    /// How the audit log counts it; nil if it is not counted.
    func counted(as route: AdminRoute) -> (kind: AuditCounts.Kind, items: Int)? {
        guard case .loop(let request) = place else { return nil }
        let command = "\(route.method) \(route.path)"
        switch request {
        case .push(let push):
            return (AuditCounts.Kind(command: command, app: push.app), push.payloads.count)
        case .slots(let slots):
            return (AuditCounts.Kind(command: command, app: slots.app), slots.dates.count)
        default: return nil
        }
    }
}
