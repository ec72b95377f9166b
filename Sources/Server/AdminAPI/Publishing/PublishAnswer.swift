internal import Basics
internal import CAdminFiles
package import HTTPMessages
internal import HTTPServing
package import RouterCore

/// The answer to a request of a publisher.
package enum PublishAnswer: Sendable {
    /// The document that describes the listener.
    case document
    /// The pushes are durable, except those that were refused.
    case pushes(PushesBody)
    /// The number of widgets that are stored for a device, durably.
    case registered(widgets: Int)
    /// A body in JSON: of a device's timeline that is stored durably, that of SCHEDULED; or what
    /// was asked for.
    case json([UInt8])
    /// A device's report is durable, and there is nothing to say.
    case noContent
    /// The path accepts other methods.
    case otherMethod(allowed: String)
    /// What the path accepts and, if a sender of events asks whether it may send, that it may.
    case options(allowed: String, WebHookPermission?)
    /// The request is refused, or has failed.
    case problem(AdminProblem)

    /// What became of a publisher's pushes: a refusal, if all of them were refused.
    package init(_ body: PushesBody) {
        self = body.wholeRefusal.map { .problem($0) } ?? .pushes(body)
    }

    /// A refusal as a publisher gets it.
    package init(_ problem: AdminProblem) {
        var problem = problem
        // Publishers' libraries try again after this status, and not after 409.
        if problem.code == "app-paused" { problem.status = 503 }
        self = .problem(problem)
    }

    /// A refusal of what cannot be read as a request.
    package init(_ failure: RequestFailure) { self = .problem(AdminProblem(failure)) }

    /// The answer of the router to a device's report.
    package init(_ answer: ReportAnswer) {
        switch answer {
        case .registered(let widgets): self = .registered(widgets: widgets)
        case .scheduled(let body): self = .json(body)
        case .none: self = .noContent
        }
    }

    /// The HTTP status.
    package var status: UInt32 {
        switch self {
        case .document, .registered, .json, .options(_, .some): 200
        case .pushes: 202
        case .noContent, .options(_, nil): 204
        case .otherMethod: 405
        case .problem(let problem): problem.status
        }
    }

    /// Writes the headers that depend on the answer after the first line, and its body, which is
    /// empty before. `isMinimal` says that the client wants no body if its pushes were accepted.
    func write(to writer: inout AnswerWriter, body: inout [UInt8], isMinimal: Bool) {
        switch self {
        case .pushes(let pushes) where isMinimal: Self.writeHeaders(of: pushes, to: &writer)
        case .document:
            Self.writeJSONHeaders(to: &writer)
            body += http_openapi_json.copy
            body.append(0x0a)
        case .pushes(let pushes):
            Self.writeJSONHeaders(to: &writer)
            Self.writeHeaders(of: pushes, to: &writer)
            Self.write(pushes, to: &body)
        case .registered(let widgets):
            Self.writeJSONHeaders(to: &writer)
            body += "{\"widgets\":\(widgets)}\n".utf8
        case .json(let json):
            Self.writeJSONHeaders(to: &writer)
            body += json
            body.append(0x0a)
        case .noContent: break
        case .options(let allowed, let permission):
            writer.header("Allow", text: allowed)
            permission?.write(to: &writer)
        case .otherMethod(let allowed):
            Self.write(.otherMethod(allowed: allowed), to: &writer, body: &body)
            writer.header("Allow", text: allowed)
        case .problem(let problem): Self.write(problem, to: &writer, body: &body)
        }
    }

    private static func writeHeaders(of pushes: PushesBody, to writer: inout AnswerWriter) {
        if pushes.isRepeated { writer.header("Idempotent-Replayed", value: "true") }
        if let location = pushes.location { writer.header("Location", text: location) }
    }

    private static func writeJSONHeaders(to writer: inout AnswerWriter) {
        writer.header("Content-Type", value: "application/json")
        writer.header("Cache-Control", value: "no-store")
    }

    private static func write(
        _ problem: AdminProblem,
        to writer: inout AnswerWriter,
        body: inout [UInt8]
    ) {
        let response = HTTPResponse(problem)
        for (name, value) in response.headers { writer.header(named: name, text: value) }
        body += response.body
    }

    private static func write(_ pushes: PushesBody, to body: inout [UInt8]) {
        let duplicates = pushes.outcome.duplicates
        let accepted = max(0, pushes.accepted - duplicates)
        // Numbers need no escapes, and nearly all answers have nothing else.
        body += "{\"accepted\":".utf8
        body += String(accepted).utf8
        body += ",\"duplicates\":".utf8
        body += String(duplicates).utf8
        body += ",\"matched\":".utf8
        body += String(pushes.matched).utf8
        if pushes.expired > 0 {
            body += ",\"expired\":".utf8
            body += String(pushes.expired).utf8
        }
        if pushes.unknownKinds.isEmpty && !pushes.showsOutcome && pushes.refused.count == 0 {
            body += ",\"rejected\":[]}\n".utf8
            return
        }
        let members = JSONWriter.object { json in
            if !pushes.unknownKinds.isEmpty { json.list("unknownKinds", of: pushes.unknownKinds) }
            if pushes.showsOutcome { json.member("outcome", value: pushes.outcome) }
            pushes.refused.writeMembers(to: &json)
        }
        body.append(0x2c)
        body += members.dropFirst()
        body.append(0x0a)
    }
}
