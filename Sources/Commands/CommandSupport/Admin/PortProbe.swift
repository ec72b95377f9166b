import Basics
import FrameCodec
package import LibuvLoop

/// What answers at a port, as a client finds out that got no answer of its own protocol.
package enum PortService: Equatable, Sendable {
    /// A router: it speaks the framed protocol of publishers and devices.
    case router
    /// A server that speaks HTTP, such as the router's admin server.
    case http
    /// A server that speaks TLS.
    case tls
}

/// Finds out which protocol a port speaks, by asking in each of them.
///
///     connect ─► "GET / …" ─► answer ─► HTTP, or a frame: done
///                               └─ none, or an error of HTTP ─► connect ─► a greeting ─► TLS
///
/// It is for clients whose own attempt has failed: the questions are errors for a router, which
/// counts them.
package enum PortProbe {
    /// Asks what answers at an address, which blocks for about a second at most. Returns nil if
    /// nothing answers, if what answers is unknown, or if the host is a name that must be looked
    /// up: the lookup could take longer than the attempt that failed.
    package static func service(at endpoint: Endpoint) -> PortService? {
        let addresses = SocketAddress.withoutLookup(host: endpoint.host, port: endpoint.port) ?? []
        for address in addresses {
            if let service = service(at: address) { return service }
        }
        return nil
    }

    private static func service(at address: SocketAddress) -> PortService? {
        let answer = PortQuestion.answer(to: Array("GET / HTTP/1.0\r\n\r\n".utf8), at: address)
        let found = service(answering: answer)
        // A server of HTTP over TLS answers a request without TLS by an error of HTTP.
        let isRefused = String(decoding: answer, as: UTF8.self).contains(" 400")
        if found == .router || found == .http && !isRefused { return found }
        let greeted = service(answering: PortQuestion.answer(to: clientHello, at: address))
        return greeted == .tls ? .tls : found
    }

    /// The protocol of an answer by its first bytes; nil if it is unknown.
    package static func service(answering bytes: [UInt8]) -> PortService? {
        if bytes.starts(with: Array("HTTP/".utf8)) { return .http }
        // A record of TLS: an alert, or a message of the handshake, of any version 3.x.
        if bytes.count >= 2, bytes[0] == 0x15 || bytes[0] == 0x16, bytes[1] == 3 { return .tls }
        // A frame that a router sends: a length below 16 MiB, a type, and reserved zeros.
        guard bytes.count >= 8, bytes[0] == 0, bytes[6] == 0, bytes[7] == 0,
            FrameType(rawValue: bytes[4]) != nil
        else { return nil }
        return .router
    }

    /// The greeting of a client of TLS 1.2 with one cipher suite: even a server that wants more
    /// answers it, by an alert.
    private static var clientHello: [UInt8] {
        let suites: [UInt8] = [0, 2, 0xc0, 0x2f, 1, 0]
        let hello: [UInt8] = [3, 3] + [UInt8](repeating: 0x2a, count: 32) + [0] + suites
        let message: [UInt8] = [1, 0, 0, UInt8(hello.count)] + hello
        return [0x16, 3, 1, 0, UInt8(message.count)] + message
    }
}

/// One question to a port, on a loop of its own.
private final class PortQuestion: ConnectionOwner, TimerOwner {
    /// How long it may take, with its connection.
    private static var timeLimit: Milliseconds { .milliseconds(500) }
    /// The bytes of an answer that say which protocol it is.
    private static var answerBytes: Int { 16 }

    private let question: [UInt8]
    private var answer: [UInt8] = []
    private var connection: TCPConnection?
    private var timer: LoopTimer?

    private init(_ question: [UInt8]) { self.question = question }

    /// The beginning of the answer; empty if there is none in time.
    static func answer(to question: [UInt8], at address: SocketAddress) -> [UInt8] {
        guard let loop = try? Loop() else { return [] }
        let asked = PortQuestion(question)
        do throws(UVError) {
            asked.timer = try LoopTimer(loop, owner: asked)
            try asked.timer?.start(after: timeLimit)
            asked.connection = try TCPConnection.connect(loop, to: address, owner: asked)
        } catch {
            asked.end()
        }
        try? withExtendedLifetime(asked) { () throws(UVError) in try loop.run() }
        try? loop.close()
        return asked.answer
    }

    /// Closes everything, so that the loop's run returns.
    private func end() {
        connection?.close()
        timer?.close()
        (connection, timer) = (nil, nil)
    }

    func connectionOpened(_ connection: TCPConnection) {
        guard connection === self.connection else { return }
        question.withByteView { connection.append($0) }
        connection.flush()
        do throws(UVError) { try connection.startReading() } catch { end() }
    }

    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        answer += bytes.array
        if answer.count >= Self.answerBytes { end() }
        return bytes.count
    }

    func connectionEnded(_ connection: TCPConnection, error: UVError?) { end() }

    func timerFired(_ timer: LoopTimer) { end() }
}

extension PortProbe {
    /// Says that a client of the framed protocol has reached something else, by asking at its
    /// address; nil if that is a router, nothing, or unknown.
    package static func sentence(forClientOf address: String?) -> String? {
        guard let endpoint = address.flatMap({ Endpoint($0) }) else { return nil }
        return service(at: endpoint)?.sentence(forClientOf: endpoint)
    }
}

extension PortService {
    /// Says that a client of the framed protocol has reached something else; nil if it is a router.
    package func sentence(forClientOf endpoint: Endpoint) -> String? {
        switch self {
        case .router: nil
        case .http:
            "\(endpoint) speaks HTTP, and not the protocol of publishers and devices: it is probably "
                + "the admin server; the router's own port is 7410 unless --listen sets another"
        case .tls:
            "\(endpoint) speaks TLS: connect with --tls, and with --ca FILE if its certificate is not "
                + "one of the system's authorities"
        }
    }

    /// Says that a client of the admin server has reached something else; nil if the port speaks
    /// what the client does.
    package func sentence(forAdminClientOf endpoint: Endpoint, isSecure: Bool) -> String? {
        switch self {
        case .http where isSecure:
            "\(endpoint) speaks HTTP without TLS: give --to http://\(endpoint)"
        case .http: nil
        case .router:
            "\(endpoint) speaks the protocol of publishers and devices, and not HTTP: it is the "
                + "router's own port; the admin server's is 7411 unless --admin sets another"
        case .tls where isSecure: nil
        case .tls:
            "\(endpoint) speaks TLS: give --to https://\(endpoint), and --ca FILE if its certificate "
                + "is not one of the system's authorities"
        }
    }
}
