import AppIntents
import SwiftUI
import Testing
import WidgetKit
import WidgetTimelines

/// The widgets of `Samples.swift`, which imports Apple's modules only.
@Suite("An extension with Apple's imports")
struct SampleTests {
    private let context = TimelineProviderContext(family: .systemSmall, isPreview: false)

    private func choose(
        _ parameters: (name: String, value: ParameterValue)...
    ) throws -> WidgetChoice {
        try TeamsWidget.declarations[0].provider.choose(parameters)
    }

    @Test("has the widgets and controls of its bundle, but no hidden ones and no live activities")
    func bundle() {
        #expect(SampleWidgets.declarations.map(\.kind) == ["teams", "mute"])
        let teams = SampleWidgets.declarations[0]
        #expect(teams.displayName == "Teams" && teams.summary == "How your teams play.")
        #expect(teams.families == [.systemSmall, .systemLarge])
        #expect(SampleWidgets.declarations[1].displayName == "Mute")
    }

    @Test("starts without being asynchronous, as a bundle, and as a widget")
    func main() {
        let bundle: () -> Void = SampleWidgets.main
        let widget: () -> Void = TeamsWidget.main
        // A program's launcher calls one of them; each plays a fleet, and ends the program.
        #expect(type(of: bundle) == type(of: widget))
    }

    @Test("chooses entities by their ids, with the app's own query")
    func entities() throws {
        let choice = try choose(
            ("team", .text("lions")),
            ("others", .list([.text("foxes"), .text("lions")])),
            ("stadium", .text(Stadium.known.uuidString)),
            ("league", .text("second"))
        )
        let values = Dictionary(uniqueKeysWithValues: choice.parameters.map { ($0.name, $0.value) })
        #expect(values["team"] == .text("lions"))
        #expect(values["others"] == .list([.text("foxes"), .text("lions")]))
        #expect(values["stadium"] == .text(Stadium.known.uuidString))
        #expect(values["league"] == .text("second"))
        guard case .appIntent(let intent as TeamsIntent) = choice else {
            Issue.record("the choice is no TeamsIntent")
            return
        }
        #expect(intent.team?.name == "Lions" && intent.others?.map(\.name) == ["Foxes", "Lions"])
    }

    @Test(
        "says which query finds no entity, or fails",
        arguments: [
            ("team", ParameterValue.text("wolves"), "TeamQuery finds no TeamEntity with the id"),
            ("others", .list([.text("lions"), .text("wolves")]), "TeamQuery finds no TeamEntity"),
            ("team", .text("broken"), "TeamQuery has failed: CancellationError()"),
            ("team", .integer(3), "TeamsIntent has no parameter team that can have the value"),
            ("stadium", .text("here"), "TeamsIntent has no parameter stadium that can have"),
            ("stadium", .text(UUID().uuidString), "StadiumQuery finds no Stadium with the id"),
        ]
    )
    func missing(_ name: String, _ value: ParameterValue, _ message: String) {
        let error = #expect(throws: WidgetChoiceError.self) { try choose((name, value)) }
        #expect(error?.description.hasPrefix(message) == true, "\(error as Any)")
    }

    private func timeline(
        _ declaration: WidgetDeclaration,
        _ choice: WidgetChoice
    ) async -> (lines: [String], notes: [ViewNote]) {
        let context = context
        return await withCheckedContinuation { continuation in
            do {
                try declaration.provider.getTimeline(for: choice, in: context) { timeline in
                    let content = timeline.entries[0].render()
                    continuation.resume(returning: (content.lines(at: .now), content.notes))
                }
            } catch {
                continuation.resume(returning: (["\(error)"], []))
            }
        }
    }

