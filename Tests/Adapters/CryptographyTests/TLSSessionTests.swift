import Basics
import Testing

@testable import Cryptography

/// A client and a server that pass each other their output, and what each has read.
private final class Sides {
    let server: TLSSession
    let client: TLSSession
    var serverRead: [UInt8] = []
    var clientRead: [UInt8] = []
    /// The bytes that go from one side to the other at a time.
    var step = Int.max

    init(
        _ server: TLSServerContext,
        _ client: TLSClientContext,
        host: String,
        now: MonotonicTime = .zero
    ) throws {
        self.client = try client.session(with: host)
        self.server = try server.session(at: now)
    }

    private func output(of session: TLSSession) -> [UInt8] {
        var bytes: [UInt8] = []
        session.takeOutput { bytes += $0.array }
        return bytes
    }

    private func pass(_ bytes: [UInt8], to session: TLSSession) throws -> [UInt8] {
        var read: [UInt8] = []
        var begin = 0
        while begin < bytes.count {
            let end = min(bytes.count, begin + min(step, bytes.count))
            let part = Array(bytes[begin..<end])
            let capacity = part.count + TLSLimits.recordBytes
            let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
            defer { memory.deallocate() }
            let count = try part.withByteView { view throws(TLSError) in
                try session.receive(view, into: memory, capacity: capacity)
            }
            read += ByteView(base: memory, count: count).array
            begin = end
        }
        return read
    }

    /// Passes outputs on until neither side has any.
    func run() throws {
        var forServer = output(of: client)
        var forClient = output(of: server)
        while !forServer.isEmpty || !forClient.isEmpty {
            serverRead += try pass(forServer, to: server)
            forClient += output(of: server)
            clientRead += try pass(forClient, to: client)
            forServer = output(of: client)
            forClient = output(of: server)
        }
    }

    func send(_ bytes: [UInt8], from session: TLSSession) throws {
        try bytes.withByteView { view throws(TLSError) in try session.send(view) }
    }
}

@Suite("TLS sessions")
struct TLSSessionTests {
    private let now = WallTime(rawValue: 1_800_000_000_000)
    private let authority: DevelopmentAuthority

    init() throws {
        // OpenSSL compares with the machine's clock, so the test's certificates are valid for long.
        authority = try DevelopmentAuthority(named: "Test", now: .zero, days: 36_500)
    }

    private func identity(
        _ names: String...,
        begin: WallTime = .zero,
        days: Int = 36_500
    ) throws
        -> Identity
    {
        try authority.issue(for: names, now: begin, days: days)
    }

    private func server(
        _ identities: Identity...,
        minimum: TLSVersion = .tls13
    ) throws
        -> TLSServerContext
    {
        try TLSServerContext(ServerSecurity(identities, minimum: minimum), protocols: ["rr/1"])
    }

    private func client(
        trusting authority: DevelopmentAuthority? = nil,
        protocols: [String] = ["rr/1"]
    ) throws -> TLSClientContext {
        try TLSClientContext(
            trust: .authorities((authority ?? self.authority).identity.chain),
            protocols: protocols
        )
    }

    @Test("carry bytes both ways, however the network cuts them", arguments: [1, 7, 1_000, .max])
    func exchange(step: Int) throws {
        let sides = try Sides(
            try server(try identity("localhost")),
            try client(),
            host: "localhost"
        )
        sides.step = step
        try sides.run()
        #expect(sides.server.phase == .established && sides.client.phase == .established)
        #expect(sides.server.version == "TLSv1.3" && !sides.server.isResumed)
        let long = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
        try sides.send(long, from: sides.client)
        try sides.run()
        try sides.send([1, 2, 3], from: sides.server)
        try sides.run()
        #expect(sides.serverRead == long && sides.clientRead == [1, 2, 3])
    }

