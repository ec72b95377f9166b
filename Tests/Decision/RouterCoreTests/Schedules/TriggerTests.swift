import Basics
import FrameCodec
import ReloadScheduling
import RouterCore
import Testing

@Suite("Triggered by other things than pushes, the router")
struct TriggerTests {
    private let character = #"{"character":"kit"}"#
    private let seen = #""visible":["w"]"#

    private func harness(
        _ change: (inout KindPolicy) -> Void = { _ in }
    ) -> (
        SchedulingHarness, ConnectionSlot
    ) {
        let harness = SchedulingHarness([.character("detail", change), .character("log")])
        return (harness, harness.device("d", [.character("w", "kit")]))
    }

    @Test("reloads a widget that comes into sight if the budget has held it back")
    func visibleAfterDeferred() {
        let (harness, device) = harness { $0.budget = .fixed(10, urgentPercent: 20) }
        for _ in 0..<9 {
            harness.push(character)
            _ = harness.settle()
        }
        #expect(harness.reasons().last == .budget)
        harness.state(device, "d", seen)
        #expect(harness.settle().map(\.cause) == ["visible"])
        // Nothing is behind any more: a second view is only a view.
        harness.state(device, "d", #""visible":[]"#)
        harness.state(device, "d", seen)
        #expect(harness.settle() == [])
    }

    @Test("asks the budget again at each view of a widget that waits")
    func visibleRaises() {
        let budget = BudgetPolicy.fixed(1)
        let (harness, device) = harness {
            $0.budget = budget
            ($0.budget.often, $0.budget.oftenViews) = (2, 3)
        }
        for _ in 0..<2 {
            harness.push(character)
            _ = harness.settle()
        }
        #expect(harness.reasons().last == .budget)
        for _ in 0..<2 {
            harness.state(device, "d", seen)
            harness.state(device, "d", #""visible":[]"#)
            #expect(harness.settle() == [])
        }
        harness.state(device, "d", seen)
        #expect(harness.settle().map(\.cause) == ["visible"])
    }

    @Test("lets a widget in sight wait for its spacing, and then go from the reserve")
    func visibleWaits() {
        let (harness, device) = harness { $0.budget = .fixed(10, spacing: 300_000) }
        for _ in 0..<2 {
            harness.push(character)
            _ = harness.settle()
        }
        harness.router.advance(minute)
        harness.state(device, "d", seen)
        let sent = harness.run(until: hour)
        #expect(sent.map(\.at) == [300_000])
    }

    @Test("reloads a widget that comes into sight if a push for it expired")
    func visibleAfterStale() {
        let (harness, device) = harness { $0.budget = .fixed(9, spacing: 300_000) }
        harness.push(character)
        #expect(harness.settle().count == 1)
        harness.push(character, expiresAt: minute)
        #expect(harness.run(until: 10 * minute) == [])
        #expect(harness.reasons().last == .expired)
        harness.state(device, "d", seen)
        #expect(harness.settle().map(\.cause) == ["visible"])
    }

    @Test(
        "does not reload a widget that comes into sight and is up to date, or was in sight before"
    )
    func visibleOtherwise() {
        let (harness, device) = harness { $0.budget = .fixed(9, spacing: 300_000) }
        harness.state(device, "d", seen)
        harness.push(character)
        #expect(harness.settle().map(\.cause) == ["push"])
        harness.push(character)
        harness.state(device, "d", seen)
        #expect(harness.settle() == [])
        #expect(harness.run(until: hour).map(\.at) == [300_000])
    }

    @Test("lets a newer timeline end a deferred date, also if the widget was looked at since")
    func visibleAfterDate() {
        for hasPush in [false, true] {
            let (harness, device) = harness { $0.budget = .fixed(9, spacing: 300_000) }
            harness.push(character)
            harness.router.timeline(device, "d", "w", policy: harness.after(minute))
            #expect(harness.run(until: minute).map(\.cause) == ["push"])
            #expect(harness.reasons().last == .spacing)
            harness.state(device, "d", seen)
            if hasPush { harness.push(character, expiresAt: 2 * minute) }
            harness.router.timeline(device, "d", "w")
            #expect(harness.run(until: hour) == [], "nothing is left to reload for")
            #expect(harness.reasons().last == (hasPush ? .expired : .superseded))
        }
    }

    @Test("does not take from a reload that waits what it was allowed, when others join it")
    func privilegesStay() {
        let (harness, device) = harness { $0.budget = .fixed(5, urgentPercent: 40) }
        for _ in 0..<5 {
            harness.push(character, flags: PushFlags.urgent)
            _ = harness.settle()
            harness.router.advance(2 * hour)
        }
        harness.push(character, flags: PushFlags.urgent)
        // All five are spent, and two would have to come back for a common push.
        harness.state(device, "d", seen)
        harness.push(character)
        let sent = harness.run(until: 2 * day)
        #expect(sent.count == 1 && sent[0].at <= 25 * hour + 3 * minute, "\(sent)")
    }

    @Test("keeps the right of a widget in sight to the reserve when a push joins")
    func visibleRightStays() {
        let (harness, device) = harness { $0.budget = .fixed(5, urgentPercent: 40) }
        for _ in 0..<5 {
            harness.push(character, flags: PushFlags.urgent)
            _ = harness.settle()
            harness.router.advance(2 * hour)
        }
        harness.push(character)
        _ = harness.settle()
        harness.state(device, "d", seen)
        _ = harness.settle()
        harness.push(character)
        let sent = harness.run(until: 2 * day)
        #expect(sent.count == 1 && sent[0].at <= 25 * hour + 3 * minute, "\(sent)")
    }

    @Test("reloads by location only what uses it")
    func location() {
        let harness = SchedulingHarness([
            .character("detail") { $0.usesLocation = true }, .character("log"),
        ])
        let widgets = [TestWidget("w", "detail"), TestWidget("v", "log")]
        let device = harness.device("d", widgets)
        harness.state(device, "d", #""location":"significant-change""#)
        let sent = harness.settle()
        #expect(sent.map(\.widgets) == [["w"]] && sent.map(\.cause) == ["location"])
    }

    @Test("reloads once for a reload's own download, whatever the spacing")
    func download() {
        let (harness, device) = harness { $0.budget = .fixed(9, spacing: 300_000) }
        harness.push(character)
        #expect(harness.settle().count == 1)
        harness.router.advance(10 * second)
        harness.router.request(device, "d", because: "download")
        #expect(harness.settle().map(\.cause) == ["download"])
        harness.router.advance(10 * second)
        harness.router.request(device, "d", because: "download")
        #expect(harness.settle() == [])
        #expect(harness.reasons().last == .spacing)
        let sent = harness.run(until: hour)
        #expect(sent.count == 1 && sent[0].at >= 310 * second)
    }

    @Test("lets a finished download go at once also if a push already waits for the spacing")
    func downloadJoins() {
        let (harness, device) = harness { $0.budget = .fixed(9, spacing: 300_000) }
        for _ in 0..<2 {
            harness.push(character)
            _ = harness.settle()
        }
        harness.router.advance(10 * second)
        harness.router.request(device, "d", because: "download")
        #expect(harness.settle().map(\.at) == [10 * second])
        #expect(harness.run(until: hour) == [])
    }
}

@Suite("Of a device that asks for a reload after every reload, the router")
struct TriggerLoopTests {
    let harness = SchedulingHarness([.character(), .character("log")])
    let device: ConnectionSlot

    init() {
        device = harness.device("d", [.character("w", "kit")])
    }

    /// Asks for a reload after each one, as the sample does that calls reloadAllTimelines() in
    /// getTimeline.
    private func loop(until end: Int64) -> [Int64] {
        var at: [Int64] = []
        while harness.time < end {
            for reload in harness.run(until: harness.time + second) {
                at.append(reload.at)
                harness.router.timeline(device, "d", "w", reload: reload.reload.seq)
                harness.router.request(device, "d")
            }
        }
        return at
    }

    @Test("slows its requests, with waits that double to an hour, and says that it loops")
    func slowed() {
        harness.router.request(device, "d")
        let at = loop(until: 9 * hour)
        let waits = zip(at, at.dropFirst()).map { ($1 - $0 + 30_000) / minute }
        #expect(waits.prefix(8) == [5, 5, 5, 10, 20, 40, 60, 60], "\(waits)")
        let loops = harness.decisions().filter { $0.reason == .loop }
        #expect(!loops.isEmpty)
        for loop in loops { #expect(loop.until! - loop.at >= 59 * minute) }
    }

    @Test("slows every way in which it asks, in the foreground too", arguments: Echo.allCases)
    func everyWay(_ echo: Echo) {
        let kind = KindDeclaration.character {
            $0.usesLocation = true
            $0.spread.mode = .none
        }
        let harness = SchedulingHarness([kind])
        let device = harness.device("d", [.character("w", "kit")])
        harness.state(device, "d", #""foreground":true"#)
        harness.push(#"{"character":"kit"}"#)
        var at: [Int64] = []
        while harness.time < 9 * hour {
            for reload in harness.run(until: harness.time + second) {
                at.append(reload.at)
                let now = harness.after(harness.time)
                let seq = reload.reload.seq
                switch echo {
                case .date:
                    harness.router.timeline(device, "d", "w", reload: seq, policy: now)
                case .soon:
                    let date = harness.after(harness.time + 4 * second)
                    harness.router.timeline(device, "d", "w", reload: seq, policy: date)
                case .movement:
                    harness.router.timeline(device, "d", "w", reload: seq)
                    harness.state(device, "d", #""location":"significant-change""#)
                case .view:
                    harness.router.timeline(
                        device,
                        "d",
                        "w",
                        reload: seq,
                        policy: now,
                        ownTimer: true
                    )
                    _ = harness.run(until: harness.time + second)
                    harness.state(device, "d", #""visible":[]"#)
                    harness.state(device, "d", #""visible":["w"]"#)
                }
            }
        }
        let waits = zip(at, at.dropFirst()).map { ($1 - $0 + 30_000) / minute }
        #expect(waits.prefix(8) == [0, 0, 5, 10, 20, 40, 60, 60], "\(waits)")
    }

    enum Echo: CaseIterable { case date, soon, movement, view }

    @Test("says in SCHEDULED that it loops, with the later date")
    func warning() {
        harness.router.request(device, "d")
        _ = loop(until: 20 * minute)
        harness.router.timeline(device, "d", "w", policy: harness.after(harness.time))
        let answer = harness.scheduled()
        #expect(answer.map(\.warning) == ["loop"])
        #expect(answer.map(\.slotDelay).allSatisfy { $0 > 3 * minute })
    }

    @Test("names the loop from the third echo on")
    func reason() {
        harness.router.advance(7)
        harness.router.request(device, "d")
        _ = loop(until: 11 * minute)
        #expect(harness.router.router.counters.decisions[.loop] == 1)
    }

    @Test("is back to normal once a RELOAD was not followed by a REQUEST")
    func quiet() {
        harness.router.request(device, "d")
        _ = loop(until: hour)
        #expect(harness.reasons().last == .loop)
        // The next RELOAD is not answered by a request; the one after it is.
        let last = harness.run(until: 3 * hour)
        #expect(last.count == 1)
        harness.push(#"{"character":"kit"}"#)
        #expect(harness.settle().count == 1)
        harness.router.request(device, "d")
        let next = harness.run(until: 6 * hour)
        #expect(next.map { ($0.at - 3 * hour + 30_000) / minute } == [5])
    }

    @Test("does not let the loop hold back a push, whichever of them comes first")
    func pushGoes() {
        harness.router.request(device, "d")
        _ = loop(until: 2 * hour)
        #expect(harness.reasons().last == .loop)
        let asked = harness.time
        harness.push(#"{"character":"kit"}"#)
        let sent = harness.run(until: asked + 6 * minute)
        #expect(sent.count == 1, "the push goes as if there were no loop")
        harness.push(#"{"character":"kit"}"#)
        harness.router.request(device, "d")
        let begin = harness.time
        #expect(harness.run(until: begin + 6 * minute).count == 1)
    }

    @Test("takes requests for several kinds after one RELOAD for one")
    func severalKinds() {
        let device = harness.device("e", [TestWidget("w", "detail"), TestWidget("v", "log")])
        harness.router.request(device, "e")
        for _ in 0..<2 {
            let sent = harness.run(until: harness.time + 6 * minute)
            #expect(sent.count == 1)
            harness.router.request(device, "e", kind: "detail")
            harness.router.request(device, "e", kind: "log")
            harness.router.request(device, "e", kind: "detail")
        }
        _ = harness.run(until: harness.time + 6 * minute)
        #expect(harness.router.router.counters.decisions[.loop] == 0)
    }
}
