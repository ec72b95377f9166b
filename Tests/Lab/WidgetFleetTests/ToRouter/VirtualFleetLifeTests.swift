import Basics
import Foundation
import LoadReporting
import RouterCore
import TestSupport
import Testing
import WidgetTimelines

@testable import WidgetFleet

@Suite("What a router and a system do for devices, in accelerated time")
struct VirtualFleetLifeTests {
    private static let detail = "com.mygame.character-detail"
    private static let dragons = "com.mygame.dragon-watch"

    /// A run of devices with one widget each, of a kind with these members in the app file.
    private func run(
        _ kind: String,
        _ members: [String: Any],
        app kindMembers: String = #""budget":"unlimited""#
    ) async throws -> FleetReport {
        let configuration = kind == Self.detail ? ["character": "${character}"] : [:]
        let usual: [String: Any] = [
            "devices": 50, "seconds": 60, "ramp": 1,
            "widgets": [["kind": kind, "configuration": configuration]],
            "system": ["budget": "unlimited"],
            "origin": ["pools": ["character": ["hp": [1, 99]], "region": ["dragons": [1, 9]]]],
        ]
        let match =
            kind == Self.detail
            ? #""match":{"character":["${configuration.character}"]}"#
            : #""match":{"event":["dragon"]}"#
        var settings = FleetSettings(
            scenario: try testScenario(usual.merging(members) { $1 }),
            declarations: GameBundle.declarations,
            clock: { .none }
        )
        // All code here answers, be the machine ever so busy.
        settings.patience = 600
        let file =
            #"{"apps":[{"app":"com.mygame","kinds":[{"kind":"\#(kind)",\#(match),\#(kindMembers)}]}]}"#
        let catalog = try file.withByteView { try AppFile.parse($0) }.catalog
        return try await VirtualFleet.play(settings, catalog: catalog) { _ in }
    }

    private func pushes(_ members: [String: Any] = [:]) -> [[String: Any]] {
        [
            ["perSecond": 2, "payload": ["character": "${character}", "hp": "${hp}"]]
                .merging(members) { $1 }
        ]
    }

    // MARK: - Timers and budgets

    @Test func `A device with its own timer reloads at its dates, and the router does not`()
        async throws
    {
        let scenario: [String: Any] = ["seconds": 1_500]
        let app = #""budget":"unlimited","spread":"none""#
        let router = try await run(Self.dragons, scenario, app: app)
        #expect(router.reloads.byCause["after"] == router.reloads.widgets)
        #expect(router.reloads.asks == router.reloads.widgets && router.reloads.asks >= 100)
        let own = try await run(
            Self.dragons,
            scenario.merging(["system": ["timer": "device", "budget": "unlimited"]]) { $1 },
            app: app
        )
        #expect(own.reloads.widgets == 0)
        // Every ten minutes, at the date that the router has told.
        #expect((50...150).contains(own.reloads.asks), "\(own.reloads.asks)")
        #expect(own.origin.requests == own.reloads.asks)
    }

    @Test func `A device holds reloads that are beyond its budget`() async throws {
        let pushes = pushes(["perSecond": 20])
        let held = try await run(
            Self.detail,
            ["pushes": pushes, "seconds": 200, "system": ["budget": "widget"]]
        )
        #expect(held.reloads.heldByDevice > 0 && held.reloads.missed > 0)
        #expect(held.notShown.map(\.cause) == [.deviceBudget])
        #expect(held.reloads.asks < held.reloads.widgets)
        // What a widget has in its first days: half as many again as one that is looked at daily.
        #expect((50 * 50...50 * 60).contains(held.reloads.asks), "\(held.reloads.asks)")
        let free = try await run(Self.detail, ["pushes": pushes, "seconds": 200])
        #expect(free.reloads.heldByDevice == 0 && free.reloads.missed == 0)
    }

