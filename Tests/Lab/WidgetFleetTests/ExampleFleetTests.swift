import Basics
import ExampleWidgets
import Foundation
import LoadReporting
import RouterCore
import TestSupport
import Testing

@testable import WidgetFleet

@Suite("The fleet of an example in accelerated time")
struct ExampleFleetTests {
    private static let examples = URL(filePath: #filePath)
        .appending(path: "../../../../deploy/examples").standardized

    private func run(_ bundle: ExampleBundle, seed: UInt64) async throws -> FleetReport {
        let folder = Self.examples.appending(path: bundle.rawValue)
        let file = try Data(contentsOf: folder.appending(path: "fleet.json"))
        var json = try #require(JSONSerialization.jsonObject(with: file) as? [String: Any])
        json["devices"] = 300
        json["seconds"] = 40
        var origin = try #require(json["origin"] as? [String: Any])
        // Which requests are refused depends on their order, so the report shows the order.
        origin["capacity"] = 12
        json["origin"] = origin
        var settings = FleetSettings(
            scenario: try FleetScenario(json: JSONSerialization.data(withJSONObject: json)),
            declarations: bundle.declarations,
            clock: { .none }
        )
        settings.seed = seed
        settings.patience = 600
        let apps = try Data(contentsOf: folder.appending(path: "apps.json"))
        let catalog = try Array(apps).withByteView { try AppFile.parse($0) }.catalog
        return try await VirtualFleet.play(settings, catalog: catalog) { _ in }
    }

    /// Without the stocks: their timelines have dates of the calendar (the market's opening), which
    /// are earlier for the devices the later a run begins.
    @Test("is the same again with the same seed", arguments: [ExampleBundle.game, .news])
    func repeatsItself(bundle: ExampleBundle) async throws {
        let first = try await run(bundle, seed: 5)
        #expect(first.origin.refused > 100 && first.reloads.widgets > 50, "it says little")
        for _ in 0..<2 { #expect(try await run(bundle, seed: 5) == first) }
        #expect(try await run(bundle, seed: 6) != first)
    }
}
