import ActivityKit
import AppIntents
import SwiftUI
import WidgetKit

// Widget code in the usual form of extensions, with Apple's imports only.

/// A team, found by its id.
struct TeamEntity: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Team"
    static let defaultQuery = TeamQuery()

    let id: String
    let name: String

    var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "\(name)") }
}

/// The teams of the app.
struct TeamQuery: EntityStringQuery {
    private var teams: [TeamEntity] {
        ["lions", "foxes"].map { TeamEntity(id: $0, name: $0.capitalized) }
    }

    func entities(for identifiers: [TeamEntity.ID]) async throws -> [TeamEntity] {
        await Task.yield()
        if identifiers == ["broken"] { throw CancellationError() }
        return teams.filter { identifiers.contains($0.id) }
    }

    func entities(matching string: String) async throws -> IntentItemCollection<TeamEntity> {
        IntentItemCollection(items: teams.filter { $0.name.contains(string) })
    }

    func suggestedEntities() async throws -> IntentItemCollection<TeamEntity> {
        IntentItemCollection(promptLabel: "Team", items: teams)
    }

    func defaultResult() async -> TeamEntity? { teams.first }
}

/// A stadium, whose ids are UUIDs.
struct Stadium: AppEntity {
    static let defaultQuery = StadiumQuery()
    static let known = UUID()

    let id: UUID

    var displayRepresentation: DisplayRepresentation { "Stadium" }
}

struct StadiumQuery: EntityQuery {
    func entities(for identifiers: [UUID]) async throws -> [Stadium] {
        identifiers.filter { $0 == Stadium.known }.map { Stadium(id: $0) }
    }
}

enum League: String, AppEnum {
    case first
    case second

    static let typeDisplayRepresentation: TypeDisplayRepresentation = "League"
    static let caseDisplayRepresentations: [League: DisplayRepresentation] = [
        .first: "First", .second: DisplayRepresentation(title: "Second", subtitle: "below"),
    ]
}

struct Groups: DynamicOptionsProvider {
    func results() async throws -> [String] { ["a", "b"] }
    func defaultResult() async -> String? { "a" }
}

struct TeamsIntent: WidgetConfigurationIntent, CustomIntentMigratedAppIntent {
    static let intentClassName = "TeamsIntent"
    static let title = LocalizedStringResource("teams.title", defaultValue: "Teams")
    static let description = IntentDescription("Which teams.", categoryName: "Sport")

    @Parameter(title: "Team") var team: TeamEntity?
    @Parameter(title: "Others", size: [.systemSmall: 1, .systemLarge: 4]) var others: [TeamEntity]?
    @Parameter(title: "Stadium") var stadium: Stadium?
    @Parameter(title: "League", default: .first) var league: League
    @Parameter(title: "Group", optionsProvider: Groups()) var group: String?
    @Parameter(title: "Name", inputOptions: String.IntentInputOptions(capitalizationType: .words))
    var name: String?
    @Parameter(title: "Scores", description: "Whether scores are displayed", default: true)
    var hasScores: Bool

    static var parameterSummary: some ParameterSummary {
        When(\.$league, .equalTo, .first) {
            Switch(\.$hasScores) {
                Case(true) {
                    Summary("Show \(\.$team) with scores") {
                        \.$others
                        \.$stadium
                    }
                }
                DefaultCase { Summary("Show \(\.$team)") }
            }
        } otherwise: {
            Summary("Show \(\.$team) of \(\.$group)")
        }
    }
}

struct CheerIntent: AppIntent {
    static let title: LocalizedStringResource = "Cheer"

    @Parameter(title: "Team") var team: TeamEntity
    @Dependency var store: Cheers

    func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
        if team.id.isEmpty { throw $team.needsValueError("Which team?") }
        return .result(value: store.count, dialog: "Hurray!")
    }
}

struct Cheers: Sendable {
    let count = 3
}

struct MuteIntent: SetValueIntent {
    static let title: LocalizedStringResource = "Mute"

    @Parameter(title: "Muted") var value: Bool

    func perform() async throws -> some IntentResult { .result() }
}

struct TeamsEntry: TimelineEntry {
    let date: Date
    let team: String
}

struct TeamsProvider: AppIntentTimelineProvider {
    func placeholder(in context: Context) -> TeamsEntry { TeamsEntry(date: .now, team: "Team") }

    func snapshot(for configuration: TeamsIntent, in context: Context) async -> TeamsEntry {
        TeamsEntry(date: .now, team: configuration.team?.name ?? "none")
    }