    @Test("are only with servers that have the name, from an authority that is trusted")
    func verification() throws {
        func message(
            _ server: TLSServerContext,
            _ client: TLSClientContext,
            _ host: String
        ) -> String {
            do {
                try Sides(server, client, host: host).run()
                return "established"
            } catch {
                return (error as? TLSError)?.message ?? "\(error)"
            }
        }
        let server = try server(try identity("push.example", "127.0.0.1", "::1"))
        for host in ["push.example", "127.0.0.1", "::1"] {
            #expect(message(server, try client(), host) == "established")
        }
        #expect(message(server, try client(), "other.example").contains("hostname mismatch"))
        #expect(message(server, try client(), "127.0.0.2").contains("IP address mismatch"))
        let stranger = try DevelopmentAuthority(named: "Stranger", now: .zero, days: 36_500)
        #expect(
            message(server, try client(trusting: stranger), "push.example")
                .contains("unable to get local issuer certificate")
        )
        let expired = try self.server(try identity("push.example", days: 1))
        #expect(message(expired, try client(), "push.example").contains("has expired"))
        let anybody = try TLSClientContext(trust: .anybody, protocols: ["rr/1"])
        #expect(message(expired, anybody, "other.example") == "established")
        let nobody = try TLSClientContext(trust: .nobody, protocols: ["rr/1"])
        #expect(
            message(server, nobody, "push.example")
                .contains("unable to get local issuer certificate")
        )
    }

    @Test("have the certificate of the name that the client asks for, or else the first one")
    func names() throws {
        let server = try server(try identity("first.example"), try identity("second.example"))
        for host in ["first.example", "second.example"] {
            let sides = try Sides(server, try client(), host: host)
            try sides.run()
            #expect(sides.client.phase == .established, "\(host)")
        }
    }

    @Test("know a client by its certificate, and forget it with the authority that signed it")
    func clients() throws {
        let own = try authority.identity.chain
        let stranger = try DevelopmentAuthority(named: "Stranger", now: .zero, days: 36_500)
        let server = try TLSServerContext(
            ServerSecurity([try identity("localhost")], clientAuthorities: own),
            protocols: ["rr/1"]
        )
        let client = try TLSClientContext(
            trust: .authorities(own),
            identity: try identity("shard-1.example"),
            protocols: ["rr/1"]
        )
        func names() throws -> (names: [String]?, isResumed: Bool) {
            let sides = try Sides(server, client, host: "localhost")
            try sides.run()
            return (sides.server.peerCertificate?.names, sides.server.isResumed)
        }
        #expect(try names() == (["dns:shard-1.example"], false))
        #expect(try names() == (["dns:shard-1.example"], true))
        try server.replace(ServerSecurity([try identity("localhost")], clientAuthorities: own))
        #expect(try names() == (["dns:shard-1.example"], true))
        let without = try Sides(server, try self.client(), host: "localhost")
        try without.run()
        #expect(without.server.phase == .established && without.server.peerCertificate == nil)
        try server.replace(
            ServerSecurity(
                [try identity("localhost")],
                clientAuthorities: try stranger.identity.chain
            )
        )
        #expect(throws: TLSError.self) { _ = try names() }
    }

    @Test("are resumed by their ticket until two more keys for tickets were made")
    func tickets() throws {
        let server = try server(try identity("localhost"))
        let client = try client()
        var now = MonotonicTime.zero
        func isResumed() throws -> Bool {
            let sides = try Sides(server, client, host: "localhost", now: now)
            try sides.run()
            return sides.server.isResumed
        }
        #expect(try !isResumed())
        #expect(try isResumed())
        try server.replace(ServerSecurity([try identity("localhost")]))
        #expect(try isResumed())
        func makeKeys(_ count: Int) throws {
            for _ in 0..<count {
                now += .seconds(Int64(TLSLimits.ticketSeconds / 2))
                _ = try server.session(at: now)
            }
        }
        try makeKeys(2)
        #expect(try isResumed())
        try makeKeys(3)
        #expect(try !isResumed())
    }

    @Test("are refused if client and server have no protocol in common")
    func protocols() throws {
        let server = try server(try identity("localhost"))
        let sides = try Sides(server, try client(protocols: ["h2"]), host: "localhost")
        #expect(throws: TLSError.self) { try sides.run() }
        #expect(sides.server.phase == .failed)
    }

    @Test(
        "say so if the peer does not speak TLS",
        arguments: ["GET / HTTP/1.1\r\n\r\n", "\0\0\0\u{20}\u{1}\0\0\0"]
    )
    func plain(text: String) throws {
        let session = try server(try identity("localhost")).session(at: .zero)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 32_768, alignment: 16)
        defer { memory.deallocate() }
        do {
            _ = try Array(text.utf8).withByteView { view throws(TLSError) in
                try session.receive(view, into: memory, capacity: 32_768)
            }
            Issue.record("no error")
        } catch {
            #expect(error.code == .notTLS)
        }
    }

    @Test("end for the peer when they are ended, after all bytes")
    func end() throws {
        let sides = try Sides(
            try server(try identity("localhost")),
            try client(),
            host: "localhost"
        )
        try sides.run()
        try sides.send([1], from: sides.server)
        sides.server.end()
        try sides.run()
        #expect(sides.clientRead == [1] && sides.client.phase == .endedByPeer)
    }

    @Test("use files that fit together, and no others")
    func files() throws {
        let (one, other) = (try identity("localhost"), try identity("localhost"))
        func message(_ chain: [UInt8], _ key: [UInt8]) -> String? {
            do throws(TLSError) {
                let security = ServerSecurity([Identity(chain: chain, key: key)])
                _ = try TLSServerContext(security, protocols: ["rr/1"])
                return nil
            } catch {
                #expect(error.code == .file)
                return error.message
            }
        }
        #expect(message(one.chain, one.key) == nil)
        #expect(message(one.chain, other.key)?.contains("key") == true)
        #expect(message([], one.key)?.contains("has no certificate") == true)
        #expect(message(one.key, one.key)?.contains("certificate") == true)
        #expect(message(one.chain, one.chain)?.contains("no private key") == true)
        let cut = Array(one.chain.prefix(one.chain.count / 2))
        #expect(message(cut, one.key) != nil)
    }
}
