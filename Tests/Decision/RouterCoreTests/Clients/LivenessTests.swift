import Basics
import FrameCodec
import RouterCore
import Testing

@Suite("The router, as time passes")
struct LivenessTests {
    @Test("ends a connection that does not say HELLO, exactly when its time is over")
    func helloTimeout() {
        let harness = RouterHarness()
        let slot = harness.open()
        harness.send(slot, [0, 0, 0])
        harness.advance(9_999)
        #expect(harness.sweep() == [])
        harness.advance(1)
        expectFailure(harness.sweep(), slot, .helloTimeout)
        #expect(harness.sweep() == [])
    }

    @Test("ends a session whose frame is not complete in time, though bytes keep coming")
    func frameTimeout() {
        let harness = RouterHarness()
        let slot = harness.connect(.publisher, "p")
        let frame = encodeFrame(.ping, seq: 1)
        harness.send(slot, Array(frame.prefix(1)))
        for count in 2...15 {
            harness.advance(2_000)
            harness.send(slot, Array(frame.prefix(count)))
        }
        harness.advance(1_999)
        #expect(!harness.sweep().contains { isFailure($0, slot, .frameTimeout) })
        harness.advance(1)
        #expect(harness.sweep().contains { isFailure($0, slot, .frameTimeout) })
    }

    @Test("counts a frame's time from its own first byte")
    func frameTimeoutRestarts() {
        let harness = RouterHarness()
        let slot = harness.connect(.publisher, "p")
        let frame = encodeFrame(.ping, seq: 1)
        harness.send(slot, Array(frame.prefix(4)))
        harness.advance(29_000)
        harness.send(slot, frame + frame.prefix(4))
        harness.advance(29_999)
        #expect(!harness.sweep().contains { isFailure($0, slot, .frameTimeout) })
        harness.advance(1)
        #expect(harness.sweep().contains { isFailure($0, slot, .frameTimeout) })
    }

    @Test("pings a silent session twice and ends it after a third silence, to the millisecond")
    func pingTimeout() {
        let harness = RouterHarness()
        let slot = harness.connect(.device, "d")
        for _ in 0..<2 {
            harness.advance(14_999)
            #expect(harness.sweep() == [])
            harness.advance(1)
            #expect(harness.sweep() == [.ping(slot)])
        }
        harness.advance(14_999)
        #expect(harness.sweep() == [])
        harness.advance(1)
        expectFailure(harness.sweep(), slot, .pingTimeout)
    }

    @Test("pings those that were opened together a few in a tick, each once, in several ticks")
    func pingPortions() {
        let harness = RouterHarness()
        let slots = (0..<200).map { harness.connect(.device, "d-\($0)") }
        let extra = harness.connect(.gateway)
        harness.advance(15_000)
        harness.send(extra, encodeFrame(.ping, seq: 1))
        harness.router.closed(slots[150])
        _ = harness.step()

        harness.router.beginSweep(now: harness.now)
        let first = harness.continueSweep()
        #expect(first == slots[..<64].map { .ping($0) })
        // Who comes, goes, and says something meanwhile is looked at as it is then.
        harness.router.closed(slots[100])
        harness.send(slots[120], encodeFrame(.ping, seq: 1))
        _ = harness.step()
        harness.advance(1_000)
        harness.router.beginSweep(now: harness.now)
        let silent = slots[64...].filter { ![slots[100], slots[120], slots[150]].contains($0) }
        var rest: [[SentFrame]] = []
        while harness.isSweeping { rest.append(harness.continueSweep()) }
        #expect(rest.map(\.count) == [64, 64, 5])
        #expect(rest.flatMap { $0 } == silent.map { .ping($0) })
        #expect(harness.sweep() == [])
    }

    @Test("ends those that are silent together a few in a tick as well")
    func errorPortions() {
        let harness = RouterHarness()
        for _ in 0..<100 { _ = harness.open() }
        harness.advance(10_000)
        harness.router.beginSweep(now: harness.now)
        #expect(harness.continueSweep().count == RouterLimits.pingsPerTick)
        #expect(harness.continueSweep().count == 100 - RouterLimits.pingsPerTick)
        #expect(!harness.isSweeping)
    }