    func timeline(for configuration: TeamsIntent, in context: Context) async -> Timeline<TeamsEntry>
    {
        ControlCenter.shared.reloadControls(ofKind: "mute")
        WidgetCenter.shared.invalidateConfigurationRecommendations()
        let entry = await snapshot(for: configuration, in: context)
        return Timeline(entries: [entry], policy: .never)
    }

    func recommendations() -> [AppIntentRecommendation<TeamsIntent>] {
        [AppIntentRecommendation(intent: TeamsIntent(), description: "All teams")]
    }
}

struct TeamsView: View {
    @Environment(\.widgetFamily) private var family
    @Environment(\.widgetRenderingMode) private var mode
    @State private var isOpen = false
    @AppStorage("teams.nickname") private var nickname = "Kit"

    let content: TeamsEntry

    var body: some View {
        ZStack {
            Color("Lawn")
            VStack(alignment: .leading, spacing: 4) {
                HStack {
                    Image(systemName: "sportscourt").resizable().frame(width: 20, height: 20)
                    Text(content.team).font(.headline).bold() + Text("!")
                }
                .widgetAccentable()
                Group {
                    Text("\(12.5, format: .number) points", comment: "the score")
                    ForEach(["a", "b"], id: \.self) { Text($0).foregroundStyle(.secondary) }
                }
                ProgressView(value: 0.4)
                if family == .systemLarge { Text("large, \(nickname)") }
                Text("nobody sees this").hidden()
                Button(intent: CheerIntent()) { Label("Cheer", systemImage: "hands.clap") }
                Toggle(isOn: isOpen, intent: MuteIntent()) { Text("Mute") }
            }
            .padding(.horizontal, 8)
            .clipped()
        }
        .widgetBackground(Color.green)
        .widgetURL(URL(string: "teams://\(content.team)"))
    }
}

extension View {
    fileprivate func widgetBackground(_ background: some View) -> some View {
        if #available(iOSApplicationExtension 17.0, *) {
            return containerBackground(for: .widget) { background }
        }
        return self.background(background)
    }
}

struct TeamsWidget: Widget {
    var body: some WidgetConfiguration {
        AppIntentConfiguration(kind: "teams", provider: TeamsProvider()) { TeamsView(content: $0) }
            .configurationDisplayName(LocalizedStringResource("Teams"))
            .description(Text("How your teams play."))
            .contentMarginsDisabled()
            .containerBackgroundRemovable(false)
            .disfavoredLocations([.lockScreen], for: [.systemSmall])
            .promptsForUserConfiguration()
            .supportedFamilies([.systemSmall, .systemLarge])
    }
}

struct HiddenWidget: Widget {
    var body: some WidgetConfiguration { EmptyWidgetConfiguration() }
}

struct MuteControl: ControlWidget {
    struct Provider: ControlValueProvider {
        var previewValue: Bool { false }
        func currentValue() async throws -> Bool { true }
    }

    var body: some ControlWidgetConfiguration {
        StaticControlConfiguration(kind: "mute", provider: Provider()) { isMuted in
            ControlWidgetToggle("Mute", isOn: isMuted, action: MuteIntent()) { isOn in
                Label(isOn ? "Silent" : "Loud", systemImage: "speaker")
            }
            .tint(.red)
        }
        .displayName("Mute")
        .description("Silences the stadium.")
    }
}

struct MatchAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var score: Int
    }

    let home: String
}

struct MatchActivity: Widget {
    var body: some WidgetConfiguration {
        ActivityConfiguration(for: MatchAttributes.self) { context in
            Text("\(context.attributes.home): \(context.state.score)")
                .activityBackgroundTint(.green)
        } dynamicIsland: { context in
            DynamicIsland {
                DynamicIslandExpandedRegion(.leading) { Text(context.attributes.home) }
            } compactLeading: {
                Text("H")
            } compactTrailing: {
                Text("\(context.state.score)")
            } minimal: {
                Text("\(context.state.score)")
            }
        }
    }
}

struct SampleWidgets: WidgetBundle {
    var body: some Widget {
        TeamsWidget()
        HiddenWidget()
        MatchActivity()
        if #available(iOS 18.0, *) { MuteControl() }
    }
}

#Preview("Teams", as: .systemSmall) {
    TeamsWidget()
} timeline: {
    TeamsEntry(date: .now, team: "Lions")
}

#Preview {
    TeamsView(content: TeamsEntry(date: .now, team: "Lions"))
}

struct TeamsPreviews: PreviewProvider {
    static var previews: some View {
        TeamsView(content: TeamsEntry(date: .now, team: "Lions"))
            .previewContext(WidgetPreviewContext(family: .systemSmall))
    }
}
