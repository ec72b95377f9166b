import Basics
import Foundation
import Testing
import WidgetTimelines

@testable import RouterSimulation
@testable import WidgetFleet

@Suite("The devices of a scenario")
struct FleetPopulationTests {
    private static let detail = "com.mygame.character-detail"
    private static let dragons = "com.mygame.dragon-watch"

    private func population(
        _ members: [String: Any],
        seed: UInt64 = 1
    ) throws -> FleetPopulation {
        let widgets: [[String: Any]] = [
            ["kind": Self.detail, "configuration": ["character": "${character}"]],
            ["kind": Self.dragons, "share": 0.5, "page": 3, "family": "systemLarge"],
        ]
        return try FleetPopulation(
            try testScenario(["devices": 500, "widgets": widgets].merging(members) { $1 }),
            declarations: GameBundle.declarations,
            seed: seed,
            now: VirtualFleet.start
        )
    }

    /// The configuration of each device's first widget.
    private func characters(_ population: FleetPopulation) -> [String] {
        population.devices.map { device in
            device.widgets.filter { $0.id == "w0" }
                .map { "\($0.choice.parameters.map(\.value))" }.joined()
        }
    }

    @Test func `Devices have the widgets of their share, with numbers of their own`() throws {
        let population = try population([:])
        #expect(population.devices.count == 500)
        #expect((700...800).contains(population.widgetCount))
        #expect(population.devices.allSatisfy { $0.widgets.first?.id == "w0" })
        for (number, device) in population.devices.enumerated() {
            let first = Int(population.firstWidgets[number])
            #expect(first + device.widgets.count == Int(population.firstWidgets[number + 1]))
            #expect(device.name == "fleet-\(number)")
        }
        let second = try #require(population.devices.first { $0.widgets.count == 2 }).widgets[1]
        #expect(second.id == "w1" && second.family == .systemLarge && second.page == 3)
        #expect(population.declarations[second.kind].kind == Self.dragons)
    }

    @Test func `A seed gives the same devices again, and another one others`() throws {
        let all = try ([1, 1, 2] as [UInt64]).map { seed in
            let population = try population([:], seed: seed)
            return (characters(population), population.firstWidgets)
        }
        #expect(all[0] == all[1])
        #expect(all[0].0 != all[2].0 && all[0].1 != all[2].1)
        #expect(Set(all[0].0).count == 20)
    }

    @Test func `A share that changes leaves the other widgets as they are`() throws {
        let before = try population([:])
        let plans = { (share: Double) -> [[String: Any]] in
            [
                ["kind": Self.dragons, "share": share],
                ["kind": Self.detail, "configuration": ["character": "${character}"]],
            ]
        }
        let some = try population(["widgets": plans(0.3)])
        let most = try population(["widgets": plans(0.9)])
        let all = try population(["widgets": plans(1)])
        let names = [some, most, all].map { population in
            population.devices.map { "\($0.widgets.last!.choice.parameters.map(\.value))" }
        }
        #expect(names[0] == names[1] && names[0] == names[2])
        #expect(some.widgetCount < most.widgetCount)
        // Who has it with a small share has it with a large one.
        for (less, more) in zip(some.devices, most.devices) where less.widgets.count == 2 {
            #expect(more.widgets.count == 2)
        }
        // More devices leave the first ones as they are.
        let more = try population(["devices": 600])
        #expect(characters(more).prefix(500) == characters(before)[...])
    }

    @Test func `A device may have no widget at all`() throws {
        let population = try population(["widgets": [["kind": Self.dragons, "share": 0]]])
        #expect(population.widgetCount == 0 && population.devices.count == 500)
    }

    @Test(
        arguments: [
            ("fleet-0", 0), ("fleet-499", 499), ("fleet-500", nil), ("fleet-", nil),
            ("fleet--1", nil),
            ("fleet-+1", nil), ("fleet-01", nil), ("other-1", nil), ("", nil),
            ("fleet-99999999999999999999", nil),
        ] as [(String, Int?)]
    )
    func `A name is that of one device, or of none`(name: String, number: Int?) throws {
        #expect(try population([:]).number(ofDevice: name) == number)
    }

    @Test(arguments: [
        (
            #"{"kind":"nothing"}"#,
            "widgets[0].kind: there is no widget \"nothing\"; there are com.mygame.character-detail, "
        ),
        (
            #"{"kind":"com.mygame.character-detail","configuration":{"hero":"x"}}"#,
            "widgets[0].configuration: "
        ),
        (
            #"{"kind":"com.mygame.character-detail","configuration":{"character":7}}"#,
            "widgets[0].configuration: "
        ),
        (
            #"{"kind":"com.mygame.character-detail","configuration":{"character":{"a":1}}}"#,
            "widgets[0].configuration.character: it must be text"
        ),
        (
            #"{"kind":"com.mygame.character-detail","configuration":{"character":null}}"#,
            "widgets[0].configuration.character: it must be text"
        ),
        (
            #"{"kind":"com.mygame.dragon-watch","configuration":{"region":"x"}}"#,
            "widgets[0].configuration: "
        ),
    ])
    func `A widget that the app does not have, or not so, is refused with its position`(
        widget: String,
        expected: String
    ) throws {
        let plan = try JSONSerialization.jsonObject(with: Data(widget.utf8))
        let error = #expect(throws: ScenarioError.self) { try population(["widgets": [plan]]) }
        #expect(error?.description.hasPrefix(expected) == true, "\(error?.description ?? "")")
    }

    @Test func `The system is as the scenario says`() throws {
        let usual = try population([:]).devices[0].rules
        #expect(usual.timer == .router && usual.budget == .widget)
        #expect(usual.extensionMemory == 30 << 20)
        let system: [String: Any] = [
            "timer": "device", "budget": "complication", "extensionMegabytes": 2,
        ]
        let rules = try population(["system": system]).devices[0].rules
        #expect(rules.timer == .device && rules.budget == .complication)
        #expect(rules.extensionMemory == 2 << 20)
        let unlimited = try population(["system": ["budget": "unlimited"]]).devices[0].rules
        #expect(unlimited.budget == .unlimited)
    }
}
