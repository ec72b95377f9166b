import Credentials
import Glibc
import Synchronization
import TestSupport
import Testing
import Times

@testable import HTTPServing

@Suite("Connections that were accepted elsewhere")
struct AdoptionTests {
    /// 192.0.2.1, port 9.
    static let address: [UInt8] = [2, 0, 0, 9, 192, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0]

    /// A server that listens nowhere.
    private static func server(
        connections: Int = 64,
        _ handler: any HTTPHandler
    ) throws -> HTTPServer {
        var limits = HTTPServerLimits()
        limits.connections = connections
        return try HTTPServer(
            adoptingFrom: ListeningAddress(host: "192.0.2.2", port: 80)!,
            limits: limits,
            handler: handler
        )
    }

    /// The two ends of a connection within this process.
    private static func pair() -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    private static func hasEnded(_ socket: CInt) -> Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, 0) <= 0
    }

    @Test func `Requests of an adopted connection have its certificate`() throws {
        let certificate = ShownCertificate(names: [.dns("ops.example")], notAfter: .max)
        let server = try Self.server(
            ClosureHandler { request, responder in
                let names = request.certificate?.names ?? []
                responder.send(.text(200, lines: [names == [.dns("ops.example")] ? "ops" : "none"]))
            }
        )
        #expect(server.address.description == "192.0.2.2:80")
        for shown in [certificate, nil, certificate] {
            let (own, other) = Self.pair()
            server.adopt(AcceptedConnection(owning: other, from: Self.address, certificate: shown))
            let client = TestClient(owning: own)
            for _ in 0..<3 {
                client.get("/")
                #expect(client.answer()?.body == (shown == nil ? "none\n" : "ops\n"))
            }
        }
    }

    @Test func `Adopted connections displace each other, and the newest is served`() throws {
        let server = try Self.server(
            connections: 4,
            ClosureHandler { _, responder in responder.send(.text(200, lines: ["ok"])) }
        )
        let clients = (0..<100).map { _ in
            let (own, other) = Self.pair()
            let client = TestClient(owning: own)
            client.get("/")
            server.adopt(AcceptedConnection(owning: other, from: Self.address, certificate: nil))
            return client
        }
        for client in clients[..<99] {
            let answer = client.answer()
            #expect(answer?.body == "ok\n" || client.hasEnded)
        }
        #expect(clients[99].answer()?.body == "ok\n")
        #expect(clients.count { $0.hearsNothing(milliseconds: 1) } <= 4)
    }

    @Test func `A connection that no server adopts is closed`() throws {
        let (own, other) = Self.pair()
        do { _ = AcceptedConnection(owning: other, from: Self.address, certificate: nil) }
        #expect(Self.hasEnded(own))
        let server = try Self.server(KeepingHandler())
        server.stop()
        let (late, lateOther) = Self.pair()
        server.adopt(AcceptedConnection(owning: lateOther, from: Self.address, certificate: nil))
        #expect(Self.hasEnded(late))
        for socket in [own, late] { _ = close(socket) }
    }
}
