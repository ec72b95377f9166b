package import HTTPServing
internal import Platform
internal import ReloadModel

/// The resources of the admin server: admits a request, and answers it or passes it to the loop.
///
///     request ─► token, method, path, query, body ─► answered here, or asked of the loop
///                                                        └─► AdminPort ─► answered later
///
/// It runs on the HTTP server's thread and never waits for the loop, except for a status: no longer
/// than `StatusSnapshot.patience`.
package final class AdminResources: HTTPHandler {
    /// The longest body in bytes; a longer one is refused with 413 `body-too-large`.
    package static var bodyLimit: Int { 8 << 20 }

    /// The longest body in bytes of a request that proves itself by a code in it.
    static var codeLimit: Int { 4 << 10 }

    /// Nice value of the threads that answer operators, so that they yield to the loop.
    static var niceness: Int { 10 }

    let snapshot: StatusSnapshot
    let port: any AdminPort
    let settings: AdminSettings
    private let ids: RequestIDs
    private let events: StatusEvents
    private let tokenEvents: DeadTokenEvents
    let counts = HTTPRequestCounts("admin")

    /// - Parameters:
    ///   - snapshot: provides the loop's status.
    ///   - port: passes requests to the loop.
    ///   - settings: the token, the dashboard's files, and what is called for each answer.
    package init(_ snapshot: StatusSnapshot, port: any AdminPort, settings: AdminSettings) {
        self.snapshot = snapshot
        self.port = port
        self.settings = settings
        ids = RequestIDs(start: settings.startedAt)
        events = StatusEvents(snapshot, authorization: settings.authorization)
        tokenEvents = DeadTokenEvents(port, authorization: settings.authorization)
    }

    // MARK: - Called by the HTTP server

    /// The longest body of a request, in bytes: 0 if the request only reads or will be refused, so
    /// that nothing of its body is kept.
    package func bodyLimit(of head: HTTPRequest) -> Int? {
        guard case .success(let admitted) = admit(head), !head.isRead else { return 0 }
        return admitted.operator == nil ? Self.codeLimit : Self.bodyLimit
    }

    /// True for a request of an operator. Its connection is not closed to make room for others.
    package func trusts(_ head: HTTPRequest) -> Bool {
        guard case .success(let admitted) = admit(head) else { return false }
        return admitted.operator != nil
    }

    /// Counts connections that the HTTP server has closed to make room for others.
    package func displaced(_ count: Int) { counts.addDisplaced(count) }

    /// Answers a request at once or later, or begins a stream of events.
    package func respond(to request: HTTPRequest, with responder: HTTPResponder) {
        serve(
            request,
            events: { responder.beginEvents() },
            answer: { responder.send(making: $0) }
        )
    }

    /// Serves a request.
    ///
    /// - Parameters:
    ///   - request: the request, with its body.
    ///   - events: begins a stream of events; called instead of `answer`.
    ///   - answer: called exactly once otherwise, possibly later and on another thread. It receives
    ///     a closure that makes the response on the server's thread, and returns false if that will
    ///     never be called, because the connection is gone.
    func serve(
        _ request: HTTPRequest,
        events: () -> HTTPEventStream,
        answer: @escaping @Sendable (@escaping @Sendable () -> HTTPResponse) -> Bool
    ) {
        let id = ids.id(of: request)
        // The body is read from `request`, and not kept for as long as the answer takes.
        var head = request
        head.body = .whole([])
        let reply: @Sendable (AdminRoute?, DeferredResponse) -> Void = { [head] route, later in
            let isSent = answer { self.finished(later.make(), id: id, request: head, route: route) }
            if !isSent { self.logRequest(id, request: head, route: route, status: later.status) }
        }
        let admitted: AdmittedRequest
        let input: AdminInput
        switch admit(request) {
        case .failure(let refusal):
            let audited = writingDown(
                refusal.route,
                for: refusal.operator,
                request: head,
                id: id,
                reply: reply
            )
            return audited(refusal.route, DeferredResponse(refusal.response, problem: refusal.code))
        case .success(let found):
            admitted = found
            switch Self.body(of: request) {
            case .failure(let refusal):
                return reply(found.route, DeferredResponse(refusal.response))
            case .success(let body):
                input = AdminInput(
                    request: request,
                    names: found.names,
                    body: body,
                    now: settings.now()
                )
            }
        }
        let route = admitted.route
        if route.isStream, let viewer = admitted.operator {
            do throws(AdminProblem) {
                try addViewer(viewer, to: route, input: input, stream: events)
                logRequest(id, request: request, route: route, status: 200)
            } catch {
                reply(route, DeferredResponse(HTTPResponse(error)))
            }
            return
        }
        let audited = writingDown(
            route,
            for: admitted.operator,
            request: head,
            id: id,
            reply: reply
        )
        if route.isCommand, let problem = settings.audit?.problem {
            return reply(route, DeferredResponse(HTTPResponse(problem)))
        }
        RequestID.$current.withValue(id) {
            self.answer(route, input: input, for: admitted.operator) { audited(route, $0) }
        }
    }

    /// Begins a stream of events.
    ///
    /// - Throws: why there is none; then `stream` was not called.
    private func addViewer(
        _ viewer: AdmittedOperator,
        to route: AdminRoute,
        input: AdminInput,
        stream: () -> HTTPEventStream
    ) throws(AdminProblem) {
        guard case .deadTokenEvents = route.operation else {
            return events.add(stream(), for: viewer)
        }
        let begin = try input.deadTokenEvents()
        try tokenEvents.add(viewer, of: begin.app, after: begin.after, stream: stream)
    }

    /// Returns `reply`, for a command so that its answer leaves when it is in the audit log.
    ///
    /// What comes from clients that are no operators is not written down: they could fill the log,
    /// and drop what is in it.
    private func writingDown(
        _ route: AdminRoute?,
        for admitted: AdmittedOperator?,
        request: HTTPRequest,
        id: String,
        reply: @escaping @Sendable (AdminRoute?, DeferredResponse) -> Void
    ) -> @Sendable (AdminRoute?, DeferredResponse) -> Void {
        guard let route, route.isCommand, let audit = settings.audit, audit.problem == nil else {
            return reply
        }
        let now = settings.now
        return { route, later in
            guard let admitted = later.opened ?? admitted else { return reply(route, later) }
            let record = AuditRecord(
                date: now(),
                admitted: admitted,
                request: request,
                id: id,
                status: later.status,
                problem: later.problem,
                change: later.change
            )
            audit.append(record) { reply(route, later) }
        }
    }

    /// Adds the headers that every answer has, and counts the answer.
    private func finished(
        _ response: HTTPResponse,
        id: String,
        request: HTTPRequest,
        route: AdminRoute?
    ) -> HTTPResponse {
        var response = response
        response.headers.append(("X-Request-Id", id))
        response.headers.append(("X-Content-Type-Options", "nosniff"))
        logRequest(id, request: request, route: route, status: response.status)
        return response
    }

    /// Counts and logs an answered request.
    private func logRequest(
        _ id: String,
        request: HTTPRequest,
        route: AdminRoute?,
        status: UInt32
    ) {
        let path = route?.path ?? "(none)"
        counts.add(path, status: status)
        settings.onAnswer?(
            AnsweredRequest(
                id: id,
                method: AdminRoutes.methods.contains(request.method) ? request.method : "(other)",
                route: path,
                isCommand: route?.isCommand ?? false,
                status: status
            )
        )
    }

    // MARK: - Refusals before the body is read

    /// A request that may proceed: its route, and the names in its path.
    private struct AdmittedRequest {
        let route: AdminRoute
        let names: [String]
        /// Who asks; nil on a route that is open to all.
        let `operator`: AdmittedOperator?
    }

    /// The response to a request that may not proceed.
    private struct Refusal: Error {
        var response: HTTPResponse
        /// The code of the problem.
        let code: String
        /// The route of the request; nil if no route has its path and method.
        var route: AdminRoute?
        /// Who asks; nil if that is not known.
        var `operator`: AdmittedOperator?

        init(_ problem: AdminProblem) {
            response = HTTPResponse(problem)
            code = problem.code
        }

        init(_ status: UInt32, code: String, detail: String) {
            self.init(AdminProblem(status, code: code, detail: detail))
        }
    }

    /// Decides from method, path, headers and query whether a request may proceed.
    private func admit(_ request: HTTPRequest) -> Result<AdmittedRequest, Refusal> {
        switch AdminRoutes.find(request.method, path: request.segments ?? []) {
        case .route(let route, let names):
            switch judge(request, access: route.access, role: route.role) {
            case .failure(var refusal):
                refusal.route = route
                return .failure(refusal)
            case .success(let found):
                if let problem = Self.problem(ofQuery: request, for: route) {
                    var refusal = Refusal(problem)
                    refusal.route = route
                    return .failure(refusal)
                }
                return .success(AdmittedRequest(route: route, names: names, operator: found))
            }
        case .nothing:
            let refusal = Refusal(
                404,
                code: "not-found",
                detail: "/openapi.json lists all paths that there are"
            )
            return .failure(self.refusal(of: request) ?? refusal)
        case .otherMethods(let methods):
            let allowed = methods.joined(separator: ", ")
            var refusal = Refusal(
                405,
                code: "method-not-allowed",
                detail: "the path accepts only \(allowed)"
            )
            refusal.response.headers.append(("Allow", allowed))
            return .failure(self.refusal(of: request) ?? refusal)
        }
    }

    /// Why a request may not even learn what there is; nil if an operator sends it.
    private func refusal(of request: HTTPRequest) -> Refusal? {
        if case .failure(let refusal) = judge(request, access: .bearer, role: .viewer) {
            return refusal
        }
        return nil
    }

    /// Recognises the operator, and checks its role, and that the request comes from no foreign web
    /// page.
    ///
    /// - Returns: the operator; nil on a route that needs none.
    private func judge(
        _ request: HTTPRequest,
        access: AdminRoute.Access,
        role: OperatorRole
    ) -> Result<AdmittedOperator?, Refusal> {
        var found: AdmittedOperator?
        switch access {
        case .anybody: return .success(nil)
        case .anybodyOrOperator:
            let operators = judge(request, access: .bearer, role: role)
            return .success((try? operators.get()) ?? nil)
        case .code: break
        case .bearer, .bearerInQuery:
            let inQuery = access == .bearerInQuery
            switch settings.authorization.judge(request, inQuery: inQuery) {
            case .failure(let problem): return .failure(Refusal(problem))
            case .success(let admitted): found = admitted
            }
        }
        if let problem = BrowserGuard.problem(request, isLocal: settings.isLocal) {
            return .failure(Refusal(problem))
        }
        guard let found, found.role < role else { return .success(found) }
        var refusal = Refusal(
            403,
            code: "role-insufficient",
            detail: "\(found.name) is a \(found.role.rawValue); this needs the role "
                + role.rawValue
        )
        refusal.operator = found
        return .failure(refusal)
    }

    /// Refuses unknown and repeated parameters: ignoring them would hide a misspelt name.
    private static func problem(
        ofQuery request: HTTPRequest,
        for route: AdminRoute
    ) -> AdminProblem? {
        if route.isOpen { return nil }
        var seen: Set<String> = []
        for name in request.arguments.lazy.map(\.name) {
            if !route.parameters.contains(name) {
                let known =
                    route.parameters.isEmpty
                    ? "none" : route.parameters.joined(separator: ", ")
                return AdminProblem(
                    400,
                    code: "parameter-invalid",
                    detail: "there is no parameter \(quotation(name)) here; there are: \(known)"
                )
            }
            if !seen.insert(name).inserted {
                return AdminProblem(
                    400,
                    code: "parameter-invalid",
                    detail: "the parameter \(name) is repeated"
                )
            }
        }
        return nil
    }

    private static func body(of request: HTTPRequest) -> Result<[UInt8], Refusal> {
        switch request.body {
        case .whole(let bytes): .success(bytes)
        case .tooLarge:
            .failure(
                Refusal(
                    413,
                    code: "body-too-large",
                    detail: request.isRead
                        ? "a request that only reads has no body"
                        : "the body is too long; most may have \(bodyLimit) bytes"
                )
            )
        case .noRoom:
            .failure(
                Refusal(503, code: "busy", detail: "too many bodies are on their way; try again")
            )
        }
    }
}
