import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

/// Finding 6 of the review: producers were kept for ever, and one app could have all of them.
@Suite("Producers")
struct ProducerTests {
    private static let day: Int64 = 86_400_000

    /// What a publisher is told that says HELLO: its last push, or why it is refused.
    private enum Answer: Equatable {
        case welcome(lastSeq: UInt64)
        case refused(String)
    }

    private func hello(_ harness: RouterHarness, _ name: String, app: String = "game") -> Answer {
        let slot = harness.open()
        let token = app == "news" ? "pub" : nil
        harness.hello(slot, .publisher, name, app: app, token: token)
        var answer: Answer?
        for frame in harness.step() {
            switch frame {
            case .welcome(slot, let body):
                let digits = body.split(separator: #""lastSeq":"#).last?.prefix { $0.isNumber }
                answer = .welcome(lastSeq: UInt64(digits ?? "") ?? .max)
            case .fail(slot, .tooManyProducers, let sentence),
                .fail(slot, .quotaExceeded, let sentence):
                answer = .refused(sentence)
            default: break
            }
        }
        harness.close(slot)
        return answer ?? .refused("no answer")
    }

    private func pushed(_ harness: RouterHarness, _ name: String, _ seq: UInt64) {
        let slot = harness.connect(.publisher, name)
        harness.push(slot, seq, "{}")
        _ = harness.step()
        harness.close(slot)
        _ = harness.step()
    }

    private func known(_ harness: RouterHarness) -> Int {
        harness.router.totals.stored.producers
    }

    private func forgotten(_ harness: RouterHarness) -> UInt64 {
        harness.router.counters.producersForgotten
    }

    private func refused(_ harness: RouterHarness) -> UInt64 {
        harness.router.counters.producersRefused
    }

    @Test("of one app never take the room of another")
    func share() {
        let harness = RouterHarness { $0.producers = 64 }
        let answers = (0..<100).map { hello(harness, "p\($0)") }
        #expect(answers.count { $0 == .welcome(lastSeq: 0) } == 16)
        let sentence = #"app "game": quota producers of 16 is used up (16 used, 1 more asked)"#
        #expect(answers.last == .refused(sentence))
        #expect(hello(harness, "p0") == .welcome(lastSeq: 0), "which is known")
        #expect(hello(harness, "q", app: "news") == .welcome(lastSeq: 0))
        #expect(refused(harness) == 84)
    }

    @Test("of all apps together are limited, too")
    func total() {
        let harness = RouterHarness {
            $0.producers = 3
            $0.producersPerApp = 2
        }
        for name in ["a", "b"] { #expect(hello(harness, name) == .welcome(lastSeq: 0)) }
        #expect(hello(harness, "c", app: "news") == .welcome(lastSeq: 0))
        let refusal = "3 producers are known, of all apps; no more are accepted"
        #expect(hello(harness, "d", app: "news") == .refused(refusal))
    }

    @Test("that are idle for as long as they may be make room, and begin anew when they come back")
    func idle() {
        let harness = RouterHarness { $0.producers = 16 }
        for name in ["a", "b", "c", "d"] { pushed(harness, name, 7) }
        guard case .refused = hello(harness, "e") else {
            Issue.record("there was room")
            return
        }
        harness.advance(13 * Self.day)
        #expect(hello(harness, "a") == .welcome(lastSeq: 7), "which is in use again")
        harness.advance(1 * Self.day)
        #expect(hello(harness, "e") == .welcome(lastSeq: 0))
        #expect(forgotten(harness) == 3)
        #expect(hello(harness, "a") == .welcome(lastSeq: 7))
        #expect(hello(harness, "b") == .welcome(lastSeq: 0))
    }

    @Test("are forgotten also if their place is not needed, some in each tick")
    func sweep() {
        let harness = RouterHarness {
            $0.producersPerApp = 3_000
            $0.producerIdle = 1_000
        }
        for number in 0..<2_500 { _ = hello(harness, "p\(number)") }
        #expect(known(harness) == 2_500)
        _ = harness.sweep()
        #expect(known(harness) == 2_500, "they have not been idle")
        harness.advance(1_000)
        var counts: [Int] = []
        for _ in 0..<4 {
            _ = harness.sweep()
            counts.append(known(harness))
        }
        #expect(counts == [1_476, 452, 0, 0])
        let totals = harness.router.totals
        #expect(totals.apps.first?.used.producers == 0)
    }

    @Test("with a session are not forgotten")
    func session() {
        let harness = RouterHarness { $0.producerIdle = 1_000 }
        let slot = harness.connect(.publisher, "p")
        harness.push(slot, 4, "{}")
        _ = harness.step()
        harness.advance(100 * Self.day)
        _ = harness.sweep()
        #expect(known(harness) == 1)
        harness.close(slot)
        harness.advance(999)
        _ = harness.sweep()
        #expect(hello(harness, "p") == .welcome(lastSeq: 4))
    }

    @Test("of which a push is being delivered are not forgotten before that is over")
    func fanOut() {
        let harness = RouterHarness {
            $0.matchesPerStep = 1
            $0.producerIdle = 1_000
        }
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", (0..<8).map { .character("w\($0)", "kit") })
        _ = harness.settle()
        let slot = harness.connect(.publisher, "p")
        harness.push(slot, 1, #"{"character":"kit"}"#)
        while harness.router.isBusy { _ = harness.step() }
        harness.close(slot)
        harness.advance(Self.day)
        harness.router.beginSweep(now: harness.now)
        let isFanningOut = harness.router.isFanningOut
        #expect(isFanningOut)
        #expect(known(harness) == 1)
        _ = harness.settle()
        let isOver = !harness.router.isFanningOut
        #expect(isOver)
        harness.router.beginSweep(now: harness.now)
        #expect(known(harness) == 1, "it was in use until now")
        harness.advance(1_000)
        harness.router.beginSweep(now: harness.now)
        #expect(known(harness) == 0)
    }

    @Test("are kept when the wall clock jumps, in either direction")
    func wrongClock() {
        let harness = RouterHarness()
        pushed(harness, "p", 3)
        harness.now.wall += Milliseconds(rawValue: 3_650 * Self.day)
        harness.advance(1_000)
        _ = harness.sweep()
        #expect(hello(harness, "p") == .welcome(lastSeq: 3))
        harness.now.wall -= Milliseconds(rawValue: 7_300 * Self.day)
        harness.advance(14 * Self.day)
        _ = harness.sweep()
        #expect(hello(harness, "p") == .welcome(lastSeq: 0), "and time advances all the same")
    }

    @Test("are not idle while no process is there, whatever the clock says afterwards")
    func outage() throws {
        let harness = RouterHarness { $0.producers = 16 }
        try harness.keepStore(.game, StoreRun(limits: harness.router.limits, seed: 1))
        for name in ["a", "b", "c", "d"] { pushed(harness, name, 7) }
        harness.advance(13 * Self.day)
        #expect(hello(harness, "d") == .welcome(lastSeq: 7))
        try harness.restart()
        harness.advance(3_650 * Self.day)
        guard case .refused = hello(harness, "e") else {
            Issue.record("there was room")
            return
        }
        #expect(hello(harness, "a") == .welcome(lastSeq: 7))
        harness.advance(1 * Self.day)
        #expect(hello(harness, "e") == .welcome(lastSeq: 0), "14 days have passed for two of them")
        #expect(forgotten(harness) == 2)
        try harness.restart()
        #expect(hello(harness, "a") == .welcome(lastSeq: 7))
        #expect(hello(harness, "b") == .welcome(lastSeq: 0))
    }

    @Test("that push over HTTP have the same limits, and are forgotten alike")
    func http() throws {
        let harness = RouterHarness { $0.producers = 4 }
        let slot = harness.open()
        harness.close(slot)
        let first = try harness.router.openPublisher(
            slot,
            app: "game",
            producer: "a",
            now: harness.now
        )
        #expect(first == 0)
        harness.close(slot)
        #expect(throws: ProtocolError.self) {
            _ = try harness.router.openPublisher(slot, app: "game", producer: "b", now: harness.now)
        }
        harness.advance(14 * Self.day)
        _ = try harness.router.openPublisher(slot, app: "game", producer: "b", now: harness.now)
        #expect(known(harness) == 1)
    }

    @Test("are forgotten when an operator says so, but not while they are in use")
    func operators() throws {
        let harness = RouterHarness()
        let slot = harness.connect(.publisher, "p")
        harness.push(slot, 9, "{}")
        _ = harness.step()
        func forget(_ name: String) throws -> ProducerForgetting {
            try harness.router.forgetProducer(name, app: "game", now: harness.now)
        }
        #expect(try forget("p") == .inUse)
        #expect(try forget("q") == .unknown)
        #expect(throws: ProtocolError.self) {
            try harness.router.forgetProducer("p", app: "none", now: harness.now)
        }
        harness.close(slot)
        #expect(try forget("p") == .forgotten)
        #expect(try forget("p") == .unknown)
        #expect(hello(harness, "p") == .welcome(lastSeq: 0))
    }

    @Test("are listed page by page, of one app or of all")
    func list() throws {
        let harness = RouterHarness()
        for number in 0..<5 { pushed(harness, "p\(number)", UInt64(number) + 1) }
        _ = hello(harness, "n", app: "news")
        let slot = harness.connect(.publisher, "p3")
        harness.advance(5_000)
        let first = try harness.router.producers(of: nil, after: nil, limit: 4, now: harness.now)
        #expect(first.found.map(\.name) == ["p0", "p1", "p2", "p3"])
        #expect(first.found.map(\.lastSeq) == [1, 2, 3, 4])
        #expect(first.found.map(\.hasSession) == [false, false, false, true])
        #expect(first.found.map(\.idleFor) == [5_000, 5_000, 5_000, nil])
        #expect(first.found.allSatisfy { $0.usedAt + 5_000 == harness.now.wall })
        let next = try #require(first.next)
        let rest = try harness.router.producers(of: nil, after: next, limit: 4, now: harness.now)
        #expect(rest.found.map(\.name) == ["p4", "n"])
        #expect(rest.next == nil)
        let news = try harness.router.producers(of: "news", after: nil, limit: 4, now: harness.now)
        #expect(news.found.map(\.app) == ["news"])
        harness.close(slot)
    }
}