    @Test("looks at no more than a share of very many connections in a tick")
    func sweptPortions() {
        let harness = RouterHarness()
        let last = harness.open(ConnectionSlot(rawValue: 3 * RouterLimits.sweptPerTick))
        harness.advance(10_000)
        harness.router.beginSweep(now: harness.now)
        for _ in 0..<3 { #expect(harness.continueSweep() == []) }
        expectFailure(harness.continueSweep(), last, .helloTimeout)
        #expect(!harness.isSweeping)
    }

    @Test("takes any whole frame as a sign of life, and no part of one")
    func signsOfLife() {
        let harness = RouterHarness()
        let slot = harness.connect(.device, "d")
        harness.advance(15_000)
        #expect(harness.sweep() == [.ping(slot)])
        harness.send(slot, encodeFrame(.pong, seq: 0))
        harness.advance(14_999)
        #expect(harness.sweep() == [])
        harness.send(slot, [0, 0, 0, 12])
        harness.advance(1)
        #expect(harness.sweep() == [.ping(slot)])
    }

    @Test("does not blame a session for silence while it is not read from")
    func unheard() {
        let harness = RouterHarness()
        let slot = harness.connect(.device, "d")
        for _ in 0..<10 {
            harness.advance(15_000)
            #expect(harness.sweep(isHeard: false) == [])
        }
        harness.advance(14_999)
        #expect(harness.sweep() == [])
        harness.advance(1)
        #expect(harness.sweep() == [.ping(slot)])
    }

    @Test("forgives a connection that is paused now and then no more silence than that")
    func heardNowAndThen() {
        let harness = RouterHarness()
        _ = harness.sweep()
        let slot = harness.connect(.device, "d")
        harness.send(slot, [0, 0])
        // One second in three is not its own.
        for second in 1..<22 {
            harness.advance(1_000)
            #expect(harness.sweep(isHeard: !second.isMultiple(of: 3)) == [])
        }
        harness.advance(1_000)
        #expect(harness.sweep() == [.ping(slot)])
        harness.send(slot, [0])
        var seconds = 22
        var sent: [SentFrame] = []
        while sent.isEmpty {
            seconds += 1
            harness.advance(1_000)
            sent = harness.sweep(isHeard: !seconds.isMultiple(of: 3))
        }
        expectFailure(sent, slot, .frameTimeout)
        #expect(seconds == 44)
    }

    @Test("does not end a connection for a HELLO that it does not read")
    func unheardHello() {
        let harness = RouterHarness()
        let slot = harness.open()
        harness.advance(20_000)
        #expect(harness.sweep(isHeard: false) == [])
        harness.advance(10_000)
        expectFailure(harness.sweep(), slot, .helloTimeout)
    }

    @Test("answers PING with PONG and its seq")
    func pong() {
        let harness = RouterHarness()
        let slot = harness.connect(.gateway)
        harness.send(slot, encodeFrame(.ping, seq: .max) + encodeFrame(.ping, seq: 3))
        #expect(harness.step() == [.pong(slot, seq: .max), .pong(slot, seq: 3)])
    }

    @Test("makes room for a new connection by ending the oldest that has not said HELLO")
    func evictsOldestAwaiting() {
        let harness = RouterHarness { $0.connectionsAwaitingHello = 3 }
        let first = harness.open()
        let talker = harness.connect(.publisher, "p")
        let second = harness.open()
        let third = harness.open()
        #expect(harness.take() == [])
        _ = harness.open()
        expectFailure(harness.take(), first, .helloTimeout)
        harness.close(second)
        _ = harness.open()
        #expect(harness.take() == [])
        _ = harness.open()
        expectFailure(harness.take(), third, .helloTimeout)
        harness.push(talker, 1, "{}")
        #expect(harness.step() == [.ack(talker, seq: 1, matched: 0)])
    }

    @Test("finds none to end when all have said HELLO")
    func evictsNobody() {
        let harness = RouterHarness()
        _ = harness.connect(.publisher, "p")
        let didEvict = harness.router.evictOldestAwaiting()
        #expect(!didEvict)
        let slot = harness.open()
        let didEvictIt = harness.router.evictOldestAwaiting()
        #expect(didEvictIt)
        expectFailure(harness.take(), slot, .helloTimeout)
    }

    @Test("counts those that wait right, whatever way they go")
    func awaitingCount() {
        let harness = RouterHarness { $0.connectionsAwaitingHello = 2 }
        for round in 0..<50 {
            let slot = harness.open()
            switch round % 5 {
            case 0: harness.hello(slot, .publisher, "p\(round)")
            case 1: harness.hello(slot, .publisher, "p", app: "unknown")
            case 2: harness.send(slot, [0xff, 0xff, 0xff, 0xff])
            case 3: harness.send(slot, encodeFrame(.push, seq: 1))
            default: break
            }
            harness.close(slot)
            _ = harness.take()
        }
        _ = harness.open()
        _ = harness.open()
        #expect(harness.take() == [])
        _ = harness.open()
        #expect(harness.take().count == 1)
    }
}
