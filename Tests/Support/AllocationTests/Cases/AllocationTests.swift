import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

/// The hot paths allocate nothing once they are warm: an allocation for each frame would cost more
/// than the frame.
///
/// Unoptimised Swift allocates by itself, so these count only in the builds that the manifest
/// optimises for them: `deploy/test`.
@Suite("In steady state")
struct AllocationTests {
    private static let rounds = 10_000

    @Test("the counter sees allocations where there are some, and none where there are none")
    func counter() {
        var frames: [[UInt8]] = []
        frames.reserveCapacity(10)
        // Frames of a length that nobody knows before: the optimizer cannot put them on the stack.
        var random = SystemRandomNumberGenerator()
        let body = [UInt8](repeating: 0x20, count: Int(random.next() % 100) + 100)
        let some = allocations {
            for seq in 0..<10 { frames.append(encodeFrame(.push, seq: UInt64(seq), body: body)) }
        }
        #expect(some >= 10)
        var sum = 0
        let none = allocations { for frame in frames { sum += frame.count } }
        #expect(none == 0 && sum == 10 * (16 + body.count))
    }

    @Test("no frame is decoded with an allocation, nor judged by a session")
    func frames() {
        let frames = [
            encodeFrame(.push, flags: 3, seq: 1, body: [UInt8](repeating: 0x20, count: 110)),
            encodeFrame(.ping, seq: 2), encodeFrame(.pong, seq: 2),
        ].flatMap { $0 }
        frames.withByteView { view in
            var welcomed = Session()
            welcomed.accept(.publisher, lastSeq: 0)
            var bodyCount = 0
            let count = allocations {
                for _ in 0..<Self.rounds {
                    // In one session, a number that does not rise is refused.
                    var session = welcomed
                    var offset = 0
                    while let header = try? FrameHeader.decode(view, at: offset, maxBody: 1_024) {
                        offset += FrameHeader.byteCount + header.bodyCount
                        bodyCount += header.bodyCount
                        _ = try? session.received(header, window: 10, jump: 1 << 32)
                        session.acknowledged()
                    }
                }
            }
            #expect(count == 0 && bodyCount == 110 * Self.rounds)
        }
    }

    @Test("no push that matches nothing allocates, from its bytes to its ACK")
    func noMatch() {
        verify(payload: #"{"event":"potion","character":"panda","level":7}"#, reloads: 0)
    }

    @Test("no push that matches one widget allocates, from its bytes to the RELOAD's")
    func oneMatch() {
        verify(payload: #"{"event":"potion","character":"kit-7","level":7}"#, reloads: 1)
    }

    @Test("no urgent push with an expiry allocates")
    func flags() {
        let date: [UInt8] = [0, 0, 1, 0xff, 0, 0, 0, 0]
        verify(
            body: date + Array(#"{"character":"kit-7"}"#.utf8),
            flags: 3,
            reloads: 1
        )
    }

    @Test("no push allocates that names its kinds, or has escapes and non-ASCII in it")
    func kinds() {
        let payload = #"{"charact\u0065r":"k\u0069t-7","name":"häß 😀"}"#
        verify(
            body: [0, 11, 6] + Array("detail".utf8) + [3] + Array("log".utf8) + Array(payload.utf8),
            flags: PushFlags.kinds,
            reloads: 1
        )
    }

    @Test("no RELOAD of many widgets of one device allocates")
    func manyWidgets() {
        verify(payload: #"{"place":"plaza"}"#, reloads: 1)
    }

    @Test("no RELOAD of a push that reaches many devices allocates")
    func fanout() {
        verify(payload: #"{"weather":"rain"}"#, reloads: 500, rounds: 100)
    }

    @Test("no push allocates while the connection of its device is full")
    func fullConnection() {
        verify(payload: #"{"character":"kit-7"}"#, reloads: 0) { router in router.outputFilled(1) }
    }

    @Test("no push that is recorded allocates, with its records taken after each tick")
    func recorded() {
        verify(payload: #"{"event":"potion","character":"kit-7","level":7}"#, reloads: 1) {
            router in
            router.startCapture(appFile: Array("{}".utf8))
        }
    }

    @Test("no time that is recorded allocates, nor does a window that ends")
    func latencies() {
        var histogram = LatencyHistogram()
        var runs = ArrivalRuns()
        runs.add(1, arrival: 1)
        runs.record(in: &histogram, at: 2)
        let count = allocations {
            for round in 1...Int64(Self.rounds) {
                histogram.record(Nanoseconds(rawValue: round * 977))
                runs.add(3, arrival: ExactTime(rawValue: round))
                runs.record(in: &histogram, at: ExactTime(rawValue: round * 5))
                if round % 100 == 0 { histogram.rotate() }
            }
        }
        #expect(count == 0 && histogram.summary.count == 4 * UInt64(Self.rounds) + 1)
    }

    @Test("no key that is counted allocates, however many there are")
    func hotKeys() {
        var keys = HotKeys()
        let count = allocations {
            for round in 0..<UInt32(Self.rounds) { keys.add(round / 3, count: 1, extra: 2) }
            keys.halve()
        }
        #expect(count == 0)
    }

    // MARK: - The loop

    private func verify(
        payload: String,
        reloads: Int,
        rounds: Int = AllocationTests.rounds,
        prepare: (inout Router) -> Void = { _ in }
    ) {
        verify(
            body: Array(payload.utf8),
            flags: 0,
            reloads: reloads,
            rounds: rounds,
            prepare: prepare
        )
    }

    /// Sends the same push again and again, with a rising seq, and performs what follows.
    private func verify(
        body: [UInt8],
        flags: UInt8,
        reloads: Int,
        rounds: Int = AllocationTests.rounds,
        prepare: (inout Router) -> Void = { _ in }
    ) {
        var bench = RouterBench()
        prepare(&bench.router)
        let frame = encodeFrame(.push, flags: flags, seq: 0, body: body)
        bench.load(frame)
        for _ in 0..<200 { bench.tick() }
        let before = bench.reloadCount
        let count = allocations { for _ in 0..<rounds { bench.tick() } }
        let sent = bench.reloadCount - before
        #expect(count == 0, "\(count) allocations in \(rounds) rounds")
        #expect(sent == reloads * rounds)
        let counters = bench.router.counters
        // Whatever leaves at once is measured.
        #expect(bench.latency.count == UInt64(bench.reloadCount))
        #expect(counters.pushesAccepted == UInt64(200 + rounds))
        #expect(counters.framesRejected == 0 && counters.sessionsFailed == 0)
    }
}
