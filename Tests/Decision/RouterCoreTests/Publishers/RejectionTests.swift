import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

/// A REJECT that is lost with its connection must not make its push an accepted one.
@Suite("Rejected pushes")
struct RejectionTests {
    private let bad = "["

    /// What WELCOME says to a publisher that knows what became of its pushes up to `acked`.
    private func welcome(
        _ harness: RouterHarness,
        acked: UInt64?,
        name: String = "p"
    ) throws -> WelcomeMessage {
        let slot = harness.open()
        let hello = HelloMessage(
            role: .publisher,
            app: "game",
            token: nil,
            name: name,
            acked: acked
        )
        harness.send(slot, encodeFrame(.hello, seq: 0, body: hello.encoded))
        for case .welcome(slot, let text) in harness.take() {
            harness.close(slot)
            return try text.withByteView { try WelcomeMessage(reading: $0) }
        }
        throw ProtocolError(.bodyInvalid, message: "there is no WELCOME")
    }

    /// Pushes 1 to 6, of which 2, 3 and 6 are rejected, in one session.
    private func push(_ harness: RouterHarness) {
        let slot = harness.connect(.publisher, "p")
        for (seq, payload) in [
            (1, "{}"), (2, bad), (3, #"{"a":1,"a":1}"#), (4, "{}"), (5, "{}"), (6, bad),
        ] as [(UInt64, String)] {
            harness.push(slot, seq, payload)
        }
        _ = harness.step()
        harness.close(slot)
    }

    @Test("are in WELCOME, above the number up to which the publisher knows its answers")
    func welcome() throws {
        let harness = RouterHarness()
        push(harness)
        for (acked, seqs) in [
            (0, [2, 3, 6]), (1, [2, 3, 6]), (2, [3, 6]), (5, [6]), (6, []), (99, []),
        ] as [(UInt64, [UInt64])] {
            let found = try welcome(harness, acked: acked)
            #expect(found.lastSeq == 5 && found.rejectedAfter == nil)
            #expect(found.rejected?.map(\.seq) == seqs, "after \(acked)")
        }
        let all = try welcome(harness, acked: 0).rejected
        #expect(
            all?.map(\.code) == ["payload-not-json", "payload-duplicate-key", "payload-not-json"]
        )
        #expect(try welcome(harness, acked: nil).rejected == nil, "it does not ask")
        #expect(try welcome(harness, acked: 0, name: "q").rejected == [], "another producer")
    }

    @Test("do not count as lost; pushes of which the router knows nothing do")
    func behind() throws {
        let harness = RouterHarness()
        push(harness)
        // The last accepted one is 5, and 6 was rejected.
        for (acked, behind) in [(0, nil), (5, nil), (6, nil), (7, 1), (99, 93)]
            as [(UInt64, UInt64?)]
        {
            #expect(try welcome(harness, acked: acked).behind == behind, "after \(acked)")
        }
        #expect(try welcome(harness, acked: nil).behind == nil, "it does not say")
        #expect(try welcome(harness, acked: 3, name: "forgotten").behind == 3)
        #expect(harness.router.counters.producersAhead == 3)
    }

    @Test("of every code that a push can be rejected with are written and read as they are")
    func codes() {
        let codes = (0...UInt8.max).compactMap { ErrorCode(storedNumber: $0) }
        #expect(codes.enumerated().allSatisfy { UInt8($0.offset) == $0.element.storedNumber })
        #expect(Set(codes).count == codes.count && codes.count == 11)
    }

    @Test("are known after a restart, from the journal alone and from a checkpoint")
    func restart() throws {
        let harness = RouterHarness()
        harness.keepJournal(.game)
        push(harness)
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, StateImage(harness.router).records, [])
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        _ = try router.recover(from: store)
        func producers(_ router: borrowing Router) -> [[UInt8]] {
            StateImage(router).records.filter { $0.key.type == StateRecord.producers.rawValue }
                .map(\.value)
        }
        #expect(producers(router) == producers(harness.router))
        _ = harness.step()
        let rejections = router.state.publishers.producers.rejections[0]
        #expect(rejections.known.map(\.seq) == [2, 3, 6])
        let difference = harness.replica?.difference(from: harness.router)
        #expect(difference == nil, "a replica that follows the journal knows them, too")
    }

    @Test("give way to another push of their number in a later session")
    func again() throws {
        let harness = RouterHarness()
        push(harness)
        let slot = harness.connect(.publisher, "p")
        harness.push(slot, 6, "{}")
        harness.push(slot, 7, bad)
        #expect(harness.step().contains(.ack(slot, seq: 6, matched: 0)))
        harness.close(slot)
        #expect(try welcome(harness, acked: 0).rejected?.map(\.seq) == [2, 3, 7])
        let third = harness.connect(.publisher, "p")
        harness.push(third, 7, bad)
        harness.push(third, 9, "{}")
        _ = harness.step()
        harness.close(third)
        #expect(try welcome(harness, acked: 0).rejected?.map(\.seq) == [2, 3, 7])
        harness.checkInvariants()
    }

    @Test("beyond the limit are forgotten, the lowest first, and WELCOME says so")
    func limit() throws {
        let harness = RouterHarness()
        let slot = harness.connect(.publisher, "p")
        for seq in 1...300 as ClosedRange<UInt64> { harness.push(slot, seq * 2, bad) }
        _ = harness.step()
        harness.close(slot)
        let found = try welcome(harness, acked: 0)
        #expect(found.rejected?.count == RouterLimits.rejectionsPerProducer)
        #expect(found.rejected?.first?.seq == 90 && found.rejectedAfter == 88)
        #expect(try welcome(harness, acked: 88).rejectedAfter == nil)
        harness.checkInvariants()
    }

    @Test("are forgotten with their producer")
    func forgotten() throws {
        let harness = RouterHarness()
        push(harness)
        #expect(
            try harness.router.forgetProducer("p", app: "game", now: harness.now) == .forgotten
        )
        #expect(harness.router.state.publishers.producers.rejections.count == 0)
        #expect(try welcome(harness, acked: 0).rejected == [])
    }

    @Test("are kept in order, whatever is added and removed")
    func order() {
        var table = RejectionTable()
        var model: [ProducerID: [UInt64]] = [:]
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            let producer = ProducerID(rawValue: UInt32.random(in: 0..<3, using: &random))
            let seq = UInt64.random(in: 1...400, using: &random)
            var list = model[producer] ?? []
            if UInt8.random(in: 0..<3, using: &random) == 0 {
                table.remove(seq, of: producer)
                list.removeAll { $0 == seq }
            } else {
                table.add(.init(seq: seq, code: .patternCost), of: producer)
                list = Set(list + [seq]).sorted()
                if list.count > RouterLimits.rejectionsPerProducer { list.removeFirst() }
            }
            model[producer] = list
            #expect(table[producer].known.map(\.seq) == list)
            #expect(table.has(seq, of: producer) == list.contains(seq))
        }
        #expect(table.count == model.values.reduce(0) { $0 + $1.count })
    }
}
