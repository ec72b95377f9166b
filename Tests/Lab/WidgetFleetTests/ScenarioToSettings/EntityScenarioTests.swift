import Testing
import WidgetTimelines

@testable import RouterSimulation
@testable import WidgetFleet

private struct Team: AppEntity {
    static let defaultQuery = TeamQuery()

    let id: Int
    let name: String

    var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "\(name)") }
}

private struct TeamQuery: EntityQuery {
    func entities(for identifiers: [Int]) async throws -> [Team] {
        await Task.yield()
        return identifiers.filter { $0 <= 20 }.map { Team(id: $0, name: "Team \($0)") }
    }
}

private struct TeamIntent: WidgetConfigurationIntent {
    static let title: LocalizedStringResource = "Team"

    @Parameter(title: "Team") var team: Team?
}

private struct TeamEntry: TimelineEntry {
    let date: Date
    let name: String
}

private struct TeamProvider: AppIntentTimelineProvider {
    func placeholder(in context: Context) -> TeamEntry { TeamEntry(date: .now, name: "…") }

    func snapshot(for configuration: TeamIntent, in context: Context) async -> TeamEntry {
        TeamEntry(date: .now, name: configuration.team?.name ?? "none")
    }

    func timeline(for configuration: TeamIntent, in context: Context) async -> Timeline<TeamEntry> {
        Timeline(entries: [await snapshot(for: configuration, in: context)], policy: .never)
    }
}

private struct TeamWidget: Widget {
    var body: some WidgetConfiguration {
        AppIntentConfiguration(kind: "team", provider: TeamProvider()) { Text($0.name) }
    }
}

@Suite("Entities of a scenario")
struct EntityScenarioTests {
    private func population(upTo last: Int) throws -> FleetPopulation {
        let scenario = try testScenario([
            "devices": 200, "values": ["team": ["from": 1, "to": last]],
            "widgets": [["kind": "team", "configuration": ["team": "${team}"]]],
        ])
        return try FleetPopulation(
            scenario,
            declarations: TeamWidget.declarations,
            seed: 1,
            now: VirtualFleet.start
        )
    }

    @Test func `Each device has the entity of its id, found by the app's query`() throws {
        let population = try population(upTo: 20)
        var found: Set<String> = []
        for device in population.devices {
            let choice = device.widgets[0].choice
            guard case .appIntent(let intent as TeamIntent) = choice, let team = intent.team else {
                Issue.record("\(choice) has no team")
                continue
            }
            #expect(team.name == "Team \(team.id)")
            #expect(choice.parameters.map(\.value) == [.integer(Int64(team.id))])
            found.insert(team.name)
        }
        #expect(found.count == 20)
    }

    @Test func `An id that the app's query does not find is refused, with the query's name`() {
        let error = #expect(throws: ScenarioError.self) { try population(upTo: 30) }
        let text = error?.description ?? ""
        #expect(text.contains("widgets[0].configuration"), "\(text)")
        #expect(text.contains("TeamQuery finds no Team with the id"), "\(text)")
    }
}
