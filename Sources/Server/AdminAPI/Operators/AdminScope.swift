/// What a request is about, for operators that have their role for some apps alone.
enum AdminScope: Equatable {
    /// Nothing that names an app: who asks, or figures of the router as a whole.
    case nothing
    /// One app.
    case app(String)
    /// The router as a whole, or all apps with their names.
    case router
}

extension AdminRequest {
    /// What it is about.
    var scope: AdminScope {
        switch self {
        case .app(let app), .pause(let app), .resume(let app), .forgetProducer(let app, _),
            .devices(let app, _, _), .device(let app, _), .forgetDevice(let app, _),
            .deadTokens(let app, _, _), .revokeTokens(let app, _, _),
            .withdrawRevocation(let app, _), .revocations(let app, _, _),
            .appHistory(let app, _, _):
            .app(app)
        case .producers(let app, _, _): app.map { .app($0) } ?? .router
        case .explain(let request): .app(request.app)
        case .slots(let request): .app(request.app)
        case .push(let request): .app(request.app)
        case .lookUp(let lookup): .app(lookup.app)
        case .history: .nothing
        case .connections, .apps, .appFile, .replaceAppFile, .origins, .hotKeys, .drain, .logLevel,
            .setLogLevel, .backup:
            .router
        }
    }
}

extension AdminRoute.Operation {
    /// What it is about, if it does not ask the loop; of `deadTokenEvents`, its input says it.
    var scope: AdminScope {
        switch self {
        case .here(let resource):
            switch resource {
            // They have the names of apps and origins.
            case .metrics, .status, .events: .router
            case .health, .readiness, .page, .runbook, .asset, .document, .operator,
                .deadTokenEvents, .validateAppFile, .makeLink, .openSession, .closeSession:
                .nothing
            }
        case .loop: .nothing
        }
    }
}
