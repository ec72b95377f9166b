import Basics
import Credentials
import Cryptography
import HTTPServing
import Synchronization

/// Answers at once, by the path of the request.
final class EchoHandler: HTTPHandler {
    /// The streams that were begun.
    let streams = Mutex<[HTTPEventStream]>([])

    func bodyLimit(of head: HTTPRequest) -> Int? { 16 << 20 }

    func respond(to request: HTTPRequest, with responder: HTTPResponder) {
        switch request.path {
        case "/names":
            let names = request.certificate?.names.map { "\($0)" } ?? ["none"]
            responder.send(.text(200, lines: names))
        case "/large":
            responder.send(.text(200, lines: [String(repeating: "a", count: EchoHandler.large)]))
        case "/body":
            guard case .whole(let body) = request.body else { return }
            responder.send(.text(200, lines: ["\(body.count) \(body.reduce(0) { $0 &+ Int($1) })"]))
        case "/events":
            let stream = responder.beginEvents()
            stream.send(event: nil, data: "begun")
            streams.withLock { $0.append(stream) }
        default: responder.send(.text(200, lines: [request.path]))
        }
    }

    /// The bytes of a large answer, without the line's end.
    static let large = 8 << 20
}

/// A server with TLS on a port of its own, and its authority.
final class SecureRig {
    let authority: DevelopmentAuthority
    let handler = EchoHandler()
    let server: HTTPServer
    let trust: TLSClientContext.Trust
    /// The reasons for which handshakes have failed.
    private let log: RefusalLog

    private final class RefusalLog: Sendable {
        let reasons = Mutex<[String]>([])
    }

    init(
        limits: HTTPServerLimits = HTTPServerLimits(),
        connections: Int = 64,
        silence: Milliseconds = .seconds(60)
    ) throws {
        let log = RefusalLog()
        self.log = log
        authority = try DevelopmentAuthority(named: "Test", now: .zero, days: 36_500)
        trust = .authorities(try authority.identity.chain)
        var limits = limits
        limits.connections = connections
        limits.silence = silence
        limits.idle = silence
        server = try HTTPServer(
            ListeningAddress(host: "127.0.0.1", port: 0)!,
            security: try Self.security(authority),
            limits: limits,
            handler: handler
        ) { _, reason in
            log.reasons.withLock { $0.append(reason) }
        }
    }

    static func security(_ authority: DevelopmentAuthority) throws -> ServerSecurity {
        ServerSecurity(
            [try authority.issue(for: ["127.0.0.1"], now: .zero, days: 36_500)],
            clientAuthorities: try authority.identity.chain
        )
    }

    var port: UInt16 { server.address.port }

    var refusals: [String] { log.reasons.withLock { $0 } }

    /// A client whose handshake is complete; its certificate is for a name, or it has none.
    func client(named name: String? = nil) throws -> SecureClient {
        let identity = try name.map { try authority.issue(for: [$0], now: .zero, days: 36_500) }
        let context = try TLSClientContext(
            trust: trust,
            identity: identity,
            protocols: ["http/1.1"]
        )
        return try SecureClient(port: port, context: context)
    }
}
