import Basics
import FrameCodec
import ReloadScheduling
import RouterCore
import TestSupport
import Testing

/// Widgets, devices and app files that change while reloads wait.
@Suite("While reloads wait, the router")
struct SchedulingChangeTests {
    private let character = #"{"character":"kit"}"#
    private static let origins = [
        OriginDeclaration(origin: "a", perSecond: 10, undelayed: 0),
        OriginDeclaration(origin: "b", perSecond: 2, undelayed: 0),
    ]

    private static func kind(
        _ name: String = "detail",
        origin: String?,
        _ change: (inout KindPolicy) -> Void = { _ in }
    ) -> KindDeclaration {
        .unlimited(name) {
            $0.origin = origin
            change(&$0)
        }
    }

    private func install(_ fleet: Fleet, _ kinds: [KindDeclaration]) {
        fleet.harness.router.router.install(.of(kinds, Self.origins))
    }

    @Test(
        "loses no queued reload when its kind's origin changes, and keeps to the new rate",
        arguments: ["b", nil] as [String?]
    )
    func queuedMoves(origin: String?) {
        let fleet = Fleet(100, [Self.kind(origin: "a")], origins: Self.origins)
        fleet.harness.push(character)
        let before = fleet.harness.run(until: 2_000)
        install(fleet, [Self.kind(origin: origin)])
        let moved = fleet.harness.time
        let after = fleet.harness.run(until: 10 * minute)
        #expect(before.count + after.count == 100)
        if origin == nil {
            #expect(after.allSatisfy { $0.at == moved })
        } else {
            #expect(peak(after.filter { $0.at >= 3_000 }.map(\.at), fleet.harness.start) <= 2)
        }
    }

    @Test("moves slots to the new origin: none lost, none before its date, at the new rate")
    func slotsMove() {
        let fleet = Fleet(100, [Self.kind(origin: "a")], origins: Self.origins)
        _ = fleet.timelines(policy: fleet.harness.after(hour))
        install(fleet, [Self.kind(origin: "b")])
        let sent = fleet.harness.run(until: 2 * hour)
        #expect(sent.count == 100 && sent.allSatisfy { $0.at >= hour })
        #expect(peak(sent.map(\.at), fleet.harness.start) <= 2)
    }

    @Test("leaves no slots behind when dates are spread anew")
    func noPlacesLeft() {
        func kind(_ window: Int64) -> KindDeclaration {
            Self.kind(origin: "a") {
                $0.spread = SpreadPolicy(window: Milliseconds(rawValue: window))
            }
        }
        let fleet = Fleet(600, [kind(60_000)], origins: Self.origins)
        _ = fleet.timelines(policy: fleet.harness.after(hour))
        install(fleet, [kind(61_000)])
        for number in 0..<600 { fleet.harness.router.widgets(fleet.gateway, "d\(number)", []) }
        for number in 0..<20 { fleet.register(number) }
        let delays = fleet.timelines(0..<20, policy: fleet.harness.after(hour)).map(\.slotDelay)
        // Spread over all of the window, as if nobody had been there.
        #expect(delays.min()! < 6_000 && delays.filter { $0 < 30_500 }.count >= 8, "\(delays)")
    }

    @Test("leaves the slots of devices with their own timers as they were announced")
    func ownTimersStay() {
        let fleet = Fleet(100, [Self.kind(origin: "a")], origins: Self.origins)
        let reported = fleet.timelines(policy: fleet.harness.after(hour), ownTimer: true)
        install(fleet, [Self.kind(origin: "b")])
        #expect(fleet.harness.run(until: 2 * hour) == [])
        for answer in reported {
            let done = fleet.harness.decisions(answer.device).last
            #expect(done?.reason == .done && done?.at == answer.reloadAt)
        }
    }

    @Test("continues under the new mode", arguments: SpreadPolicy.Mode.allCases)
    func modes(mode: SpreadPolicy.Mode) {
        let kinds = [SpreadPolicy.Mode.none, .uniform, .ledger].map { mode in
            Self.kind(origin: "a") { $0.spread = SpreadPolicy(mode: mode, window: 60_000) }
        }
        for kind in kinds {
            let fleet = Fleet(60, [kind], origins: Self.origins)
            _ = fleet.timelines(policy: fleet.harness.after(hour))
            fleet.harness.push(character)
            var sent = fleet.harness.settle()
            install(
                fleet,
                [Self.kind(origin: "a") { $0.spread = SpreadPolicy(mode: mode, window: 60_000) }]
            )
            sent += fleet.harness.run(until: hour - 1)
            #expect(sent.count == 60)
            let requestScheduled = fleet.harness.run(until: hour + 3 * minute)
            #expect(requestScheduled.count == 60 && requestScheduled.allSatisfy { $0.at >= hour })
        }
    }

    @Test("lets a larger budget, or none, free what waits")
    func budgetChanges() {
        let harness = SchedulingHarness([.character { $0.budget = .fixed(1) }])
        _ = harness.device("d", [.character("w", "kit")])
        for _ in 0..<2 {
            harness.push(character)
            _ = harness.settle()
        }
        #expect(harness.reasons().last == .budget)
        harness.router.router.install(.of([.character { $0.budget = .fixed(5) }]))
        #expect(harness.run(until: minute).count == 1)
    }

