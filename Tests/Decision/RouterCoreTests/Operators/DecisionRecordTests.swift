import Basics
import FrameCodec
import ReloadScheduling
import RouterCore
import TestSupport
import Testing

@Suite("Asked why, the router")
struct DecisionRecordTests {
    private let character = #"{"character":"kit"}"#

    @Test("remembers the last eight decisions of a device, and no more")
    func bounded() {
        let harness = SchedulingHarness([.character { $0.budget = .unlimited }])
        _ = harness.device("d", [.character("w", "kit")])
        for _ in 0..<20 {
            harness.push(character)
            _ = harness.run(until: harness.time + second)
        }
        let decisions = harness.decisions()
        #expect(decisions.map(\.reason) == Array(repeating: .sent, count: 8))
        #expect(decisions.map(\.at) == (12..<20).map { $0 * second })
        let unknown = harness.router.router.decisions(ofDevice: "x", app: "game")
        let foreign = harness.router.router.decisions(ofDevice: "d", app: "x")
        #expect(unknown == nil && foreign == nil)
    }

    @Test("says of a push for a device that is away that it is offline, whatever the kind's policy")
    func offline() {
        for reloadsImmediately in [true, false] {
            let harness = SchedulingHarness([
                .character { if reloadsImmediately { $0.budget = .unlimited } }
            ])
            let device = harness.device("d", [.character("w", "kit")])
            harness.router.close(device)
            for _ in 0..<3 {
                harness.push(character)
                #expect(harness.settle() == [])
            }
            #expect(harness.reasons() == [.offline, .coalesced, .coalesced])
            #expect(harness.isPending("w") == true)
            _ = harness.router.connect(.device, "d")
            #expect(harness.settle().count == 1)
            #expect(harness.reasons().last == .sent)
            #expect(harness.isPending("w") == false)
            #expect(harness.isPending("x") == nil)
        }
    }

    @Test("says until when a reload waits for its spacing, and why it was sent then")
    func spacing() {
        let harness = SchedulingHarness([.character()])
        _ = harness.device("d", [.character("w", "kit")])
        harness.push(character)
        _ = harness.run(until: minute)
        harness.push(character)
        _ = harness.run(until: hour)
        let decisions = harness.decisions()
        #expect(decisions.map(\.reason) == [.sent, .spacing, .sent])
        #expect(decisions.map(\.cause) == [.push, .push, .budget])
        #expect(decisions.map(\.at) == [0, minute, 300_000])
        #expect(decisions.map(\.until) == [nil, 300_000, nil])
    }

    @Test("says that a push had expired on arrival")
    func expiredOnArrival() {
        let harness = SchedulingHarness([.character()])
        _ = harness.device("d", [.character("w", "kit")])
        harness.push(character, expiresAt: -1)
        #expect(harness.settle() == [])
        #expect(harness.reasons() == [.expired])
    }

    @Test("says what became of a widget that is gone, and of what it waited for")
    func removed() {
        let harness = SchedulingHarness([.character()])
        let device = harness.device("d", [.character("w", "kit"), .character("v", "otter")])
        harness.router.timeline(device, "d", "w", policy: harness.after(hour))
        for _ in 0..<2 {
            harness.push(character)
            _ = harness.settle()
        }
        harness.router.widgets(device, "d", [.character("v", "otter")])
        let decisions = harness.decisions()
        #expect(decisions.map(\.reason) == [.scheduled, .sent, .spacing, .removed, .removed])
        #expect(decisions.allSatisfy { $0.widget == nil })
        #expect(decisions.suffix(2).map(\.cause) == [.push, .after])
        harness.router.widgets(device, "d", [])
        let answer = harness.router.router.decisions(ofDevice: "d", app: "game")
        #expect(answer == nil)
    }

    @Test("begins anew with another process; what a widget waits for is reported with the widget")
    func restart() throws {
        let harness = SchedulingHarness(
            [.unlimited { $0.origin = "api" }],
            origins: [OriginDeclaration(origin: "api", perSecond: 1)],
            store: { StoreRun(limits: $0, seed: 1) }
        )
        let gateway = harness.router.connect(.gateway)
        for name in ["d", "e", "f"] {
            harness.router.widgets(gateway, name, [.character("w", "kit")])
        }
        harness.router.timeline(gateway, "f", "w", policy: harness.after(hour))
        harness.push(#"{"character":"kit"}"#)
        _ = harness.settle()
        let waiting = try #require(["d", "e"].first { harness.reasons($0).last == .spread })
        func view(_ device: String) throws -> DeviceView {
            try harness.router.router.view(ofDevice: device, app: "game", now: harness.router.now)
        }
        let before = try (view(waiting).widgets[0], view("f").widgets[0].date)
        #expect(before.0.stage == "queued" && before.0.waitsUntil != nil && before.1 != nil)

        try harness.restart(keepsAll: true)
        let widget = try view(waiting).widgets[0]
        #expect(widget.stage == "queued" && widget.cause == .push)
        #expect(widget.waitsUntil == before.0.waitsUntil)
        #expect(try view("f").widgets[0].date == before.1)
        for device in ["d", "e", "f"] { #expect(try view(device).decisions.isEmpty) }
        // The next decision is told again: nobody speaks for the device when its turn comes.
        _ = harness.run(until: harness.time + 10_000)
        #expect(harness.reasons(waiting) == [.offline])
    }

    @Test("counts a decision for every match, whatever becomes of it")
    func everyMatch() {
        let harness = SchedulingHarness([
            .character {
                $0.budget = .fixed(4, spacing: 20_000)
                $0.debounce = DebouncePolicy(wait: 1_000, longest: 5_000)
                $0.observes = ["hp"]
            }
        ])
        _ = harness.device("d", [.character("w", "kit")])
        var matches: UInt64 = 0
        for round in 0..<300 {
            let flags: UInt8 = round % 17 == 0 ? PushFlags.urgent : 0
            let before = harness.router.router.counters.decisions.total
            harness.push(
                #"{"character":"kit","hp":\#(round / 3 % 5)}"#,
                flags: flags,
                expiresAt: round % 7 == 0 ? harness.time + Int64(round % 3) * 500 : nil
            )
            _ = harness.settle()
            #expect(harness.router.router.counters.decisions.total > before, "push \(round)")
            _ = harness.run(until: harness.time + Int64(round * 37 % 2_000))
            matches += 1
        }
        #expect(matches == 300)
    }
}

extension SchedulingHarness {
    fileprivate func isPending(_ widget: String) -> Bool? {
        router.router.isReloadPending(ofWidget: widget, device: "d", app: "game")
    }
}

extension DecisionCounts {
    /// All decisions.
    var total: UInt64 { DecisionReason.allCases.reduce(0) { $0 + self[$1] } }
}
