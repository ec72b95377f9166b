import Testing
import WidgetTimelines

private enum Alliance: String, Sendable {
    case north, south
}

private struct Weapon: Identifiable, Sendable {
    let id: String
    let damage: Int
}

private class BaseIntent: INIntent {
    var realm: String? = "vale"
}

private final class FightIntent: BaseIntent, ChoosableIntent {
    var character: String?
    var level = 12
    var health = 0.25
    var isSilent = true
    var alliance = Alliance.south
    var weapon: Weapon? = Weapon(id: "axe", damage: 3)
    var friends = ["kit", "otter"]
    var rival: String?
    var notes: (Int, Int) = (1, 2)

    func setValue(_ value: Any, forKey key: String) {
        switch key {
        case "character": character = value as? String
        case "level": level = value as? Int ?? level
        default: break
        }
    }
}

private struct SelectCharacter: WidgetConfigurationIntent {
    static let title: LocalizedStringResource = "Select a character"
    static let description = IntentDescription("Whose health is shown.")

    @Parameter(title: "Character") var character: String?
    @Parameter(title: "Alliances", default: ["north"]) var alliances: [String]
    @Parameter(title: "Level") var level = 3
    @Parameter(title: "Side") var side: Alliance?
    @Parameter(title: "Region") var region: String
    var isCompact = false

    init() {}

    init(character: String) {
        self.character = character
    }
}

private struct Entry: TimelineEntry {
    let date: Date
    let text: String
}

private struct FightProvider: IntentTimelineProvider {
    func placeholder(in context: Context) -> Entry { Entry(date: Date(), text: "…") }

    func getSnapshot(
        for configuration: FightIntent,
        in context: Context,
        completion: @escaping (Entry) -> Void
    ) {
        completion(
            Entry(date: Date(), text: context.isPreview ? "any" : configuration.character ?? "?")
        )
    }

    func getTimeline(
        for configuration: FightIntent,
        in context: Context,
        completion: @escaping (Timeline<Entry>) -> Void
    ) {
        let entry = Entry(date: Date(), text: configuration.character ?? "?")
        completion(Timeline(entries: [entry], policy: .never))
    }
}

private struct CharacterProvider: AppIntentTimelineProvider {
    func placeholder(in context: Context) -> Entry { Entry(date: Date(), text: "…") }

    func snapshot(for configuration: SelectCharacter, in context: Context) async -> Entry {
        Entry(date: Date(), text: "\(configuration.character ?? "any") \(context.family)")
    }

    func timeline(for configuration: SelectCharacter, in context: Context) async -> Timeline<Entry>
    {
        let widgets = try? await WidgetCenter.shared.currentConfigurations()
        let entry = Entry(date: Date(), text: "\(configuration.level) of \(widgets?.count ?? 0)")
        return Timeline(entries: [entry], policy: .after(entry.date + 60))
    }
}

private struct FightWidget: Widget {
    var body: some WidgetConfiguration {
        IntentConfiguration(kind: "fight", intent: FightIntent.self, provider: FightProvider()) {
            Text($0.text)
        }
        .configurationDisplayName("Fights")
        .description("Who fights whom.")
        .supportedFamilies([.systemSmall, .accessoryInline])
    }
}

private struct CharacterWidget: Widget {
    var body: some WidgetConfiguration {
        AppIntentConfiguration(kind: "character", provider: CharacterProvider()) { entry in
            HStack {
                Text("Level")
                Text(entry.text)
            }
        }
    }
}

private struct GameWidgets: WidgetBundle {
    var body: some Widget {
        FightWidget()
        if Int("1") == 1 { CharacterWidget() }
    }
}

@Suite("A widget with a configuration")
struct ConfigurationTests {
    private let context = TimelineProviderContext(family: .systemMedium, isPreview: false)

    @Test("is declared with all that was said of it, in the bundle's order")
    func declarations() {
        let declarations = GameWidgets.declarations
        #expect(declarations.map(\.kind) == ["fight", "character"])
        #expect(declarations.map(\.displayName) == ["Fights", "character"])
        #expect(declarations[0].summary == "Who fights whom.")
        #expect(declarations[0].families == [.systemSmall, .accessoryInline])
        #expect(declarations[1].families == WidgetFamily.allCases)
    }

