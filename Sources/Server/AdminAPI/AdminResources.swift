internal import Basics
package import HTTPMessages
package import HTTPServing

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

    let snapshot: StatusSnapshot
    let port: any AdminPort
    let settings: AdminSettings
    private let ids: RequestIDs
    private let events: AdminEvents
    let counts = HTTPRequestCounts("admin")

    /// Resources that take the status from a snapshot, and pass other requests to the loop by a
    /// port.
    package init(_ snapshot: StatusSnapshot, port: any AdminPort, settings: AdminSettings) {
        self.snapshot = snapshot
        self.port = port
        self.settings = settings
        ids = RequestIDs(start: settings.startedAt)
        events = AdminEvents(snapshot, port: port, authorization: settings.authorization)
    }

    // MARK: - Called by the HTTP server

    /// The longest body of a request, in bytes: 0 if the request only reads or will be refused, so
    /// that nothing of its body is kept.
    package func bodyLimit(of head: HTTPRequest) -> Int? {
        guard let admitted = try? admit(head), !head.isRead else { return 0 }
        return admitted.operator == nil ? Self.codeLimit : Self.bodyLimit
    }

    /// True for a request of an operator. Its connection is not closed to make room for others.
    package func trusts(_ head: HTTPRequest) -> Bool { (try? admit(head))?.operator != nil }

    /// Counts connections that the HTTP server has closed to make room for others.
    package func displaced(_ count: Int) { counts.addDisplaced(count) }

    /// Answers a request at once or later, or begins a stream of events.
    package func respond(to request: HTTPRequest, with responder: HTTPResponder) {
        serve(request, events: { responder.beginEvents() }, answer: { responder.send(making: $0) })
    }

    /// Answers what is not read as a request.
    package func response(to failure: RequestFailure) -> HTTPResponse {
        finished(HTTPResponse(AdminProblem(failure)), id: ids.next(), method: nil, route: nil)
    }

    /// Serves a request with its body. Either `events` is called, which begins a stream of events,
    /// or `answer` exactly once, possibly later and on another thread. That receives a closure that
    /// makes the response on the server's thread, and returns false if that will never be called,
    /// because the connection is gone.
    func serve(
        _ request: HTTPRequest,
        events: () -> HTTPEventStream,
        answer: @escaping @Sendable (@escaping @Sendable () -> HTTPResponse) -> Bool
    ) {
        let id = ids.id(of: request)
        // The body is read from `request`, and not kept for as long as the answer takes.
        var head = request
        head.body = .whole([])
        let method = head.method
        let reply: @Sendable (AdminRoute?, DeferredResponse) -> Void = { route, later in
            let isSent = answer {
                self.finished(later.make(), id: id, method: method, route: route)
            }
            if isSent { return }
            self.logRequest(id, method: method, route: route, status: later.status)
        }
        let admitted: AdmittedRequest
        do throws(Refusal) {
            admitted = try admit(request)
        } catch {
            count(error.code, for: error.operator, request: head, route: error.route)
            return reply(error.route, DeferredResponse(error.response))
        }
        let route = admitted.route
        let work: Work
        do throws(AdminProblem) {
            let input = AdminInput(
                request: request,
                names: admitted.names,
                body: try Self.body(of: request),
                now: settings.now()
            )
            try admitted.operator?.require(route.operation.scope)
            if route.isStream, let viewer = admitted.operator {
                try addViewer(viewer, to: route, input: input, stream: events)
                return logRequest(id, method: request.method, route: route, status: 200)
            }
            work = try self.work(of: route.operation, input: input, for: admitted.operator)
            if case .loop(let request) = work.place { try work.operator?.require(request.scope) }
        } catch {
            let isChange = route.isCommand || route.role > .viewer
            if isChange || error.status == 403 || error.code == AdminProblem.bodyTooLarge {
                count(error.code, for: admitted.operator, request: head, route: route)
            }
            return reply(route, DeferredResponse(HTTPResponse(error)))
        }
        guard let audit = settings.audit, let admitted = work.operator else {
            return perform(work, id: id) { reply(route, $0) }
        }
        let record = AuditRecord(date: settings.now(), admitted: admitted, request: head, id: id)
        if case .here(.closeSession) = route.operation {
            carryOutAtOnce(work, as: record, in: audit) { reply(route, $0) }
        } else if route.isCommand {
            carryOut(work, as: record, in: audit) { reply(route, $0) }
        } else if let counted = work.counted(as: route) {
            carryOut(work, as: record, counted: counted, in: audit) { reply(route, $0) }
        } else {
            perform(work, id: id) { reply(route, $0) }
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
        guard case .here(.deadTokenEvents) = route.operation else {
            return events.rounds.add(viewer, stream: stream())
        }
        let begin = try input.deadTokenEvents()
        try viewer.require(.app(begin.app))
        try events.rounds.add(viewer, of: begin.app, after: begin.after, stream: stream)
    }

    /// Adds the headers that every answer has, and counts the answer.
    private func finished(
        _ response: HTTPResponse,
        id: String,
        method: String?,
        route: AdminRoute?
    ) -> HTTPResponse {
        var response = response
        response.headers.append(("X-Request-Id", id))
        response.headers.append(("X-Content-Type-Options", "nosniff"))
        logRequest(id, method: method, route: route, status: response.status)
        return response
    }

    /// Counts and logs an answered request; the method is nil if it was not read.
    private func logRequest(_ id: String, method: String?, route: AdminRoute?, status: UInt32) {
        let path = route?.path ?? "(none)"
        counts.add(path, status: status)
        settings.onAnswer?(
            AnsweredRequest(
                id: id,
                method: method.flatMap { AdminRoutes.methods.contains($0) ? $0 : nil } ?? "(other)",
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
        /// Who asks; nil if that is not known.
        let `operator`: AdmittedOperator?
        /// The route of the request; nil if no route has its path and method.
        let route: AdminRoute?

        init(_ problem: AdminProblem, operator: AdmittedOperator? = nil, route: AdminRoute? = nil) {
            response = HTTPResponse(problem)
            code = problem.code
            self.operator = `operator`
            self.route = route
        }
    }

    /// Decides from method, path, headers and query whether a request may proceed.
    private func admit(_ request: HTTPRequest) throws(Refusal) -> AdmittedRequest {
        if let problem = AmbiguousRequest.problem(repeated: request.repeatedNames) {
            throw Refusal(problem)
        }
        switch AdminRoutes.find(request.method, path: request.rawPath) {
        case .route(let route, let names):
            let found = try judge(request, access: route.access, role: route.role, route: route)
            let codings = request.isRead ? [] : request.headers("Content-Encoding")
            let arguments = route.isOpen ? [] : request.arguments.map(\.name)
            let problem =
                AmbiguousRequest.problem(arguments: arguments, known: route.parameters)
                ?? AmbiguousRequest.problem(codings: codings)
            if let problem { throw Refusal(problem, operator: found, route: route) }
            return AdmittedRequest(route: route, names: names, operator: found)
        // Operators alone learn what there is.
        case .nothing:
            _ = try judge(request, access: .bearer, role: .viewer)
            throw Refusal(.noPath)
        case .otherMethods(let methods):
            _ = try judge(request, access: .bearer, role: .viewer)
            let allowed = methods.joined(separator: ", ")
            var refusal = Refusal(.otherMethod(allowed: allowed))
            refusal.response.headers.append(("Allow", allowed))
            throw refusal
        }
    }

    /// Recognises the operator, and checks its role, and that the request comes from no foreign web
    /// page; nil on a route that needs no operator.
    private func judge(
        _ request: HTTPRequest,
        access: AdminRoute.Access,
        role: OperatorRole,
        route: AdminRoute? = nil
    ) throws(Refusal) -> AdmittedOperator? {
        var found: AdmittedOperator?
        switch access {
        case .anybody: return nil
        case .anybodyOrOperator: return try? judge(request, access: .bearer, role: role)
        case .code: break
        case .bearer, .bearerInQuery:
            do throws(Authorization.Refusal) {
                let inQuery = access == .bearerInQuery
                found = try settings.authorization.judge(
                    request,
                    inQuery: inQuery,
                    isSecure: settings.isSecure
                )
            } catch {
                throw Refusal(error.problem, operator: error.operator, route: route)
            }
        }
        if let problem = BrowserGuard.problem(request, isLocal: settings.isLocal) {
            throw Refusal(problem, operator: found, route: route)
        }
        guard let found, found.role < role else { return found }
        let problem = AdminProblem(
            403,
            code: "role-insufficient",
            detail: "\(found.name) is a \(found.role.rawValue); this needs the role "
                + role.rawValue
        )
        throw Refusal(problem, operator: found, route: route)
    }

    private static func body(of request: HTTPRequest) throws(AdminProblem) -> [UInt8] {
        switch request.body {
        case .whole(let bytes): return bytes
        case .tooLarge:
            throw AdminProblem(
                413,
                code: AdminProblem.bodyTooLarge,
                detail: request.isRead
                    ? "a request that only reads has no body"
                    : "the body is too long; most may have \(bodyLimit) bytes"
            )
        case .noRoom: throw .busy("too many bodies are on their way; try again")
        }
    }
}
