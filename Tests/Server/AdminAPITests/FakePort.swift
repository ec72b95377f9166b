import Basics
import Credentials
import Cryptography
import Glibc
import HTTPServing
import RouterCore
import Synchronization
import TestSupport

@testable import AdminAPI

/// Keeps what it is asked, and answers as a test says.
final class FakePort: AdminPort {
    private let asked = Mutex<[AdminRequest]>([])
    private let answer: @Sendable (AdminRequest) -> AdminAnswer?

    /// - Parameter answer: nil for a request that nobody ever answers.
    init(_ answer: @escaping @Sendable (AdminRequest) -> AdminAnswer? = { _ in .body(Echo()) }) {
        self.answer = answer
    }

    func submit(
        _ request: AdminRequest,
        from operator: String?,
        answer: @escaping @Sendable (AdminAnswer) -> Void
    ) {
        asked.withLock { $0.append(request) }
        if let found = self.answer(request) { answer(found) }
    }

    /// What was asked since the last call, as text.
    func take() -> [String] {
        asked.withLock { asked in
            defer { asked = [] }
            return asked.map(\.text)
        }
    }
}

/// The body `{"echo":true}`.
struct Echo: AdminBody {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("echo")
        writer.boolean(true)
        writer.endObject()
    }
}

extension AdminRequest {
    /// With its values, as a test can compare it.
    var text: String {
        switch self {
        case .connections(let after, let limit): "connections \(after.text) \(limit)"
        case .producers(let app, let after, let limit):
            "producers \(app.text) \(after.text) \(limit)"
        case .forgetDevice(let app, let device): "forgetDevice \(app) \(device)"
        case .forgetProducer(let app, let producer): "forgetProducer \(app) \(producer)"
        case .apps: "apps"
        case .app(let app): "app \(app)"
        case .appFile: "appFile"
        case .replaceAppFile(let file):
            "replaceAppFile \(file.catalog.apps.map(\.app)) \(file.source.text)"
        case .pause(let app): "pause \(app)"
        case .resume(let app): "resume \(app)"
        case .devices(let app, let after, let limit): "devices \(app) \(after.text) \(limit)"
        case .device(let app, let device): "device \(app) \(device)"
        case .revokeTokens(let app, let device, let before):
            "revokeTokens \(app) \(device) \(before.text)"
        case .withdrawRevocation(let app, let device): "withdrawRevocation \(app) \(device)"
        case .revocations(let app, let after, let limit):
            "revocations \(app) \(after.text) \(limit)"
        case .deadTokens(let app, let after, let limit): "deadTokens \(app) \(after) \(limit)"
        case .explain(let explain):
            "explain \(explain.app) \(explain.payload.text) \(explain.isUrgent) "
                + "\(explain.device.text) \(explain.kind.text) \(explain.limit)"
        case .slots(let slots):
            "slots \(slots.app) \(slots.kind) \(slots.dates.map { "\($0.id)@\($0.after)" })"
        case .push(let push):
            "push \(push.app) \(push.payloads.texts) \(push.producer.text) "
                + "\(push.firstSeq.text) \(push.isUrgent) \(push.expiresAt.text)"
        case .lookUp(let lookup): lookup.text
        case .history(let range, let resolution): "history \(range) \((resolution?.rawValue).text)"
        case .appHistory(let app, let kind, let range): "appHistory \(app) \(kind.text) \(range)"
        case .origins(let after, let limit): "origins \(after.text) \(limit)"
        case .hotKeys: "hotKeys"
        case .drain: "drain"
        case .logLevel: "logLevel"
        case .setLogLevel(let level): "setLogLevel \(level)"
        case .backup(let name): "backup \(name)"
        }
    }
}

extension PushLookup {
    /// With its values, as a test can compare it.
    var text: String {
        switch self {
        case .list(let list):
            "pushes \(list.app) \(list.producer.text) \(list.name != nil) \(list.before.text) "
                + "\(list.limit)"
        case .history(let asked):
            "history \(asked.app) \(asked.producer) \(asked.seq) \(asked.after.text) "
                + "\(asked.limit)"
        }
    }
}

extension Optional {
    fileprivate var text: String { map { "\($0)" } ?? "-" }
}

extension Payloads {
    var texts: [String] { map { String(decoding: $0, as: UTF8.self) } }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}

/// An admin server without sockets, of a router that is ready.
struct AdminStage {
    static let token = "0123456789abcdef"
    /// The certificate of an operator that may do everything.
    static let certificate = ShownCertificate(names: [.dns("tester")], notAfter: .max)

