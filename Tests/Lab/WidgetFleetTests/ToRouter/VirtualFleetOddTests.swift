import Basics
import Foundation
import LoadReporting
import ReloadRouterClient
import RouterCore
import TestSupport
import Testing
import WidgetTimelines

@testable import WidgetFleet

@Suite("Widgets that do what they should not, in accelerated time", .timeLimit(.minutes(5)))
struct VirtualFleetOddTests {
    private func run(
        _ kind: String,
        apps: String = #""budget":"unlimited""#,
        patience: Double = 0.05,
        _ members: [String: Any]
    ) async throws -> FleetReport {
        let usual: [String: Any] = [
            "devices": 20, "seconds": 30, "ramp": 1, "widgets": [["kind": kind]],
            "system": ["budget": "unlimited"],
            "origin": ["pools": ["a": ["hp": [1, 99]]]],
        ]
        let scenario = try testScenario(usual.merging(members) { $1 })
        var settings = FleetSettings(
            scenario: scenario,
            declarations: OddBundle.declarations,
            clock: { .none }
        )
        settings.patience = patience
        let file = #"{"apps":[{"app":"com.mygame","kinds":[{"kind":"\#(kind)",\#(apps)}]}]}"#
        let catalog = try file.withByteView { try AppFile.parse($0) }.catalog
        return try await VirtualFleet.play(settings, catalog: catalog) { _ in }
    }

    @Test(arguments: ["Forgetful", "Undecided"])
    func `A provider that never answers is ended; the run continues`(kind: String) async throws {
        let report = try await run(kind, ["seconds": 400])
        // The system tries again five minutes after it has ended an extension, which is 30 s later.
        #expect(report.reloads.extensionsEnded >= 20 && report.reloads.extensionsEnded <= 40)
        #expect(report.series.isAligned && report.series.reloads.count == 400)
        #expect(report.reloads.widgets == 0)
    }

    @Test func `A widget whose frame no router would take ends the run with a sentence`()
        async throws
    {
        let scenario = try testScenario([
            "widgets": [
                [
                    "kind": "com.mygame.character-detail",
                    "configuration": ["character": String(repeating: "x", count: 1 << 20)],
                ]
            ]
        ])
        let settings = FleetSettings(
            scenario: scenario,
            declarations: GameBundle.declarations,
            clock: { .none }
        )
        let file =
            #"{"apps":[{"app":"com.mygame","kinds":[{"kind":"com.mygame.character-detail"}]}]}"#
        let catalog = try file.withByteView { try AppFile.parse($0) }.catalog
        await #expect(throws: ClientError.self) {
            try await VirtualFleet.play(settings, catalog: catalog) { _ in }
        }
    }

    @Test func `An extension that takes too much memory is ended, and observes nothing`()
        async throws
    {
        let system: [String: Any] = ["budget": "unlimited", "extensionMegabytes": 1]
        let pushes: [[String: Any]] = [
            ["count": 1, "payload": [:], "concerns": [["kind": "Hungry"]]]
        ]
        let ended = try await run("Hungry", ["system": system, "pushes": pushes])
        #expect(ended.pushToRendered.count == 0)
        let enough: [String: Any] = ["budget": "unlimited", "extensionMegabytes": 3]
        let shown = try await run("Hungry", ["system": enough])
        #expect(shown.reloads.extensionsEnded == 0)
    }

    @Test func `A widget that asks for reloads when it reloads is slowed by the router`()
        async throws
    {
        let report = try await run("Restless", ["seconds": 600])
        // Without being slowed there would be no end: what it asked for when it was added waits for
        // five minutes, and what it asks for then for ten.
        #expect(report.reloads.byCause == ["budget": 20])
        #expect(report.reloads.wasted == 20)
    }

    @Test func `Entries that are close are played, and the next ones come at their end`()
        async throws
    {
        let report = try await run(
            "Hasty",
            apps: #""budget":"unlimited","atEndFloor":60"#,
            ["seconds": 300]
        )
        #expect(report.reloads.byCause["atEnd"] == report.reloads.widgets)
        // The floor keeps them a minute apart; the spread of dates adds to it.
        #expect((20...20 * 5).contains(report.reloads.widgets), "\(report.reloads.widgets)")
        #expect(report.reloads.wasted == 0)
    }

    @Test func `Code that asks for two things at once has both answers`() async throws {
        let pushes: [[String: Any]] = [
            [
                "from": 5, "count": 1, "payload": ["a": "1", "hp": 100],
                "concerns": [["kind": "Eager"]],
            ]
        ]
        let report = try await run(
            "Eager",
            apps: #""budget":"unlimited","match":{"a":["1"]}"#,
            ["pushes": pushes]
        )
        #expect(report.origin.requests == 40 && report.origin.answered == 40)
        #expect(report.pushToRendered.count == 20 && report.reloads.missed == 0)
        #expect(report.reloads.wasted == 0)
    }
}
