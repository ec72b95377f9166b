import Basics
import FrameCodec
import TestSupport
import Testing

/// Random and mutated bytes into decoder and session.
///
/// What fails is found again by its seed.
@Suite("Fuzzed, the frame decoder and the session")
struct FrameFuzzTests {
    static let seeds: [UInt64] = Array(1...8)

    @Test("give the same for random bytes, however they are cut", arguments: seeds)
    func randomBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for round in 0..<400 {
            // Small leading bytes, so that the length is not refused at once every time.
            var bytes = random.bytes(random.below(200))
            if random.below(4) != 0 {
                for index in 0..<min(3, bytes.count) { bytes[index] = index == 2 ? 1 : 0 }
            }
            verify(bytes, &random, seed, round)
        }
    }

    @Test("give the same for mutated frames, however they are cut", arguments: seeds)
    func mutatedFrames(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 0x1_0001)
        for round in 0..<400 {
            var bytes: [UInt8] = []
            for _ in 0...random.below(6) { bytes += randomFrame(&random).bytes }
            for _ in 0..<random.below(4) { mutate(&bytes, &random) }
            verify(bytes, &random, seed, round)
        }
    }

    @Test(
        "take any frames in any order without a trap, and a session that failed stays whole",
        arguments: seeds
    )
    func sessions(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 0x2_0003)
        for _ in 0..<2_000 {
            var session = Session()
            if random.below(8) != 0 {
                let role = [Peer.publisher, .device, .gateway][random.below(3)]
                session.accept(role, lastSeq: random.below(2) == 0 ? 0 : random.next())
            }
            for _ in 0..<30 {
                let before = session
                let frame = randomFrame(&random)
                let outcome = outcome(&session, frame.header, window: 10)
                checkInvariants(before, session, frame, outcome, seed)
                if case .failure = outcome { session.end() }
                if random.below(6) == 0 { session.acknowledged() }
            }
        }
    }

    private func checkInvariants(
        _ before: Session,
        _ after: Session,
        _ frame: TestFrame,
        _ outcome: Result<SessionInput, ProtocolError>,
        _ seed: UInt64
    ) {
        #expect(after.phase == before.phase, "seed \(seed)")
        #expect(after.highestSeq >= before.highestSeq, "seed \(seed)")
        guard case .success(let input) = outcome else { return }
        switch input {
        case .push, .perhapsRejectedPush, .widgets, .timeline, .state, .request, .attach:
            #expect(frame.seq > before.highestSeq, "seed \(seed): \(frame)")
            #expect(after.highestSeq == frame.seq, "seed \(seed): \(frame)")
        case .duplicatePush:
            #expect(frame.seq <= before.highestSeq && frame.seq > 0, "seed \(seed): \(frame)")
        case .ping, .pong:
            #expect(frame.body.isEmpty && after == before, "seed \(seed): \(frame)")
        case .hello:
            #expect(before.phase == .awaitingHello && frame.seq == 0, "seed \(seed): \(frame)")
        }
        if after.phase == .publisher {
            #expect(after.unacknowledged <= 10, "seed \(seed)")
        }
    }

    private func verify(
        _ bytes: [UInt8],
        _ random: inout SeededGenerator,
        _ seed: UInt64,
        _ round: Int
    ) {
        let whole = DecodedStream(bytes, pieces: [])
        var cuts = [bytes.map { _ in 1 }]
        for _ in 0..<4 { cuts.append((0..<20).map { _ in random.below(40) }) }
        for pieces in cuts where DecodedStream(bytes, pieces: pieces) != whole {
            Issue.record("seed \(seed), round \(round): \(bytes) cut into \(pieces)")
        }
        // What was decoded encodes back to the bytes it came from.
        let encoded = whole.frames.flatMap(\.bytes)
        if encoded != Array(bytes.prefix(encoded.count)) {
            Issue.record("seed \(seed), round \(round): \(bytes) does not encode back")
        }
        for frame in whole.frames {
            var session = Session()
            _ = outcome(&session, frame.header)
        }
    }

    private func randomFrame(_ random: inout SeededGenerator) -> TestFrame {
        let type = FrameType.allCases[random.below(FrameType.allCases.count)]
        let seqs: [UInt64] = [0, 1, .max, random.next(), UInt64(random.below(40))]
        return TestFrame(
            type,
            flags: type.knownFlags & UInt8(truncatingIfNeeded: random.next()),
            seq: seqs[random.below(seqs.count)],
            body: random.bytes(random.below(3) == 0 ? random.below(60) : 0)
        )
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let position = random.below(bytes.count)
        switch random.below(5) {
        case 0: bytes[position] ^= 1 << UInt8(random.below(8))
        case 1: bytes[position] = UInt8(truncatingIfNeeded: random.next())
        case 2: bytes.remove(at: position)
        case 3: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: position)
        default: bytes.removeLast(random.below(bytes.count))
        }
    }
}
