internal import Basics
internal import CAdminFiles
internal import Credentials
internal import FrameCodec
internal import HTTPServing
internal import Platform
internal import RouterCore

/// How each route is answered: at once on this thread, or by asking the loop.
extension AdminResources {
    /// What a request leads to, once it was read.
    struct Work: Sendable {
        /// Who does it.
        enum Place: Sendable {
            /// The thread on which it is called.
            case here(@Sendable () -> DeferredResponse)
            /// The loop.
            case loop(AdminRequest)
        }

        let place: Place
        /// For whom; nil on a route that is open to all.
        let `operator`: AdmittedOperator?
    }

    /// Does what a request leads to; `send` is called exactly once, now or later.
    func perform(_ work: Work, id: String, send: @escaping @Sendable (DeferredResponse) -> Void) {
        switch work.place {
        case .here(let answer): send(answer())
        case .loop(let request):
            RequestID.$current.withValue(id) {
                port.submit(request, from: work.operator?.name) { answer in
                    send(DeferredResponse(answer))
                }
            }
        }
    }

    /// Reads what a request asks for; nothing has changed yet.
    func work(
        of operation: AdminRoute.Operation,
        input: AdminInput,
        for admitted: AdmittedOperator?
    ) throws(AdminProblem) -> Work {
        if case .here(.openSession) = operation { return try session(input) }
        return Work(
            place: try place(of: operation, input: input, for: admitted),
            operator: admitted
        )
    }

    private func place(
        of operation: AdminRoute.Operation,
        input: AdminInput,
        for admitted: AdmittedOperator?
    ) throws(AdminProblem) -> Work.Place {
        switch operation {
        case .loop(let read): return .loop(try read(input))
        case .here(.makeLink): return .here { DeferredResponse(self.link(for: admitted)) }
        case .here(.closeSession):
            let host = input.request.header("Host") ?? ""
            return .here { DeferredResponse(self.closeSession(of: admitted, at: host)) }
        case .here(let resource):
            let response = try response(of: resource, input: input, for: admitted)
            return .here { DeferredResponse(response) }
        }
    }

    private func response(
        of resource: AdminRoute.Resource,
        input: AdminInput,
        for admitted: AdmittedOperator?
    ) throws(AdminProblem) -> HTTPResponse {
        let file: StaticFile?
        switch resource {
        case .health: return .text(200, lines: ["ok"])
        case .readiness: return readiness(for: admitted)
        case .metrics: return metrics()
        case .document: return HTTPResponse(json: admin_openapi_json.copy)
        case .status: return snapshot.ask().response
        case .validateAppFile: return HTTPResponse(json: Self.report(try input.appFile()))
        case .operator:
            guard let admitted else { return Self.noFile }
            return HTTPResponse(json: JSONWriter.object(admitted))
        case .page: file = settings.files.page
        case .runbook: file = settings.files.runbook
        case .asset: file = settings.files.assets[input.names[0]]
        // Handled in `serve`, in `work` and in `place`; they never come here.
        case .events, .deadTokenEvents, .openSession, .closeSession, .makeLink: file = nil
        }
        return file?.answer(to: input.request) ?? Self.noFile
    }

    /// The answer for a file that does not exist.
    private static var noFile: HTTPResponse {
        HTTPResponse(AdminProblem(404, code: "not-found", detail: "there is no such file"))
    }

    /// Whether the router is ready; why not, and what is for trials, only for an operator of all
    /// apps.
    private func readiness(for admitted: AdmittedOperator?) -> HTTPResponse {
        let answer = snapshot.ask()
        let readiness = Readiness(answer)
        let status: UInt32 = readiness.isReady ? 200 : 503
        if admitted == nil || admitted?.listed.apps != nil {
            return .text(status, lines: [readiness.publicLine])
        }
        if !readiness.isReady { return .text(status, lines: readiness.reasons) }
        var lines = ["ready"]
        if case .status(let status) = answer {
            lines += status.files.compactMap(\.warning)
            lines += status.warnings.map { "for trials only: \($0)" }
        }
        return .text(status, lines: lines)
    }

    private func metrics() -> HTTPResponse {
        let answer = snapshot.ask()
        guard case .status(let status) = answer else { return answer.response }
        var metrics = MetricsText()
        status.write(to: &metrics)
        counts.write(to: &metrics)
        settings.publishing?.write(to: &metrics)
        // It is read from the disk, which the loop must not wait for.
        metrics.write("store_last_backup_time_seconds", value: settings.lastBackup?())
        // The thread of the log knows it, and not the loop.
        if let audit = settings.audit { metrics.write("audit_log_failing", value: audit.isFailing) }
        return HTTPResponse(
            status: 200,
            contentType: "text/plain; version=0.0.4; charset=utf-8",
            body: metrics.text
        )
    }

    // MARK: - Operators

    /// Makes a link for the browser of who asks.
    private func link(for admitted: AdmittedOperator?) -> HTTPResponse {
        guard let admitted else { return Self.noFile }
        return HTTPResponse(
            json: JSONWriter.object(settings.authorization.makeLink(for: admitted))
        )
    }

    /// Turns the code of a link into a browser's token, for the operator whose link it is.
    private func session(_ input: AdminInput) throws(AdminProblem) -> Work {
        let code = try input.code()
        let host = input.request.header("Host") ?? ""
        let used = AdminProblem(
            401,
            code: "unauthorized",
            detail: "the link has been used, or is too old; `reload-router dashboard` makes another"
        )
        guard let holder = settings.authorization.linkHolder(code) else { throw used }
        let place = Work.Place.here {
            guard let opened = self.settings.authorization.openSession(code) else {
                return DeferredResponse(.problem(used))
            }
            var response = HTTPResponse(json: JSONWriter.object(opened))
            response.headers.append(
                self.cookie(opened.cookie, at: host, until: opened.admitted.until)
            )
            return DeferredResponse(response)
        }
        return Work(place: place, operator: holder)
    }

    /// Ends the session of the browser that asks.
    private func closeSession(
        of admitted: AdmittedOperator?,
        at host: String
    ) -> HTTPResponse {
        let isEnded = admitted.map { settings.authorization.endSession(of: $0) } ?? false
        var response = HTTPResponse(json: JSONWriter.object { $0.member("ended", value: isEnded) })
        if isEnded { response.headers.append(cookie("", at: host, until: .zero)) }
        return response
    }

    private func cookie(
        _ value: String,
        at host: String,
        until: WallTime?
    ) -> (name: String, value: String) {
        let lifetime = (until ?? .zero) - settings.now()
        return BrowserCookie.header(
            value,
            at: host,
            lasting: max(Milliseconds.zero, lifetime),
            isSecure: settings.isSecure
        )
    }

    // MARK: - App files

    private static func report(_ file: AppFile) -> [UInt8] {
        JSONWriter.object { json in
            json.members(of: file.catalog)
            json.list("warnings", of: file.warnings)
        }
    }
}
