import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("Asked what became of a push, the router")
struct PushHistoryTests {
    private let character = #"{"character":"kit"}"#

    private func history(
        _ harness: RouterHarness,
        _ seq: UInt64,
        of producer: String = "p",
        after: Int? = nil,
        limit: Int = 100,
        portion: Int = 3
    ) throws(HistoryRefusal) -> PushHistory {
        var walk = try harness.router.beginHistory(
            app: "game",
            producer: producer,
            seq: seq,
            after: after,
            limit: limit
        )
        var steps = 0
        while try !harness.router.resume(&walk, count: portion, now: harness.now) { steps += 1 }
        #expect(steps < 100, "a step does next to nothing")
        return walk.history!
    }

    private func refusal(
        _ harness: RouterHarness,
        _ seq: UInt64,
        of producer: String = "p"
    ) -> HistoryRefusal? {
        do throws(HistoryRefusal) {
            _ = try history(harness, seq, of: producer)
            return nil
        } catch { return error }
    }

    @Test("says of each widget what its reload waited for, and when it was sent")
    func spacing() throws {
        let harness = SchedulingHarness([.character()])
        _ = harness.device("d", [.character("w", "kit"), .character("v", "otter")])
        harness.push(character)
        _ = harness.run(until: minute)
        harness.push(character)
        _ = harness.settle()
        let device = try harness.router.router.view(
            ofDevice: "d",
            app: "game",
            now: harness.router.now
        )
        #expect(device.decisions.map { $0.push?.seq } == [nil, 2])
        let first = try history(harness.router, 1)
        #expect(first.app == "game" && first.keptSince == first.push.at)
        #expect(
            first.push
                == PushView(
                    producer: "p",
                    seq: 1,
                    at: WallTime(rawValue: harness.date(0)),
                    matched: 1
                )
        )
        #expect(first.outcomes == ["sent": 1] && first.kinds == ["detail": 1])
        var sent = PushedWidget(device: "d", widget: "w", kind: "detail", outcome: "sent")
        sent.at = WallTime(rawValue: harness.date(0))
        #expect(first.widgets == [sent])
        var waiting = sent
        waiting.outcome = "spacing"
        waiting.at = nil
        waiting.until = WallTime(rawValue: harness.date(300_000))
        waiting.why = "a widget's reloads are 5 min apart"
        #expect(try history(harness.router, 2).widgets == [waiting])
        _ = harness.run(until: hour)
        sent.at = WallTime(rawValue: harness.date(300_000))
        sent.first = .spacing
        #expect(try history(harness.router, 2).widgets == [sent])
        #expect(try history(harness.router, 1).widgets[0].first == nil)
    }

    @Test("tells apart pushes of one millisecond")
    func sameTime() throws {
        let harness = SchedulingHarness([
            .character {
                $0.budget = .unlimited
                $0.observes = ["hp"]
            }
        ])
        _ = harness.device("d", [.character("w", "kit"), .character("v", "otter")])
        harness.push(#"{"character":"kit","hp":1}"#)
        harness.push(#"{"character":"kit","hp":1}"#)
        harness.push(#"{"character":"otter","hp":1}"#)
        harness.push(#"{"character":"kit","hp":2}"#)
        harness.push(character, expiresAt: -1)
        harness.push(#"{"character":"fox"}"#)
        _ = harness.settle()
        let outcomes = try (1...6 as ClosedRange<UInt64>).map { seq in
            let page = try history(harness.router, seq)
            #expect(page.outcomes!.values.reduce(0, +) == page.push.matched)
            return page.widgets.map { "\($0.widget) \($0.outcome)" }
        }
        #expect(
            outcomes == [["w sent"], ["w unchanged"], ["v sent"], ["w sent"], ["w expired"], []]
        )
    }

    @Test("pages a push with many matches, which it has delivered in portions")
    func pages() throws {
        let harness = SchedulingHarness([.character()], store: nil) { $0.matchesPerStep = 3 }
        for number in 0..<10 { _ = harness.device("d\(number)", [.character("w", "kit")]) }
        let gone = harness.device("gone", [.character("w", "kit")])
        harness.push(character)
        _ = harness.settle()
        harness.router.widgets(gone, "gone", [])
        _ = harness.settle()
        _ = harness.device("new", [.character("w", "kit")])
        var names: [String] = []
        var next: Int?
        repeat {
            let found = try history(harness.router, 1, after: next, limit: 4)
            #expect(found.push.matched == 11)
            #expect(found.outcomes == (next == nil ? ["sent": 10, "removed": 1] : nil))
            #expect(found.widgets.allSatisfy { $0.outcome == "sent" })
            names += found.widgets.map(\.device)
            next = found.next
        } while next != nil
        #expect(names.sorted() == (0..<10).map { "d\($0)" })
    }

    @Test("says of a widget to which a fan-out has not come yet that nothing is decided")
    func underWay() throws {
        let harness = SchedulingHarness([.character()], store: nil) { $0.matchesPerStep = 3 }
        for number in 0..<10 { _ = harness.device("d\(number)", [.character("w", "kit")]) }
        harness.push(character)
        var left: [Int] = []
        while harness.router.router.needsStep {
            _ = harness.router.reloads()
            if refusal(harness.router, 1) != nil { continue }
            let outcomes = try #require(try history(harness.router, 1).outcomes)
            #expect(outcomes.values.reduce(0, +) == 10 && outcomes["unknown"] == nil)
            left.append(outcomes["undecided"] ?? 0)
        }
        #expect(Set([10, 7, 4, 1, 0]).isSuperset(of: left) && left.contains(7))
        #expect(try history(harness.router, 1).outcomes == ["sent": 10])
    }

    @Test("takes no decision on a widget for one on another that had its number before")
    func reusedNumber() throws {
        let harness = SchedulingHarness([.character(), .unlimited("log")])
        let stays = TestWidget("x", "log", #"{"character":"fox"}"#)
        let device = harness.device("d", [.character("w", "kit"), stays])
        harness.push(character)
        _ = harness.settle()
        harness.push(character)
        harness.router.widgets(device, "d", [stays])
        let next = TestWidget("v", "log", #"{"character":"kit"}"#)
        harness.router.widgets(device, "d", [stays, next])
        harness.push(character)
        _ = harness.settle()
        let found = try history(harness.router, 3)
        #expect(found.widgets.map { "\($0.widget) \($0.outcome)" } == ["v sent"])
        #expect(try history(harness.router, 2).outcomes == ["removed": 1])
        #expect(harness.decisions().map(\.widget) == [nil, nil, nil, "v"])
    }

    @Test("tells the pushes of a producer from those of an earlier one of its name")
    func forgottenProducer() throws {
        let harness = RouterHarness()
        var slot = harness.connect(.publisher, "p")
        for seq in 1...3 as ClosedRange<UInt64> { harness.push(slot, seq, character) }
        _ = harness.settle()
        harness.close(slot)
        #expect(
            try harness.router.forgetProducer("p", app: "game", now: harness.now) == .forgotten
        )
        #expect(refusal(harness, 1)?.code == .producerUnknown)
        harness.advance(1_000)
        slot = harness.connect(.publisher, "p")
        #expect(refusal(harness, 1)?.code == .pushUnknown)
        harness.push(slot, 1, character)
        _ = harness.settle()
        #expect(try history(harness, 1).push.at == harness.now.wall)
        #expect(refusal(harness, 2)?.detail.contains("the last one is 1") == true)
    }

    @Test("says that it does not know any more what became of a widget")
    func dropped() throws {
        let harness = SchedulingHarness([.character { $0.budget = .unlimited }])
        _ = harness.device("d", [.character("w", "kit")])
        for _ in 0..<9 {
            harness.push(character)
            _ = harness.run(until: harness.time + second)
        }
        #expect(try history(harness.router, 1).outcomes == ["unknown": 1])
        #expect(try history(harness.router, 1).widgets.map(\.outcome) == ["unknown"])
        #expect(try history(harness.router, 3).outcomes == ["sent": 1])
    }

    @Test("says of each push of which nothing is known why that is so")
    func refusals() {
        let harness = SchedulingHarness([.character()], store: nil) { $0.historyPushes = 2 }
        let router = harness.router
        for seq in [3, 4, 7] as [UInt64] { router.push(harness.publisher, seq, character) }
        router.push(harness.publisher, 8, "[]")
        _ = harness.settle()
        #expect(refusal(router, 7) == nil && refusal(router, 4) == nil)
        func refused(_ seq: UInt64, _ code: HistoryRefusal.Code, _ words: String) {
            let refusal = refusal(router, seq)
            #expect(refusal?.code == code)
            #expect(refusal?.detail.contains(words) == true, "\(refusal?.detail ?? "")")
        }
        refused(9, .pushUnknown, "is accepted yet; the last one is 7")
        refused(8, .pushUnknown, "was refused")
        refused(5, .pushUnknown, "after 4 came one")
        refused(3, .pushForgotten, "only the last 2 pushes are kept")
        #expect(refusal(router, 3, of: "q")?.code == .producerUnknown)
    }

    @Test("lists the last pushes of an app, of a producer and of a request")
    func lists() throws {
        let harness = RouterHarness()
        let (p, q) = (harness.connect(.publisher, "p"), harness.connect(.publisher, "q"))
        harness.push(p, 1, character)
        _ = harness.settle()
        harness.push(q, 1, character)
        _ = harness.settle()
        let key = RequestKey(high: 5, low: 6, content: 7)
        _ = harness.router.beginRequest(p, key: key, firstSeq: 2, now: harness.now)
        harness.push(p, 2, character)
        harness.push(p, 3, character)
        _ = harness.settle()
        // The events of a batch have names of their own.
        let event = RequestKey(high: 9, low: 9, content: 0)
        harness.router.namePushes([9, 0, 9], from: 1, on: q)
        harness.push(q, 2, character)
        harness.push(q, 3, character)
        harness.router.namePushes([], from: 4, on: q)
        harness.push(q, 4, character)
        _ = harness.settle()
        func list(
            _ producer: String? = nil,
            name: RequestKey? = nil,
            limit: Int = 9
        ) throws -> [String] {
            var pushes: [String] = []
            var end: UInt64?
            repeat {
                var walk = try harness.router.beginPushes(
                    app: "game",
                    producer: producer,
                    named: name,
                    before: end,
                    limit: limit
                )
                while try !harness.router.resume(&walk, count: 1) {}
                #expect(walk.pushes.count <= limit)
                pushes += walk.pushes.map { "\($0.producer) \($0.seq)" }
                end = walk.next
            } while end != nil
            return pushes
        }
        let all = ["q 4", "q 3", "q 2", "p 3", "p 2", "q 1", "p 1"]
        #expect(try list() == all && list(limit: 3) == all)
        #expect(try list("q") == ["q 4", "q 3", "q 2", "q 1"] && list("x") == [])
        #expect(try list(name: event) == ["q 3"])
        #expect(try list(name: key) == ["p 3", "p 2"])
        func refusal(
            app: String = "game",
            named name: RequestKey?,
            of other: RouterHarness? = nil
        ) -> HistoryRefusal.Code? {
            let router = other ?? harness
            do throws(HistoryRefusal) {
                var walk = try router.router.beginPushes(
                    app: app,
                    producer: nil,
                    named: name,
                    before: nil,
                    limit: 1
                )
                while try !router.router.resume(&walk, count: 1) {}
                return nil
            } catch { return error.code }
        }
        #expect(refusal(named: RequestKey(high: 6, low: 6, content: 0)) == .pushUnknown)
        // Of a request that is known, whose pushes are not kept.
        let few = RouterHarness { $0.historyPushes = 2 }
        let sender = few.connect(.publisher, "p")
        _ = few.router.beginRequest(sender, key: key, firstSeq: 1, now: few.now)
        few.push(sender, 1, character)
        few.router.endRequest(sender, lines: 1, now: few.now)
        #expect(refusal(named: key, of: few) == nil)
        for seq in 2...3 as ClosedRange<UInt64> { few.push(sender, seq, character) }
        #expect(refusal(named: key, of: few) == .pushForgotten)
        #expect(refusal(app: "x", named: nil) == .appUnknown)
        harness.close(q)
        #expect(
            try harness.router.forgetProducer("q", app: "game", now: harness.now) == .forgotten
        )
        #expect(try list() == ["p 3", "p 2", "p 1"])
    }
}
