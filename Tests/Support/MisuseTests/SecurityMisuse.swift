import Basics
import TestSupport
import Testing

@testable import Cryptography

/// A server and a client that trust each other.
private func contexts() throws -> (server: TLSServerContext, client: TLSClientContext) {
    let authority = try DevelopmentAuthority(named: "Test", now: .zero, days: 36_500)
    let identity = try authority.issue(for: ["localhost"], now: .zero, days: 36_500)
    return (
        try TLSServerContext(ServerSecurity([identity]), protocols: ["rr/1"]),
        try TLSClientContext(trust: .authorities(authority.identity.chain), protocols: ["rr/1"])
    )
}

/// Passes what one session has written to the other one.
private func pass(from one: TLSSession, to other: TLSSession) throws {
    var bytes: [UInt8] = []
    one.takeOutput { bytes += $0.array }
    if bytes.isEmpty { return }
    let capacity = bytes.count + TLSLimits.recordBytes
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    defer { memory.deallocate() }
    _ = try bytes.withByteView { view throws(TLSError) in
        try other.receive(view, into: memory, capacity: capacity)
    }
}

@Suite("Misuse of TLSSession TLSMemory MemoryMethod")
struct SessionMisuse {
    @Test("nothing is sent before the handshake is complete")
    func early() async {
        await #expect(processExitsWith: .trap) {
            let session = try contexts().server.session(at: .zero)
            try [1].withByteView { view throws(TLSError) in try session.send(view) }
        }
    }

    @Test("no session works while output is passed on")
    func lent() async {
        await #expect(processExitsWith: .trap) {
            let context = try contexts().client
            let session = try context.session(with: "localhost")
            session.takeOutput { _ in _ = try? context.session(with: "localhost") }
        }
        await #expect(processExitsWith: .trap) {
            let session = try contexts().client.session(with: "localhost")
            session.takeOutput { _ in session.takeOutput { _ in } }
        }
    }

    @Test("a session that has failed or ended takes and sends nothing more")
    func ended() throws {
        let session = try contexts().server.session(at: .zero)
        let noise = [UInt8](repeating: 0x2a, count: 100)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 20_000, alignment: 16)
        defer { memory.deallocate() }
        try noise.withByteView { view in
            #expect(throws: TLSError.self) {
                try session.receive(view, into: memory, capacity: 20_000)
            }
            #expect(try session.receive(view, into: memory, capacity: 20_000) == 0)
            try session.send(view)
            session.end()
        }
        #expect(session.phase == .failed)
    }
}

@Suite("Misuse of TLSServerContext CertificateSet TicketKeys ProtocolList TLSClientContext")
struct ContextMisuse {
    @Test("sessions outlive their contexts, and what these refer to")
    func outlived() throws {
        var sides: [(TLSSession, TLSSession)] = []
        for _ in 0..<3 {
            let (server, client) = try contexts()
            sides.append((try server.session(at: .zero), try client.session(with: "localhost")))
            _ = try server.session(at: .zero + .days(1))
        }
        for (server, client) in sides {
            for _ in 0..<4 {
                try pass(from: client, to: server)
                try pass(from: server, to: client)
            }
            #expect(server.phase == .established && client.phase == .established)
        }
    }

    @Test("a server has a certificate, and protocols have short names")
    func settings() async {
        await #expect(processExitsWith: .trap) {
            _ = try TLSServerContext(ServerSecurity([]), protocols: [])
        }
        await #expect(processExitsWith: .trap) {
            _ = ProtocolList([String(repeating: "x", count: 64)])
        }
    }

    @Test("a host is a name or an address, or it is refused")
    func hosts() throws {
        let client = try contexts().client
        for host in ["", "a\0b", String(repeating: "x", count: 300), "::1::", "1.2.3.4.5"] {
            do throws(TLSError) {
                let session = try client.session(with: host)
                #expect(session.phase == .handshake)
                session.takeOutput { _ in }
            } catch {
                #expect(error.code == .internalFailure)
            }
        }
    }
}

@Suite("Misuse of Certificate PrivateKey MemoryFile DevelopmentAuthority")
struct CertificateMisuse {
    @Test("files that are cut or changed are refused or read, and never crash", arguments: 0..<8)
    func noise(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let authority = try DevelopmentAuthority(named: "Test", now: .zero, days: 1)
        let identity = try authority.identity
        for _ in 0..<200 {
            var (chain, key) = (identity.chain, identity.key)
            chain[Int(random.next() % UInt64(chain.count))] = UInt8(
                truncatingIfNeeded: random.next()
            )
            key[Int(random.next() % UInt64(key.count))] = UInt8(truncatingIfNeeded: random.next())
            if random.next() % 4 == 0 { chain.removeLast(Int(random.next() % UInt64(chain.count))) }
            for certificate in (try? Certificate.all(inPEM: chain)) ?? [] {
                _ = certificate.notAfter
            }
            _ = try? PrivateKey(pem: key).pem()
            _ = try? DevelopmentAuthority(Identity(chain: chain, key: key))
        }
    }

    @Test("empty files and names are refused")
    func empty() throws {
        #expect(try Certificate.all(inPEM: []).isEmpty)
        #expect(throws: TLSError.self) { try PrivateKey(pem: []) }
        let authority = try DevelopmentAuthority(named: "Test", now: .zero, days: 1)
        for names in [[""], ["a,b"], ["DNS:a,IP:x"]] {
            _ = try? authority.issue(for: names, now: .zero, days: 1)
        }
        #expect(throws: TLSError.self) {
            try DevelopmentAuthority(Identity(chain: [], key: try authority.identity.key))
        }
    }
}
