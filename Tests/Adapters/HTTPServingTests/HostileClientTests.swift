import Basics
import Cryptography
import Glibc
import HTTPServing
import TestSupport
import Testing

@Suite("Clients that cost a server with TLS too much")
struct HostileClientTests {
    private func limits(_ set: (inout HTTPServerLimits) -> Void) -> HTTPServerLimits {
        var limits = HTTPServerLimits()
        set(&limits)
        return limits
    }

    @Test func `A client without TLS learns what the port speaks`() throws {
        let rig = try SecureRig()
        let client = TestClient(port: rig.port)
        client.get("/")
        let answer = client.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.contains("speaks TLS: use https://"))
        #expect(client.hasEnded)
        #expect(rig.refusals == ["the peer does not speak TLS"])
    }

    @Test func `Of too many handshakes the oldest ends, and others are served`() throws {
        let rig = try SecureRig(limits: limits { $0.handshakes = 4 })
        let silent = (0..<12).map { _ in TestClient(port: rig.port) }
        for client in silent[..<8] {
            _ = client.readToEnd()
            #expect(client.hasEnded)
        }
        for client in silent[8...] { #expect(client.hearsNothing(milliseconds: 1)) }
        let client = try rig.client()
        try client.get("/")
        #expect(try client.text() == "/\n")
    }

    @Test func `A handshake that stops ends after its time`() throws {
        let rig = try SecureRig(limits: limits { $0.handshakeTime = .milliseconds(100) })
        let silent = TestClient(port: rig.port)
        silent.send([0x16, 0x03, 0x01])
        _ = silent.readToEnd()
        #expect(silent.hasEnded)
    }

    @Test func `Handshakes that may cost nothing at a time are completed, one in each iteration`()
        throws
    {
        let rig = try SecureRig(
            limits: limits {
                $0.handshakeWork = .zero
                $0.acceptedPerTick = 1
            }
        )
        for _ in 0..<10 {
            let client = try rig.client()
            try client.get("/")
            #expect(try client.text() == "/\n")
        }
    }

    @Test func `A certificate of a stranger is refused`() throws {
        let rig = try SecureRig()
        let stranger = try DevelopmentAuthority(named: "Stranger", now: .zero, days: 36_500)
        let context = try TLSClientContext(
            trust: rig.trust,
            identity: stranger.issue(for: ["ops.example"], now: .zero, days: 36_500),
            protocols: ["http/1.1"]
        )
        // With TLS 1.3 the refusal comes after the client's side of the handshake.
        let answer = try? {
            let client = try SecureClient(port: rig.port, context: context)
            try client.get("/")
            return try client.text()
        }()
        #expect(answer == nil)
        while rig.refusals.isEmpty { sched_yield() }
        #expect(rig.refusals.allSatisfy { $0.contains("certificate is refused") })
    }
}