    @Test("loses nothing when a kind becomes plain while its reloads wait")
    func becomesPlain() {
        for (policy, isSent) in [
            ({ $0.budget = .fixed(1) }, true),
            ({ $0.debounce = DebouncePolicy(wait: 60_000, longest: 60_000) }, false),
        ] as [((inout KindPolicy) -> Void, Bool)] {
            let harness = SchedulingHarness([.character("detail", policy)])
            _ = harness.device("d", [.character("w", "kit")])
            if isSent {
                harness.push(character)
            }
            _ = harness.settle()
            harness.push(character)
            #expect(harness.settle() == [])
            harness.router.router.install(.of([.character { $0.budget = .unlimited }]))
            #expect(harness.run(until: 2 * minute).count == 1)
            harness.push(character)
            #expect(harness.settle().count == 1)
            #expect(harness.run(until: 3 * day) == [])
        }
    }

    @Test(
        "still reloads a queued widget that is configured as another kind, at another origin",
        arguments: ["b", nil] as [String?]
    )
    func changesKind(origin: String?) {
        let kinds = [Self.kind(origin: "a"), Self.kind("log", origin: origin)]
        let fleet = Fleet(100, kinds, origins: Self.origins)
        fleet.harness.push(character)
        let before = fleet.harness.run(until: 1_000)
        let waiting = (0..<100).filter { number in
            !before.contains { $0.reload.device == "d\(number)" }
        }
        for number in waiting { fleet.register(number, "log") }
        let after = fleet.harness.run(until: 10 * minute)
        #expect(Set(after.map(\.reload.device)) == Set(waiting.map { "d\($0)" }))
        #expect(after.count == waiting.count && after.allSatisfy { $0.reload.kinds == ["log"] })
    }

    /// Brings a widget to wait in one of the stages.
    private enum Stage: CaseIterable {
        case requestScheduled
        case debounced
        case deferred
        case queued
        case awaitingSession
        case ready
    }

    private func waiting(_ stage: Stage) -> (SchedulingHarness, ConnectionSlot) {
        let harness = SchedulingHarness(
            [
                .character {
                    $0.budget = .unlimited
                    switch stage {
                    case .debounced: $0.debounce = DebouncePolicy(wait: 60_000, longest: 60_000)
                    case .deferred: $0.budget = .fixed(9, spacing: 300_000)
                    case .queued: $0.origin = "b"
                    case .requestScheduled, .awaitingSession, .ready: break
                    }
                    $0.spread = SpreadPolicy(window: 60_000)
                }
            ],
            origins: Self.origins
        )
        var device = harness.device("d", [.character("w", "kit"), .character("keep", "otter")])
        switch stage {
        case .requestScheduled:
            harness.router.timeline(device, "d", "w", policy: harness.after(minute))
        case .debounced:
            harness.push(character)
        case .deferred:
            for _ in 0..<2 {
                harness.push(character)
                _ = harness.settle()
            }
        case .queued:
            for number in 0..<9 { _ = harness.device("o\(number)", [.character("w", "kit")]) }
            var sent: [TimedReload] = []
            repeat {
                _ = harness.run(until: harness.time + minute)
                harness.push(character)
                sent = harness.settle()
            } while sent.contains { $0.reload.slot == device }
        case .awaitingSession:
            harness.router.timeline(device, "d", "w", policy: harness.after(second))
            harness.router.close(device)
            _ = harness.run(until: minute)
            device = harness.router.connect(.gateway)
        case .ready:
            harness.router.router.outputFilled(device)
            harness.push(character)
            _ = harness.settle()
        }
        _ = harness.router.take()
        return (harness, device)
    }

    @Test(
        "forgets what waits for a widget that is removed, also if its number is used again",
        arguments: Stage.allCases
    )
    private func removal(stage: Stage) {
        for removesDevice in [false, true] {
            let (harness, device) = waiting(stage)
            let others = removesDevice ? [] : [TestWidget.character("keep", "otter")]
            harness.router.widgets(device, "d", others)
            // New widgets take the numbers.
            for number in 0..<3 {
                _ = harness.device(
                    "n\(number)",
                    [.character("x", "lynx"), .character("y", "lynx")]
                )
            }
            harness.router.router.outputDrained(device)
            let sent = harness.run(until: harness.time + hour)
            #expect(sent.allSatisfy { $0.reload.device.hasPrefix("o") }, "\(stage): \(sent)")
            harness.push(#"{"character":"lynx"}"#)
            let next = harness.run(until: harness.time + hour)
            #expect(next.map { $0.widgets.count } == [2, 2, 2], "\(stage): \(next)")
        }
    }

    @Test(
        "keeps the reload of a widget that is configured anew, but not its timeline's date",
        arguments: Stage.allCases
    )
    private func configuredAnew(stage: Stage) {
        let (harness, device) = waiting(stage)
        harness.router.widgets(device, "d", [.character("w", "lynx"), .character("keep", "otter")])
        harness.router.router.outputDrained(device)
        let sent = harness.run(until: harness.time + hour).filter { $0.reload.device == "d" }
        #expect(
            sent.map(\.widgets) == (stage == .requestScheduled ? [] : [["w"]]),
            "\(stage): \(sent)"
        )
    }
}
