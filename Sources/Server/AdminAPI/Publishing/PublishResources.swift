package import HTTPServing
internal import Platform
internal import ReloadModel
package import Times

/// The resources of the listener for publishers: admits a request, reads its pushes, and passes
/// them to the loop.
///
///     request ─► path, credential, query ─► body ─► pushes ─► AdminPort ─► answered when durable
///
/// It runs on the thread of the HTTP server, and never waits for the loop. Nothing of a body is
/// kept before its sender has proved to be a publisher of the app, and only the connections of
/// publishers are kept in preference to others; so strangers cannot displace them.
package final class PublishResources: HTTPHandler {
    /// The longest body in bytes; a longer one is refused with 413 `body-too-large`.
    package static var bodyLimit: Int { 8 << 20 }
    /// The parameters of the query.
    private static var parameters: [String] { ["producer", "seq"] }

    /// What the listener does besides answering.
    package struct Settings: Sendable {
        /// When the process started; a part of request ids, so that they differ between runs.
        package var startedAt: WallTime
        /// Reads the clock, for credentials.
        package var now: @Sendable () -> WallTime
        /// Called for every answer, on any thread, before it is sent; for logging.
        package var onAnswer: (@Sendable (AnsweredRequest) -> Void)?

        /// Makes settings without a log.
        ///
        /// - Parameters:
        ///   - startedAt: when the process started.
        ///   - now: reads the clock.
        package init(startedAt: WallTime, now: @escaping @Sendable () -> WallTime) {
            self.startedAt = startedAt
            self.now = now
        }
    }

    private let gate: PublisherGate
    private let port: any AdminPort
    private let counts: HTTPRequestCounts
    private let settings: Settings
    private let ids: RequestIDs

    /// - Parameters:
    ///   - gate: who is let in.
    ///   - port: passes pushes to the loop.
    ///   - counts: counts the answers.
    ///   - settings: the clock and the log.
    package init(
        _ gate: PublisherGate,
        port: any AdminPort,
        counts: HTTPRequestCounts,
        settings: Settings
    ) {
        self.gate = gate
        self.port = port
        self.counts = counts
        self.settings = settings
        ids = RequestIDs(start: settings.startedAt)
    }

    // MARK: - Called by the HTTP server

    /// The longest body of a request, in bytes: 0 if it will be refused.
    package func bodyLimit(of head: HTTPRequest) -> Int? {
        if case .pushes = admit(head) { return Self.bodyLimit }
        return 0
    }

    /// True for a request of a publisher.
    package func trusts(_ head: HTTPRequest) -> Bool {
        if case .pushes = admit(head) { return true }
        return false
    }

    /// Counts connections that the HTTP server has closed to make room for others.
    package func displaced(_ count: Int) { counts.addDisplaced(count) }

    /// Answers a request at once, or when its pushes are durable.
    package func respond(to request: HTTPRequest, with responder: HTTPResponder) {
        serve(request) { responder.send(making: $0) }
    }

    /// Serves a request.
    ///
    /// - Parameters:
    ///   - request: the request, with its body.
    ///   - answer: called exactly once, possibly later and on another thread. It receives a closure
    ///     that makes the response on the server's thread.
    func serve(
        _ request: HTTPRequest,
        answer: @escaping @Sendable (@escaping @Sendable () -> HTTPResponse) -> Void
    ) {
        let id = ids.id(of: request)
        let method = request.method
        let admitted = admit(request)
        let route = admitted.route
        let reply: @Sendable (DeferredResponse) -> Void = { later in
            self.count(later.status, id: id, method: method, route: route)
            answer {
                var response = later.make()
                response.headers.append(("X-Request-Id", id))
                response.headers.append(("X-Content-Type-Options", "nosniff"))
                return response
            }
        }
        switch admitted {
        case .document:
            reply(DeferredResponse(HTTPResponse(json: PackageResources.http_openapi_json)))
        case .refused(let response, _): reply(DeferredResponse(response))
        case .pushes(let app):
            let pushes: PushRequest
            do throws(AdminProblem) {
                let input = AdminInput(
                    request: request,
                    names: [app],
                    body: try Self.body(of: request)
                )
                pushes = try input.publish(app: app)
            } catch {
                return reply(DeferredResponse(HTTPResponse(error)))
            }
            RequestID.$current.withValue(id) {
                port.submit(.push(pushes)) { reply(DeferredResponse($0.forPublisher)) }
            }
        }
    }

    /// Counts and logs an answered request.
    private func count(_ status: UInt32, id: String, method: String, route: String) {
        counts.add(route, status: status)
        settings.onAnswer?(
            AnsweredRequest(
                id: id,
                method: ["GET", "HEAD", "POST"].contains(method) ? method : "(other)",
                route: route,
                isCommand: false,
                status: status
            )
        )
    }

    // MARK: - Before the body is read

    /// What is to be done with a request, by its head.
    private enum Admission {
        /// Its body has pushes of the app.
        case pushes(app: String)
        /// The document that describes the listener.
        case document
        /// It is refused.
        case refused(HTTPResponse, route: String)

        var route: String {
            switch self {
            case .pushes: "/v1/apps/{app}/pushes"
            case .document: "/openapi.json"
            case .refused(_, let route): route
            }
        }
    }

    private func admit(_ request: HTTPRequest) -> Admission {
        let segments = request.segments ?? []
        if segments == ["openapi.json"] {
            return request.isRead ? .document : Self.otherMethod("GET, HEAD", at: "/openapi.json")
        }
        guard segments.count == 4, segments[0] == "v1", segments[1] == "apps",
            segments[3] == "pushes"
        else {
            let problem = AdminProblem(
                404,
                code: "not-found",
                detail: "/openapi.json lists all paths that there are"
            )
            return .refused(HTTPResponse(problem), route: "(none)")
        }
        let route = Admission.pushes(app: segments[2]).route
        if request.method != "POST" { return Self.otherMethod("POST", at: route) }
        do throws(AdminProblem) {
            try AdminProblem.checkIdentifier(segments[2], as: "the app")
            if let producer = request.query("producer") {
                try AdminProblem.checkIdentifier(producer, as: "the parameter producer")
            }
        } catch {
            return .refused(HTTPResponse(error), route: route)
        }
        let problem = gate.problem(
            with: request,
            app: segments[2],
            producer: request.query("producer"),
            now: settings.now()
        )
        if let problem = problem ?? Self.problem(ofQuery: request) {
            return .refused(HTTPResponse(problem), route: route)
        }
        return .pushes(app: segments[2])
    }

    private static func otherMethod(_ allowed: String, at route: String) -> Admission {
        var response = HTTPResponse(
            AdminProblem(
                405,
                code: "method-not-allowed",
                detail: "the path accepts only \(allowed)"
            )
        )
        response.headers.append(("Allow", allowed))
        return .refused(response, route: route)
    }

    /// Refuses unknown and repeated parameters: ignoring them would hide a misspelt name.
    private static func problem(ofQuery request: HTTPRequest) -> AdminProblem? {
        let names = request.arguments.map(\.name)
        for (index, name) in names.enumerated() {
            if parameters.contains(name) && !names[..<index].contains(name) { continue }
            let detail =
                parameters.contains(name)
                ? "the parameter \(name) is repeated"
                : "there is no parameter \(quotation(name)) here; there are: "
                    + parameters.joined(separator: ", ")
            return AdminProblem(400, code: "parameter-invalid", detail: detail)
        }
        return nil
    }

    private static func body(of request: HTTPRequest) throws(AdminProblem) -> [UInt8] {
        switch request.body {
        case .whole(let bytes): return bytes
        case .tooLarge:
            throw AdminProblem(
                413,
                code: "body-too-large",
                detail: "the body is longer than \(bodyLimit) bytes"
            )
        case .noRoom: throw .busy("too many bodies are on their way; try again")
        }
    }
}