    @Test(arguments: ["foreground", "audio"])
    func `A device does not count while its app is open or plays`(habit: String) async throws {
        let members: [String: Any] = [
            "pushes": pushes(["perSecond": 20]), "seconds": 200, "system": ["budget": "widget"],
        ]
        let habits = [habit: ["perHour": 600, "seconds": 60]]
        let closed = try await run(Self.detail, members)
        let open = try await run(Self.detail, members.merging(["habits": habits]) { $1 })
        #expect(
            Double(open.reloads.asks) > 1.5 * Double(closed.reloads.asks),
            "\(open.reloads.asks), \(closed.reloads.asks)"
        )
    }

    @Test func `Who moves far is reported anew where the kind uses the location`() async throws {
        let members: [String: Any] = ["habits": ["movesPerHour": 60], "seconds": 300]
        let here = try await run(
            Self.detail,
            members,
            app: #""budget":"unlimited","usesLocation":true"#
        )
        #expect(here.reloads.byCause["location", default: 0] > 100)
        #expect(here.reloads.byCause["location"] == here.reloads.widgets)
        let anywhere = try await run(Self.detail, members)
        #expect(anywhere.reloads.widgets == 0)
    }

    // MARK: - Pushes

    @Test func `A reload that inlines the values needs no origin`() async throws {
        let report = try await run(
            Self.detail,
            ["pushes": pushes()],
            app: #""budget":"unlimited","inlines":["hp"]"#
        )
        #expect(report.reloads.widgets > 100 && report.reloads.asks == report.reloads.widgets)
        #expect(report.origin.requests == 0 && report.reloads.missed == 0)
        #expect(report.pushToRendered.count == report.reloads.widgets)
        let asking = try await run(Self.detail, ["pushes": pushes()])
        #expect(asking.origin.requests == asking.reloads.asks)
    }

    @Test func `An urgent push does not wait for a debounce to end`() async throws {
        let debounce = #""budget":"unlimited","debounce":{"wait":5,"longest":20}"#
        let waiting = try await run(Self.detail, ["pushes": pushes()], app: debounce)
        let urgent = try await run(
            Self.detail,
            ["pushes": pushes(["urgentPercent": 100])],
            app: debounce
        )
        #expect(waiting.pushToReload.p50 >= 4_900 && waiting.pushToReload.count > 20)
        #expect(urgent.pushToReload.max < 100 && urgent.pushToReload.count > 100)
    }

    @Test func `What the router has put off at the end is not taken for lost`() async throws {
        let debounce = #""budget":"unlimited","debounce":{"wait":60,"longest":120}"#
        let report = try await run(Self.detail, ["pushes": pushes()], app: debounce)
        #expect(report.reloads.missed > 20)
        #expect(report.notShown.map(\.cause) == [.putOff])
        #expect(report.notShown.first?.reason == "debounced")
        #expect((1...60_000).contains(report.notShown.first?.waitMilliseconds ?? 0))
    }

    @Test func `What is asked for at the end and has not come is reported apart`() async throws {
        let slow: [String: Any] = ["latency": 20_000, "pools": ["character": ["hp": [1, 99]]]]
        let report = try await run(Self.detail, ["pushes": pushes(), "origin": slow])
        #expect(report.reloads.missed > 5)
        #expect(report.notShown.map(\.cause) == [.provider])
    }

    @Test func `A push that expires before its reload has come leads to none`() async throws {
        let debounce = #""budget":"unlimited","debounce":{"wait":5,"longest":20}"#
        let members = { (seconds: Double) -> [String: Any] in
            ["pushes": self.pushes(["to": 30, "expires": seconds])]
        }
        let short = try await run(Self.detail, members(1), app: debounce)
        #expect(short.pushes.acknowledged == 60 && short.reloads.widgets == 0)
        let long = try await run(Self.detail, members(60), app: debounce)
        #expect(long.reloads.widgets > 20 && long.reloads.missed == 0)
    }

    @Test func `Looks are reported, and nothing else comes of them`() async throws {
        let report = try await run(
            Self.detail,
            ["habits": ["looks": ["perHour": 600, "seconds": 5]], "pushes": pushes()]
        )
        #expect(report.reloads.missed == 0 && report.pushes.acknowledged == 120)
        #expect(report.reloads.byCause["push"] == report.reloads.widgets)
    }
}