    @Test("has an intent's stored properties as its parameters")
    func intentParameters() {
        let intent = FightIntent()
        intent.character = "kit"
        let parameters = WidgetChoice.intent(intent).parameters
        #expect(
            parameters.map(\.name) == [
                "realm", "character", "level", "health", "isSilent", "alliance", "weapon",
                "friends",
            ]
        )
        #expect(
            parameters.map(\.value) == [
                .text("vale"), .text("kit"), .integer(12), .number(0.25), .boolean(true),
                .text("south"), .text("axe"), .list([.text("kit"), .text("otter")]),
            ]
        )
    }

    @Test("has an app intent's parameters under their names")
    func appIntentParameters() {
        let parameters = WidgetChoice.appIntent(SelectCharacter(character: "kit")).parameters
        #expect(parameters.map(\.name) == ["character", "alliances", "level", "isCompact"])
        #expect(
            parameters.map(\.value)
                == [.text("kit"), .list([.text("north")]), .integer(3), .boolean(false)]
        )
        #expect(WidgetChoice.appIntent(SelectCharacter()).parameters.count == 3)
        #expect(WidgetChoice.none.parameters.isEmpty)
    }

    @Test("is chosen by the names of its parameters")
    func choice() throws {
        let intents = CharacterWidget.declarations[0].provider
        let chosen = try intents.choose([
            ("character", .text("kit")), ("alliances", .list([.text("south")])),
            ("level", .number(12)), ("side", .text("north")),
        ])
        #expect(
            chosen.parameters.map(\.value)
                == [
                    .text("kit"), .list([.text("south")]), .integer(12), .text("north"),
                    .boolean(false),
                ]
        )
        let other = try intents.choose([("character", .text("otter"))])
        #expect(chosen.parameters[0].value == .text("kit"))
        #expect(other.parameters[0].value == .text("otter"))
        let fight = try FightWidget.declarations[0].provider.choose([
            ("character", .text("kit")), ("level", .integer(4)),
        ])
        #expect(fight.parameters[1].value == .text("kit"))
        #expect(fight.parameters[2].value == .integer(4))
    }

    @Test(
        "has no parameters but its own, and no values of another type",
        arguments: [
            ("nothing", ParameterValue.text("kit")), ("character", .integer(1)),
            ("alliances", .text("north")), ("alliances", .list([.integer(1)])),
            ("level", .number(0.5)), ("side", .text("west")), ("isCompact", .boolean(true)),
        ]
    )
    func impossibleChoice(_ name: String, _ value: ParameterValue) {
        for widget in [CharacterWidget.declarations[0], FightWidget.declarations[0]] {
            #expect(throws: WidgetChoiceError.self) {
                try widget.provider.choose([(name, value)])
            }
        }
    }

    @Test("is asked with what was chosen for it, and refuses what was chosen for another one")
    func intents() throws {
        let provider = FightWidget.declarations[0].provider
        let intent = FightIntent()
        intent.character = "kit"
        var lines: [String] = []
        try provider.getSnapshot(for: .intent(intent), in: context) {
            lines += $0.render().lines(at: Date())
        }
        var policy: TimelineReloadPolicy?
        try provider.getTimeline(for: .intent(intent), in: context) { timeline in
            lines += timeline.entries[0].render().lines(at: Date())
            policy = timeline.policy
        }
        #expect(lines == ["kit", "kit"] && policy == .never)
        #expect(throws: WidgetChoiceError.self) {
            try provider.getTimeline(for: .appIntent(SelectCharacter()), in: context) { _ in }
        }
        #expect(throws: WidgetChoiceError.self) {
            try provider.getSnapshot(for: .intent(BaseIntent()), in: context) { _ in }
        }
    }

    @Test("may answer later, and its center is still the device's")
    func appIntents() async throws {
        let provider = CharacterWidget.declarations[0].provider
        let choice = WidgetChoice.appIntent(SelectCharacter())
        let info = WidgetInfo(kind: "character", family: .systemSmall, name: "w")
        let center = SimulatedCenter([info])
        let context = context
        let lines = await withCheckedContinuation { continuation in
            WidgetCenter.run(on: center) {
                do {
                    try provider.getTimeline(for: choice, in: context) { timeline in
                        continuation.resume(
                            returning: timeline.entries[0].render().lines(at: Date())
                        )
                    }
                } catch {
                    continuation.resume(returning: ["\(error)"])
                }
            }
        }
        #expect(lines == ["Level 3 of 1"])
    }

    @Test("hears of its downloads, and says when it has dealt with them")
    func backgroundEvents() {
        final class Log { var lines: [String] = [] }
        let log = Log()
        var stored: (() -> Void)?
        let declaration = FightWidget().body
            .onBackgroundURLSessionEvents(matching: "mine") { identifier, completion in
                log.lines.append("events of \(identifier)")
                stored = completion
            }
            .declarations[0]
        declaration.handleBackgroundEvents(of: "other") { log.lines.append("nobody asked") }
        declaration.handleBackgroundEvents(of: "mine") { log.lines.append("completed") }
        log.lines.append("urlSessionDidFinishEvents")
        stored?()
        #expect(
            log.lines
                == ["nobody asked", "events of mine", "urlSessionDidFinishEvents", "completed"]
        )
    }

    private func info(_ name: String, _ character: String?) -> WidgetInfo {
        WidgetInfo(
            kind: "character",
            family: .systemLarge,
            name: name,
            configuration: character.map { .appIntent(SelectCharacter(character: $0)) } ?? .none
        )
    }

    @Test("is its own identity, which is what it says of itself, and knows its app intent")
    func identity() {
        let first = info("1", "kit")
        let same: WidgetInfo = first.id
        #expect(first.configuration == nil)
        #expect(same.widgetConfigurationIntent(of: SelectCharacter.self)?.character == "kit")
        // Two alike widgets, and one whose configuration is another.
        #expect(info("2", "kit") == first && Set([first, info("2", "kit")]).count == 1)
        #expect(info("1", "kat") != first && info("1", nil) != first)
        #expect("\(first.id)".contains("\n"), "its text is no name")
    }
}
