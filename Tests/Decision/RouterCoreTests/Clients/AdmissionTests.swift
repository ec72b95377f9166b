import Basics
import Credentials
import FrameCodec
import Testing

@testable import RouterCore

@Suite("The router, while its driver judges a HELLO")
struct AdmissionTests {
    private let harness = RouterHarness()

    /// Opens a connection on which HELLO has come, and nothing was decided yet.
    private func waiting(_ role: Peer, _ name: String?) -> ConnectionSlot {
        let slot = harness.open()
        let hello = HelloMessage(role: role, app: "game", token: "t", name: name)
        let bytes = encodeFrame(.hello, seq: 0, body: hello.encoded)
        let taken = bytes.withByteView {
            harness.router.received(on: slot, bytes: $0, now: harness.now)
        }
        #expect(taken == bytes.count)
        return slot
    }

    @Test("keeps the HELLO, and accepts nothing of the connection, until it is admitted")
    func waits() {
        let slot = waiting(.publisher, "p")
        #expect(harness.router.awaitedHello(slot)?.token?.text == "t")
        let push = harness.pushFrame(1, "{}")
        let taken = push.withByteView {
            harness.router.received(on: slot, bytes: $0, now: harness.now)
        }
        #expect(taken == 0 && harness.step() == [])
        harness.router.admit(slot, now: harness.now)
        #expect(harness.router.awaitedHello(slot) == nil)
        harness.send(slot, push)
        #expect(harness.step().count == 2)
        harness.checkInvariants()
    }

    @Test("sends the refusal, and forgets the HELLO")
    func refusal() {
        let slot = waiting(.device, "d")
        let error = ProtocolError(.tokenInvalid, message: "no")
        harness.router.end(slot, with: error, now: harness.now)
        expectFailure(harness.step(), slot, .tokenInvalid)
        #expect(harness.router.awaitedHello(slot) == nil)
        harness.checkInvariants()
        let gone = waiting(.device, "d")
        harness.close(gone)
        harness.checkInvariants()
    }

    @Test("ends a session when what let it in is no longer good, and what it had accepted stays")
    func expiry() {
        let slot = waiting(.publisher, "p")
        harness.router.admit(slot, until: harness.now.wall + .seconds(30), now: harness.now)
        harness.send(slot, harness.pushFrame(1, "{}"))
        _ = harness.step()
        harness.advance(29_000)
        #expect(!harness.sweep().contains { isFailure($0, slot, .tokenExpired) })
        harness.advance(1_000)
        expectFailure(harness.sweep(), slot, .tokenExpired)
        let again = harness.open()
        harness.hello(again, .publisher, "p")
        guard case .welcome(again, let body)? = harness.step().first else {
            Issue.record("no WELCOME")
            return
        }
        #expect(body.contains(#""lastSeq":1"#))
    }

    @Test("lets a limited gateway speak for its own devices alone")
    func gateways() throws {
        let slot = waiting(.gateway, nil)
        let devices = try NamePatterns(["eu-*"])
        harness.router.admit(slot, devices: devices, now: harness.now)
        _ = harness.step()
        let own = harness.widgets(slot, "eu-1", [.character("w", "kit")])
        #expect(harness.step().contains { isAck($0, slot, own) })
        let foreign = harness.widgets(slot, "us-1", [.character("w", "kit")])
        #expect(harness.step().contains { isReject($0, slot, foreign, .deviceForeign) })
        #expect(harness.router.gatewayDevices(slot) == devices)
        harness.router.limit(slot, until: .max, devices: .all)
        #expect(harness.router.gatewayDevices(slot) == .all)
        let late = harness.widgets(slot, "us-1", [.character("w", "kit")])
        #expect(harness.step().contains { isAck($0, slot, late) })
    }

    @Test("says for which name a session speaks")
    func names() {
        let publisher = harness.connect(.publisher, "p")
        let device = harness.connect(.device, "d")
        let gateway = harness.connect(.gateway)
        #expect(harness.router.peerName(publisher) == Array("p".utf8))
        #expect(harness.router.peerName(device) == Array("d".utf8))
        #expect(harness.router.peerName(gateway) == nil)
        #expect(harness.router.peerName(waiting(.device, "x")) == nil)
    }

    private func isAck(_ sent: SentFrame, _ slot: ConnectionSlot, _ seq: UInt64) -> Bool {
        if case .ack(slot, seq, _) = sent { true } else { false }
    }
}
