import CaptureFormat
import DataStructures
import FrameCodec
import ReloadModel
import TestSupport
import Testing

@testable import CaptureTools

@Suite("What a tap records of a connection")
struct TapSessionTests {
    @Test(
        "is what the router has accepted, with the time at which it came",
        arguments: [nil, 1, 7]
    )
    func accepted(pieceByteCount: Int?) {
        var run = TapRun()
        run.pieceByteCount = pieceByteCount
        run.hello()
        #expect(run.recorded().isEmpty, "nobody knows yet")
        run.welcome()
        for seq in 1...4 { run.push(UInt64(seq)) }
        #expect(run.recorded() == ["hello 0 @1"])
        run.reject(2)
        #expect(run.recorded().isEmpty)
        run.acknowledge(3)
        #expect(run.recorded() == ["push 1 @3", "push 3 @5"])
        run.acknowledge(4)
        run.close()
        #expect(run.recorded() == ["push 4 @6", "ended 0 @10"])
        #expect(run.entries.unansweredCount == 0 && run.entries.count == 0)
    }

    @Test func `is the same whether or not the publisher asks for outcomes`() {
        var texts: [String] = []
        for wantsOutcomes in [false, true] {
            var run = TapRun()
            run.hello(wantsOutcomes: wantsOutcomes)
            run.welcome()
            run.push(1)
            if wantsOutcomes {
                let body = Array(#"{"matched":0,"counts":{},"widgets":[]}"#.utf8)
                run.answer(encodeFrame(.outcome, seq: 1, body: body))
            }
            run.acknowledge(1)
            run.close()
            var unwritten = UnwrittenRecords()
            run.entries.move(to: &unwritten)
            texts.append(unwritten.records.bytes.string.filter { $0.isLetter })
        }
        #expect(texts[0] == texts[1] && !texts[1].contains("outcomes"))
    }

    @Test func `has no token`() throws {
        var run = TapRun()
        run.hello(token: "pub-secret")
        run.welcome()
        var unwritten = UnwrittenRecords()
        run.entries.move(to: &unwritten)
        let text = unwritten.records.bytes.string
        #expect(text.contains(#""producer":"p""#) && !text.contains("secret"))
    }

    @Test func `has no push that the producer has sent before`() {
        var run = TapRun()
        run.hello()
        // Sent before the WELCOME says up to where the router has them.
        for seq in 5...7 { run.push(UInt64(seq)) }
        run.welcome(lastSeq: 6)
        run.push(7)
        run.push(8)
        run.push(9)
        run.reject(9)
        run.push(9)
        run.acknowledge(9)
        #expect(run.recorded() == ["hello 0 @1", "push 7 @4", "push 8 @7"])
    }

    @Test func `has no session that the router refused, and nothing of it`() {
        var run = TapRun()
        run.hello()
        run.push(1)
        run.fail()
        run.close()
        #expect(run.recorded().isEmpty && run.entries.count == 0)

        run = TapRun()
        run.send(encodeFrame(.hello, seq: 0, body: Array("{".utf8)))
        run.push(1)
        run.close()
        #expect(run.recorded().isEmpty && run.entries.count == 0)
    }

    @Test func `has one end, also if its connection fails after the client has ended it`() {
        var run = TapRun()
        run.hello()
        run.clientEnds()
        run.clientEnds()
        run.welcome()
        #expect(run.recorded() == ["hello 0 @1", "ended 0 @2"])
        run.clientEnds()
        run.close()
        #expect(run.recorded().isEmpty && run.entries.count == 0)
    }

    @Test func `ends where the router ends it: what was accepted was acknowledged before`() {
        var run = TapRun()
        run.hello(.gateway, nil)
        run.welcome(lastSeq: nil)
        run.device(.widgets, 1)
        run.device(.timeline, 4)
        run.device(.state, 5)
        run.acknowledge(4)
        run.fail()
        run.device(.request, 6)
        run.close()
        #expect(
            run.recorded() == ["hello 0 @1", "widgets 1 @3", "timeline 4 @4", "ended 0 @7"]
        )
        #expect(run.entries.unansweredCount == 0)
    }

    @Test func `has what had no answer when the connection broke, and counts that`() {
        var run = TapRun()
        run.hello()
        run.welcome(lastSeq: 3)
        run.push(3)
        run.push(4)
        run.push(5)
        run.reject(5)
        run.push(6)
        run.close()
        #expect(run.recorded() == ["hello 0 @1", "push 4 @4", "push 6 @7", "ended 0 @8"])
        #expect(run.entries.unansweredCount == 2)
    }

