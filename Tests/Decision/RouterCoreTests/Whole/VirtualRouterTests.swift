import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

/// Counts frames and steps.
private struct CountingPeers: VirtualPeers {
    var reloads = 0
    var acknowledged: UInt64 = 0
    var steps = 0

    mutating func stepped(_ router: inout Router) { steps += 1 }

    mutating func send(_ frame: OutgoingFrame, bytes: ByteView) {
        if frame.type == .reload { reloads += 1 }
        if frame.type == .ack, frame.connection == 0 {
            acknowledged = bytes.bigEndian(UInt64.self, at: 8)
        }
    }
}

@Suite("A virtual router")
struct VirtualRouterTests {
    /// A router with one kind of widget, a publisher on connection 0, and devices behind a gateway
    /// on 1.
    private func driver(
        devices: Int,
        _ policy: KindPolicy = .unlimited,
        _ change: (inout RouterLimits) -> Void = { _ in }
    ) -> VirtualRouter {
        var limits = RouterLimits()
        limits.removeWorkLimits()
        change(&limits)
        let driver = VirtualRouter(
            .of([KindDeclaration(kind: "k", rule: .parameter("c"), policy: policy)], []),
            limits: limits,
            seed: 1,
            now: Instant(monotonic: 7_000, wall: 1_000_000)
        )
        driver.open(0, with: HelloMessage(role: .publisher, app: "game", token: nil, name: "p"))
        driver.open(1, with: HelloMessage(role: .gateway, app: "game", token: nil, name: nil))
        for number in 0..<devices {
            let widget = #"{"id":"w","kind":"k","configuration":{"c":"kit"}}"#
            let body = #"{"device":"d\#(number)","widgets":[\#(widget)]}"#
            let seq = UInt64(number + 1)
            driver.receive(encodeFrame(.widgets, seq: seq, body: Array(body.utf8)), on: 1)
        }
        driver.settle()
        return driver
    }

    private func pushes(_ count: UInt64) -> [UInt8] {
        (1...count).flatMap { encodeFrame(.push, seq: $0, body: Array(#"{"c":"kit"}"#.utf8)) }
    }

    @Test func `Takes all frames, with steps where the router is busy with the ones before`() {
        let driver = driver(devices: 40) { $0.matchesPerStep = 2 }
        var peers = CountingPeers()
        pushes(5).withByteView { driver.receive(all: $0, on: 0, to: &peers) }
        driver.settle(to: &peers)
        #expect(peers.acknowledged == 5)
        #expect(peers.reloads >= 40 && peers.steps > 20)
    }

    @Test func `Drops what a publisher of a paused app sends beyond what is read of it`() throws {
        let driver = driver(devices: 1)
        var peers = CountingPeers()
        try driver.router.setPaused(true, app: "game")
        pushes(20_000).withByteView { driver.receive(all: $0, on: 0, to: &peers) }
        #expect(driver.router.isPaused(0) && peers.acknowledged < 20_000)
    }

    @Test func `Moves both clocks to what the router does next, and not beyond the end`() {
        var policy = KindPolicy()
        policy.budget = .fixed(10, spacing: 60_000)
        let driver = driver(devices: 1, policy)
        var peers = CountingPeers()
        for byteCount in [0, pushes(1).count] {
            driver.receive(Array(pushes(2)[byteCount..<byteCount + pushes(1).count]), on: 0)
            driver.settle(to: &peers)
        }
        #expect(peers.reloads == 1 && !driver.advanceToWakeUp(before: driver.now.wall))
        let end = driver.now.wall + 120_000
        while driver.advanceToWakeUp(before: end) { driver.settle(to: &peers) }
        #expect(peers.reloads == 2 && driver.now.wall < end)
        #expect(driver.now.wall.rawValue - driver.now.monotonic.rawValue == 1_000_000 - 7_000)
        #expect(driver.instant(wall: end).monotonic.rawValue == end.rawValue - 1_000_000 + 7_000)
    }
}
