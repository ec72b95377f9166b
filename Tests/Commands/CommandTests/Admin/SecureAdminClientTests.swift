import Basics
import Cryptography
import HTTPFetching
import HTTPMessages
import LibuvLoop
import TestSupport
import Testing

@testable import CommandSupport

/// Answers each request with the same text, and ends the connection, with or without TLS.
private final class OneAnswer: ListenerOwner {
    private let answer: String
    /// Whether TLS ends before the connection does.
    private let endsSecurity: Bool
    private(set) var listener: TCPListener?
    private var connections: [TCPConnection] = []

    init(
        _ loop: Loop,
        _ answer: String,
        endsSecurity: Bool,
        security: TLSServerContext?
    ) throws {
        (self.answer, self.endsSecurity) = (answer, endsSecurity)
        let address = try SocketAddress.resolve(host: "127.0.0.1", port: 0, loop: loop)[0]
        listener = try TCPListener(loop, address: address, security: security, owner: self)
    }

    func listener(_ listener: TCPListener, accepted connection: TCPConnection) {
        connections.append(connection)
        connection.resumeReading()
    }

    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        if bytes.count == 0 { return 0 }
        Array(answer.utf8).withByteView { connection.append($0) }
        if endsSecurity {
            connection.shutdownAfterFlush()
        } else {
            connection.flush()
            connection.close()
        }
        return bytes.count
    }

    func connectionEnded(_ connection: TCPConnection, error: UVError?) { connection.close() }

    func close() {
        listener?.close()
        for connection in connections { connection.close() }
    }
}

@Suite("An admin client with TLS")
struct SecureAdminClientTests {
    private let authority: DevelopmentAuthority

    init() throws {
        authority = try DevelopmentAuthority(named: "Test", now: .zero, days: 36_500)
    }

    /// What a client is told that trusts an authority.
    private func outcome(
        of answer: String,
        names: [String] = ["127.0.0.1"],
        days: Int = 36_500,
        endsSecurity: Bool = true,
        speaksTLS: Bool = true,
        readLimit: Int = Loop.slabBytes,
        trusting trusted: DevelopmentAuthority? = nil
    ) throws -> Result<HTTPAnswer, AdminClientError> {
        let loop = try Loop()
        loop.readLimit = readLimit
        let identity = try authority.issue(for: names, now: .zero, days: days)
        let server = try OneAnswer(
            loop,
            answer,
            endsSecurity: endsSecurity,
            security: speaksTLS
                ? try TLSServerContext(ServerSecurity([identity]), protocols: ["http/1.1"]) : nil
        )
        let trust = try (trusted ?? authority).identity.chain
        let client = try AdminClient(
            loop,
            server: Endpoint(host: "127.0.0.1", port: server.listener!.localAddress.port),
            security: TLSClientContext(trust: .authorities(trust), protocols: ["http/1.1"])
        )
        var found: Result<HTTPAnswer, AdminClientError>?
        client.ask(AdminQuestion("/")) { outcome in
            found = outcome
            client.close()
            server.close()
        }
        try loop.run()
        try loop.close()
        return try #require(found)
    }

    private func reason(_ outcome: Result<HTTPAnswer, AdminClientError>) -> String {
        if case .failure(.security(let reason)) = outcome { reason } else { "\(outcome)" }
    }

    @Test func `An answer arrives, with a length or with the end of TLS`() throws {
        let reply = HTTPAnswer(status: 200, body: Array("all".utf8))
        for head in ["Content-Length: 3\r\n", ""] {
            #expect(try outcome(of: "HTTP/1.1 200 OK\r\n\(head)\r\nall") == .success(reply))
        }
    }

    @Test func `An answer is whole though its records come in several reads`() throws {
        let body = String(repeating: "a", count: 40_000)
        for head in ["Content-Length: 40000\r\n", ""] {
            let answer = "HTTP/1.1 200 OK\r\n\(head)\r\n\(body)"
            let reply = HTTPAnswer(status: 200, body: Array(body.utf8))
            #expect(try outcome(of: answer, readLimit: 1_000) == .success(reply))
        }
    }

    @Test func `An answer without a length that a stranger may have cut is refused`() throws {
        let cut = try outcome(of: "HTTP/1.1 200 OK\r\n\r\nal", endsSecurity: false)
        #expect(cut == .failure(.broken("the connection was cut")))
    }

    @Test func `A server that cannot be trusted is asked nothing`() throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let other = try DevelopmentAuthority(named: "Other", now: .zero, days: 36_500)
        #expect(reason(try outcome(of: answer, trusting: other)).contains("is refused"))
        #expect(reason(try outcome(of: answer, names: ["127.0.0.2"])).contains("IP address"))
        #expect(reason(try outcome(of: answer, days: 1)).contains("expired"))
    }

    @Test func `A server without TLS is reported as such`() throws {
        let answer = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
        let found = reason(try outcome(of: answer, speaksTLS: false))
        #expect(found == "the peer does not speak TLS")
    }
}