    @Test func `has the end where the client ended it, and answers that came later`() {
        var run = TapRun()
        run.hello()
        run.push(1)
        run.clientEnds()
        #expect(run.recorded().isEmpty)
        run.welcome()
        run.acknowledge(1)
        run.close()
        #expect(run.recorded() == ["hello 0 @1", "push 1 @2", "ended 0 @3"])

        run = TapRun()
        run.hello()
        run.clientEnds()
        run.close()
        #expect(run.recorded().isEmpty && run.entries.count == 0)
    }

    @Test("leaves out PING and PONG") func others() {
        var run = TapRun()
        run.hello(.device, "d")
        run.welcome(lastSeq: nil)
        run.send(encodeFrame(.ping, seq: 9))
        run.answer(encodeFrame(.pong, seq: 9))
        run.answer(encodeFrame(.reload, seq: 1, body: Array("{}".utf8)))
        run.close()
        #expect(run.recorded().map { $0.prefix(5) } == ["hello", "ended"])
    }

    // MARK: - Order and limits

    @Test func `keeps the order in which everything came, across connections`() {
        var first = TapRun()
        first.hello()
        var second = TapRun(first.entries, connection: 2)
        second.time = 10
        second.hello()
        second.welcome()
        #expect(second.recorded().isEmpty, "the one that came first has no answer")
        first.entries = second.entries
        first.welcome()
        #expect(first.recorded() == ["hello 0 @1", "hello 0 @11"])
    }

    @Test func `does not wait for an answer beyond its limits`() {
        for limits in [(entries: 3, bytes: 1 << 20), (entries: 1_000, bytes: 8)] {
            var run = TapRun(TapEntries(entryLimit: limits.entries, byteLimit: limits.bytes))
            run.hello()
            run.welcome()
            #expect(run.recorded() == ["hello 0 @1"])
            for seq in 1...10 { run.push(UInt64(seq)) }
            let written = run.recorded()
            #expect(written.count == 10 - min(limits.entries, limits.bytes / 2))
            #expect(run.entries.unansweredCount == UInt64(written.count))
            run.reject(1)
            run.acknowledge(10)
            #expect(run.recorded().count == 10 - written.count, "each is written once")
        }
    }

    @Test(
        "forgets what is written, and finds the rest again",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func long(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var run = TapRun()
        run.hello()
        run.welcome()
        var wanted = ["hello 0"]
        var found: [String] = []
        var acknowledged: UInt64 = 0
        var refused: Set<UInt64> = []
        for seq in 1...UInt64(5_000) {
            run.push(seq)
            if random.below(5) == 0 {
                run.reject(seq)
                refused.insert(seq)
            }
            if random.below(random.pick([2, 100, 2_000])) > 0 { continue }
            run.acknowledge(seq)
            wanted += (acknowledged + 1...seq).filter { !refused.contains($0) }.map { "push \($0)" }
            acknowledged = seq
            found += run.recorded().map { String($0.prefix { $0 != "@" }.dropLast()) }
        }
        found += run.recorded().map { String($0.prefix { $0 != "@" }.dropLast()) }
        #expect(Array(found.prefix(wanted.count)) == wanted, "seed \(seed)")
    }

    // MARK: - Anything at all

    @Test("does not fail on any bytes", arguments: 1...50 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        for _ in 0..<20 {
            let type = random.pick(FrameType.allCases)
            let body = random.pick(["{}", #"{"lastSeq":"x"}"#, "[]", "", #"{"lastSeq":-1}"#])
            bytes += encodeFrame(type, seq: UInt64(random.below(5)), body: Array(body.utf8))
        }
        if random.below(2) == 0 { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
        var entries = TapEntries()
        var session = TapSession(connection: 1)
        var streams = (TapStream(), TapStream())
        HelloMessage(role: .publisher, app: "a", token: nil, name: "p").encoded.withByteView {
            session.sent(
                FrameHeader(type: .hello, seq: 0, bodyCount: $0.count),
                body: $0,
                at: 0,
                entries: &entries
            )
        }
        var offset = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + 1 + random.below(40))
            let piece = Array(bytes[offset..<end])
            offset = end
            do {
                try piece.withByteView { view in
                    try streams.0.take(view) {
                        session.sent($0, body: $1, at: 1, entries: &entries)
                    }
                    try streams.1.take(view) {
                        session.answered($0, body: $1, at: 1, entries: &entries)
                    }
                }
            } catch {
                break
            }
        }
        session.end(at: 2, entries: &entries)
        var unwritten = UnwrittenRecords()
        entries.move(to: &unwritten)
        #expect(entries.count == 0, "seed \(seed): at the end all is decided")
    }
}
