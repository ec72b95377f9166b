package import Basics
package import Credentials
internal import FrameCodec
package import HTTPMessages
internal import HTTPServing
internal import Platform

/// The resources of the listener for publishers: judges a request by its head, reads its pushes,
/// its report or its question, and writes its answer.
///
///     head ─► path, credential, query ─► body ─► pushes ─► the router ─► answer, when durable
///                                   │      └───► report ─────▲
///                                   └─► lookup ──────────────┘
///
/// It does no input and output. Nothing of a body is kept before its sender has proved to be a
/// publisher of the app, or to speak for the device; and only the connections of publishers and
/// gateways are kept in preference to others, so neither strangers nor a crowd of devices can
/// displace them.
///
/// Belongs to the loop's thread.
package final class PublishResources {
    /// The longest body in bytes; a longer one is refused with 413 `body-too-large`.
    package static var bodyLimit: Int { 8 << 20 }

    /// What the listener does besides answering.
    package struct Settings {
        /// When the process started; a part of request ids, so that they differ between runs.
        package var startedAt: WallTime
        /// The origins from which events may come.
        package var webHookOrigins = WebHookOrigins.all
        /// Called for every answer, before it is sent; for logging.
        package var onAnswer: ((AnsweredRequest) -> Void)?

        /// Makes settings without a log.
        package init(startedAt: WallTime) { self.startedAt = startedAt }
    }

    /// What metrics and logs show of a path that is none of a route, and of what is no request.
    package static var noRoute: String { "(none)" }

    private let gate: PublisherGate
    private let counts: HTTPRequestCounts
    private let settings: Settings
    private let ids: RequestIDs
    private var writer = AnswerWriter()
    private var date = HTTPDate(0)
    /// The memory of bodies of answers.
    private var json: [UInt8] = []

    /// The gate says who is let in; the answers are counted.
    package init(_ gate: PublisherGate, counts: HTTPRequestCounts, settings: Settings) {
        self.gate = gate
        self.counts = counts
        self.settings = settings
        ids = RequestIDs(start: settings.startedAt)
    }

    /// Counts connections that were closed to make room for others.
    package func displaced(_ count: Int) { counts.addDisplaced(count) }

    // MARK: - Before the body is read

    /// What is to be done with a request, by its head.
    package enum Admission {
        /// Its body is to be read.
        case body(PublishTarget)
        /// Its body is to be read if the signature of its token is right; then `finish` decides.
        case unverified(SignedHello, PublishTarget)
        /// It is answered at once; a body is discarded.
        case answer(PublishAnswer)
    }

    /// Judges a request by its head, and what its client has proved to have (nil for nothing).
    /// Returns what is to be done, and the route's path for metrics and logs. `judged`, which let
    /// in the last request of the connection, is replaced by this one's; `revocation` is the date
    /// before which tokens of a device of an app are revoked, nil for none.
    package func admit(
        _ head: RequestHead,
        certificate: ShownCertificate?,
        judged: inout PublisherGate.Judged?,
        revocation: PublisherGate.Revocation,
        now: WallTime
    ) -> (admission: Admission, route: String) {
        // An ambiguous request may be one thing to a proxy and another one here.
        if !head.hasValidHost {
            return (.answer(PublishAnswer(RequestFailure.host)), Self.noRoute)
        }
        guard let (route, names) = PublishRoute.find(head.path) else {
            // The server as a whole, of which OPTIONS alone asks.
            if head.path == ByteView("*") {
                let answer = PublishAnswer.options(allowed: PublishRoute.everyMethod, nil)
                return (.answer(answer), Self.noRoute)
            }
            return (.answer(.problem(.noPath)), Self.noRoute)
        }
        if let problem = AmbiguousRequest.problem(repeated: head.repeatedNames) {
            return (.answer(.problem(problem)), route.path)
        }
        if head.method == .options { return (.answer(options(head, of: route)), route.path) }
        if !route.methods.contains(head.method) {
            return (.answer(.otherMethod(allowed: route.allowed)), route.path)
        }
        if case .document = route.operation { return (.answer(.document), route.path) }
        do throws(AdminProblem) {
            let target = try PublishTarget(names, for: route.operation, head: head)
            let judgement = gate.judge(
                head,
                target: target,
                certificate: certificate,
                judged: &judged,
                revocation: revocation,
                now: now
            )
            // It is no longer needed.
            head.eraseValue("Authorization")
            return (admission(judgement, of: head, target: target), route.path)
        } catch {
            return (.answer(.problem(error)), route.path)
        }
    }

    /// Answers a request for what a path accepts.
    private func options(_ head: RequestHead, of route: PublishRoute) -> PublishAnswer {
        guard case .pushes = route.operation else { return .options(allowed: route.allowed, nil) }
        do throws(AdminProblem) {
            let permission = try WebHookPermission(head, allowed: settings.webHookOrigins)
            return .options(allowed: route.allowed, permission)
        } catch {
            return .problem(error)
        }
    }

    /// Ends the judgement of a request whose signature was verified, and found right if `isValid`;
    /// the result is never `unverified`. If the request is admitted, `judged` is replaced; see
    /// `admit` for `revocation`.
    package func finish(
        _ signed: SignedHello,
        isValid: Bool,
        head: RequestHead,
        target: PublishTarget,
        judged: inout PublisherGate.Judged?,
        revocation: PublisherGate.Revocation,
        now: WallTime
    ) -> Admission {
        let judgement = gate.finish(
            signed,
            isValid: isValid,
            target: target,
            judged: &judged,
            revocation: revocation,
            now: now
        )
        return admission(judgement, of: head, target: target)
    }

    private func admission(
        _ judgement: PublisherGate.Judgement,
        of head: RequestHead,
        target: PublishTarget
    ) -> Admission {
        switch judgement {
        case .admitted(let role, let sender):
            if let problem = target.problem { return .answer(.problem(problem)) }
            // Nearly all have none, and nothing is to be allocated for these.
            if head.header("Content-Encoding") != nil {
                let codings = head.headers(named: "Content-Encoding")
                if let problem = AmbiguousRequest.problem(codings: codings) {
                    return .answer(.problem(problem))
                }
            }
            target.admit(sender, as: role)
            return .body(target)
        case .refused(let problem): return .answer(.problem(problem))
        case .unverified(let signed): return .unverified(signed, target)
        }
    }

    /// The longest body in bytes of a request that was admitted, at most `bodyLimit`: that of a
    /// report is one frame's (`maxBody`), that of one event is its payload with its attributes, and
    /// a question has none. What is longer would be read in vain.
    package func bodyLimit(of target: PublishTarget, maxBody: Int) -> Int {
        if target.lookup != nil { return 0 }
        if target.report != nil { return min(Self.bodyLimit, maxBody) }
        let isEvent = target.mediaType == CloudEvent.structuredType
        return isEvent ? min(Self.bodyLimit, maxBody + CloudEvent.surroundLimit) : Self.bodyLimit
    }

    /// Reads what the head of a request that was admitted says of its pushes; the result reads its
    /// body.
    ///
    /// - Throws: why it is refused.
    package func pushTerms(
        _ head: RequestHead,
        target: PublishTarget,
        now: WallTime
    ) throws(AdminProblem) -> PushTerms {
        let input = AdminInput(
            request: PublisherFields(head: head, target: target),
            names: [],
            body: [],
            now: now
        )
        return try input.pushTerms(app: target.app, sender: target.sender)
    }

    /// Reads what a request that was admitted asks for.
    ///
    /// - Throws: why it is refused: 403 if the push is that of one of the router's own producers,
    ///   and of another sender's.
    package func lookup(
        _ lookup: PublishTarget.Lookup,
        head: RequestHead,
        target: PublishTarget
    ) throws(AdminProblem) -> PushLookup {
        if case .history(let producer) = lookup, HelloMessage.isReserved(producer),
            !target.sender.owns(producer)
        {
            throw AdminProblem(
                403,
                code: ErrorCode.tokenInvalid.rawValue,
                detail: "this credential is not for the producer \(quotation(producer))"
            )
        }
        let input = AdminInput(
            request: PublisherFields(head: head, target: target),
            names: target.names,
            body: []
        )
        return try input.lookup(lookup, by: target.sender)
    }

    /// Reads the report of a request that was admitted: what its path says of it, and its whole
    /// body.
    ///
    /// - Throws: 415 if its body is no JSON.
    package func report(
        _ report: PublishTarget.Report,
        target: PublishTarget,
        body: [UInt8]
    ) throws(AdminProblem) -> DeviceReport {
        if let type = target.mediaType, type != "application/json" {
            throw .mediaType("the body is \(quotation(type)); it must be application/json")
        }
        return DeviceReport(
            app: target.app,
            device: report.device,
            type: report.type,
            isOfGateway: target.role == .gateway,
            body: body
        )
    }

    // MARK: - Answers

    /// Writes an answer to a request, under its route's path in the log. The connection ends after
    /// it if it `isLast`; `send` is called once with the bytes.
    package func write(
        _ answer: PublishAnswer,
        to head: RequestHead,
        route: String,
        isLast: Bool,
        now: WallTime,
        send: (ByteView) -> Void
    ) {
        date.set(now.rawValue / 1_000)
        let id = ids.id(of: head)
        let status = answer.status
        count(status, id: id, of: head, route: route)
        json.removeAll(keepingCapacity: true)
        writer.begin(status, date: date, to: head, isLast: isLast)
        Self.finish(&writer, with: answer, to: head, id: id, body: &json)
        writer.end(json, use: send)
    }

    /// Writes the headers; a function of its own, so that access to the memory is checked once.
    private static func finish(
        _ writer: inout AnswerWriter,
        with answer: PublishAnswer,
        to head: RequestHead,
        id: String,
        body: inout [UInt8]
    ) {
        answer.write(to: &writer, body: &body, isMinimal: Self.wantsNoBody(head))
        writer.header("X-Request-Id", text: id)
        writer.header("X-Content-Type-Options", value: "nosniff")
    }

    /// Whether a client wants no body in the answer to pushes that were accepted (RFC 7240): it
    /// says so, or it is a broker of Knative's, which takes any body for the event that is the
    /// reply, and one that is none for a failure.
    private static func wantsNoBody(_ head: RequestHead) -> Bool {
        if head.header("Prefer") == nil { return false }
        return head.headers(named: "Prefer").joined(separator: ",").split(separator: ",")
            .contains { preference in
                let text = preference.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
                return ["reply", "return=minimal"].contains(text.lowercased())
            }
    }

    /// Counts and logs an answered request.
    private func count(_ status: UInt32, id: String, of head: RequestHead, route: String) {
        counts.add(route, status: status)
        guard let onAnswer = settings.onAnswer else { return }
        let method = head.method == .other ? "(other)" : head.methodName
        onAnswer(
            AnsweredRequest(id: id, method: method, route: route, isCommand: false, status: status)
        )
    }
}