    @Test("draws text, stacks, pictures by name and progress, and keeps modifiers as notes")
    func drawing() async throws {
        let choice = try choose(("team", .text("lions")))
        let (lines, notes) = await timeline(TeamsWidget.declarations[0], choice)
        #expect(
            lines == [
                "[sportscourt] Lions!", "12.5 points", "a", "b", "40 %", "[hands.clap] Cheer",
                "Mute",
            ]
        )
        func contains(_ name: String, _ value: NoteValue) -> Bool {
            notes.contains { $0.name == name && $0.value == value }
        }
        #expect(contains("widgetURL", .text("teams://Lions")))
        #expect(contains("foregroundStyle", .paint(.color(Color(description: "level2")))))
        #expect(contains("font", .text("headline")) && contains("toggle", .text("off")))
        #expect(contains("containerBackground", .view(Color.green.viewContent, .center)))
    }

    @Test("displays what the size of the widget calls for")
    func surroundings() throws {
        let large = TimelineProviderContext(family: .systemLarge, isPreview: false)
        let entry = TeamsWidget.declarations[0].provider.placeholder(in: large)
        #expect(entry.render().lines(at: .now).contains("large, Kit"))
        let small = TeamsWidget.declarations[0].provider.placeholder(in: context)
        #expect(!small.render().lines(at: .now).contains("large, Kit"))
        #expect(large.environmentVariants.colorScheme == [.light])
    }

    @Test("has a background, but not as an accessory")
    func background() {
        func notes(_ family: WidgetFamily) -> [String] {
            let context = TimelineProviderContext(family: family, isPreview: false)
            let entry = TeamsWidget.declarations[0].provider.placeholder(in: context)
            return entry.render().notes.map(\.name)
        }
        #expect(notes(.systemSmall).contains("containerBackground"))
        #expect(!notes(.accessoryCircular).contains("containerBackground"))
    }

    @Test("displays the current value of a control, and its preview before")
    func control() async {
        let control = SampleWidgets.declarations[1]
        let placeholder = control.provider.placeholder(in: context).render()
        #expect(placeholder.lines(at: .now) == ["Mute", "[speaker] Loud"])
        #expect(await timeline(control, .none).lines == ["Mute", "[speaker] Silent"])
    }

    @Test("reloads its controls, but not its widgets, when it asks for all controls")
    func reloads() {
        let center = SimulatedCenter(controls: [ControlInfo(kind: "mute", id: "c")])
        WidgetCenter.run(on: center) {
            ControlCenter.shared.reloadAllControls()
            ControlCenter.shared.reloadControls(ofKind: "other")
        }
        #expect(center.reloads == ["mute", "other"])
    }

    @Test("performs its intents with what the app has registered")
    func performing() async throws {
        AppDependencyManager.shared.add(dependency: Cheers())
        let intent = CheerIntent()
        intent.team = TeamEntity(id: "lions", name: "Lions")
        #expect(try await intent.perform().value == 3)
        intent.team = TeamEntity(id: "", name: "")
        await #expect(throws: AppIntentError.self) { try await intent.perform() }
        #expect(TeamsIntent.title.key == "teams.title")
        #expect(String(localized: TeamsIntent.title) == "Teams")
    }

    @Test("runs a clock down to the end of an interval, and up from its beginning")
    func clocks() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        func lines(_ text: Text) -> [String] { text.viewContent.lines(at: now) }
        #expect(lines(Text(timerInterval: now - 60...now + 90)) == ["1:30"])
        #expect(lines(Text(timerInterval: now - 60...now + 90, countsDown: false)) == ["1:00"])
        let paused = Text(timerInterval: now - 60...now + 90, pauseTime: now - 30)
        #expect(lines(paused) == ["2:00"] && !paused.viewContent.isTicking)
        // Before the interval nothing has passed, and after it all.
        let hour = 3_600.0
        #expect(lines(Text(timerInterval: now + 10...now + 70)) == ["1:00"])
        #expect(lines(Text(timerInterval: now - 70...now - 10)) == ["0:00"])
        #expect(lines(Text(timerInterval: now - 70...now - 10, countsDown: false)) == ["1:00"])
        #expect(lines(Text(timerInterval: now...now + 2 * hour)) == ["2:00:00"])
        #expect(lines(Text(timerInterval: now...now + 2 * hour, showsHours: false)) == ["120:00"])
        #expect(Text(timerInterval: now...now + 9).viewContent.isTicking)
    }
}