    let port: FakePort
    let authorization: Authorization
    let resources: AdminResources
    /// Whether answers may come later, from the thread of the audit log.
    private let isAudited: Bool
    /// The certificate by which all requests prove themselves; nil if they need the token.
    private let certificate: ShownCertificate?

    /// - Parameters:
    ///   - snapshot: by default of a router that is ready.
    ///   - port: what is asked.
    ///   - token: the token of the file; nil for a server of this machine alone, all requests to
    ///     which prove themselves by a certificate.
    ///   - operators: further operators.
    ///   - change: changes the settings.
    ///   - now: the clock.
    init(
        snapshot: StatusSnapshot? = nil,
        port: FakePort = FakePort(),
        token: String? = nil,
        operators: [Operator] = [],
        change: (inout AdminSettings) -> Void = { _ in },
        now: @escaping @Sendable () -> WallTime = { 1_000_000 }
    ) {
        let first =
            token.map { Operator.tokenFile(Self.digest($0)) }
            ?? Operator(name: "tester", role: .admin, proof: .certificate(.dns("tester")))
        authorization = Self.authorization([first] + operators, now: now)
        certificate = token == nil ? Self.certificate : nil
        var settings = AdminSettings(authorization, now: now)
        settings.isLocal = token == nil
        settings.startedAt = 1_000_000
        change(&settings)
        isAudited = settings.audit != nil
        self.port = port
        resources = AdminResources(snapshot ?? Self.ready(), port: port, settings: settings)
    }

    /// Lets operators in, with secrets that are none.
    static func authorization(
        _ operators: [Operator],
        now: @escaping @Sendable () -> WallTime = { 1_000_000 }
    ) -> Authorization {
        let drawn = Mutex(0)
        return Authorization(
            operators,
            random: { count in
                let number = drawn.withLock { drawn in
                    drawn += 1
                    return drawn
                }
                return [UInt8](repeating: UInt8(number % 251), count: count)
            },
            now: now
        )
    }

    static func digest(_ text: String) -> SHA256Digest {
        Array(text.utf8).withByteView { SHA256.digest($0) }
    }

    /// A request as this stage's operator sends it.
    func identified(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.certificate = certificate
        return request
    }

    /// A board whose router answers always, and is ready.
    static func ready(_ change: (inout RouterStatus) -> Void = { _ in }) -> StatusSnapshot {
        var status = RouterStatus(time: 0)
        change(&status)
        let snapshot = StatusSnapshot()
        snapshot.close(status)
        return snapshot
    }

    /// What a request is answered with; nil if nobody has.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        let box = Box()
        resources.serve(
            identified(request),
            events: { preconditionFailure("a stream, and not an answer") },
            answer: { make in
                box.put(make())
                return true
            }
        )
        if isAudited { while box.taken == nil { sched_yield() } }
        return box.taken
    }

    func ask(
        _ method: String,
        _ target: String,
        _ body: HTTPBody = .whole([]),
        headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        let parts = Self.cut(target, at: "?")
        let pairs = parts.1.split(separator: "&")
        let request = HTTPRequest(
            method: method,
            path: parts.0,
            arguments: pairs.map { Self.cut(String($0), at: "=") },
            headers: headers,
            body: body
        )
        return response(to: request)!
    }

    private static func cut(_ text: String, at mark: Character) -> (name: String, value: String) {
        let end = text.firstIndex(of: mark) ?? text.endIndex
        return (String(text[..<end]), String(text[end...].dropFirst()))
    }

    func ask(
        _ method: String,
        _ target: String,
        _ body: String,
        type: String? = nil
    )
        -> HTTPResponse
    {
        ask(
            method,
            target,
            .whole(Array(body.utf8)),
            headers: type.map { [("Content-Type", $0)] } ?? []
        )
    }

    private final class Box: Sendable {
        private let responses = Mutex<[HTTPResponse]>([])

        func put(_ response: HTTPResponse) { responses.withLock { $0.append(response) } }

        var taken: HTTPResponse? {
            responses.withLock { responses in
                precondition(responses.count < 2, "answered twice")
                return responses.first
            }
        }
    }
}

extension HTTPResponse {
    var text: String { body.text }
    var contentType: String? { header("Content-Type") }

    /// The code of a problem; nil if it is none.
    var code: String? {
        guard contentType == "application/problem+json" else { return nil }
        let parts = text.split(separator: "\"code\":\"")
        return parts.count == 2 ? String(parts[1].prefix { $0 != "\"" }) : nil
    }
}
