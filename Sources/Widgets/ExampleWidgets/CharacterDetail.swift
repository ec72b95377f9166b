internal import Foundation
internal import WidgetTimelines

/// Displays the health of one of the game's characters, as in Apple's "Keeping a widget up to
/// date".
struct CharacterDetail: Widget {
    var body: some WidgetConfiguration {
        AppIntentConfiguration(
            kind: "com.mygame.character-detail",
            intent: SelectCharacterIntent.self,
            provider: CharacterProvider()
        ) { entry in
            Group {
                CharacterView(entry: entry)
            }
            .containerBackground(.background, for: .widget)
        }
        .configurationDisplayName("Character")
        .description("How your character heals.")
        .supportedFamilies([
            .systemSmall, .systemMedium, .systemLarge, .accessoryCircular, .accessoryRectangular,
        ])
    }
}

/// The configuration of `CharacterDetail`: which character it displays.
struct SelectCharacterIntent: WidgetConfigurationIntent {
    static let title: LocalizedStringResource = "Select Character"

    @Parameter(title: "Character") var character: String?
}

/// A character as the game's server describes it.
struct GameCharacter: Decodable {
    /// Health in per cent.
    let hp: Int
    var level: Int?
    /// When a dragon attacks the character, in ms since 1970.
    var dragonAt: Double?
}

/// What `CharacterDetail` displays from a date on.
struct CharacterEntry: TimelineEntry {
    let date: Date
    let name: String
    var health: Int?
    var level: Int?
    /// When the character will be healed; nil if it is healed already, or if its health is not
    /// known.
    var full: Date?

    /// The weaker the character, the more relevant the entry.
    var relevance: TimelineEntryRelevance? {
        health.map { TimelineEntryRelevance(score: Float(100 - $0)) }
    }
}

/// Displays a `CharacterEntry`.
struct CharacterView: View {
    let entry: CharacterEntry

    var body: some View {
        Text(entry.name)
        HStack {
            Text("\(entry.health.orDash) %")
            if let level = entry.level { Text("level \(level)") }
        }
        if let full = entry.full { Text("Full in \(full, style: .relative)") }
    }
}

/// Makes the timelines of `CharacterDetail`, from inlined values if the reload has them.
struct CharacterProvider: AppIntentTimelineProvider, ExampleProvider {
    /// Health that a character regains in an hour, in per cent.
    static var healing: Int { 25 }

    func placeholder(in context: Context) -> CharacterEntry {
        CharacterEntry(date: .now, name: "Character")
    }

    var example: CharacterEntry { CharacterEntry(date: .now, name: "elf-1", health: 75, level: 3) }

    func timeline(
        for configuration: SelectCharacterIntent,
        in context: Context
    ) async -> Timeline<CharacterEntry> {
        guard let name = configuration.character else {
            let entry = CharacterEntry(date: .now, name: "Choose a character")
            return Timeline(entries: [entry], policy: .never)
        }
        let session = OriginSession.shared
        if let character = session.pushed(GameCharacter.self) {
            return timeline(name, character: character, now: .now)
        }
        let character = await session.object(GameCharacter.self, at: "/character/\(name)")
        return timeline(name, character: character, now: .now)
    }

    /// Makes an entry for each hour until the character is healed. A healed character needs no
    /// reload until a push comes; if a dragon will attack, the timeline ends at the attack.
    func timeline(
        _ name: String,
        character: GameCharacter?,
        now: Date
    ) -> Timeline<CharacterEntry> {
        guard let character else {
            return Timeline(entries: [CharacterEntry(date: now, name: name)], policy: .retry(now))
        }
        let health = min(100, max(0, character.hp))
        let hours = (100 - health + Self.healing - 1) / Self.healing
        let full = hours == 0 ? nil : now + Double(hours) * 3_600
        let entries = (0...hours).map { hour in
            CharacterEntry(
                date: now + Double(hour) * 3_600,
                name: name,
                health: min(100, health + hour * Self.healing),
                level: character.level,
                full: hour == hours ? nil : full
            )
        }
        if let dragon = character.dragonAt?.serverDate, dragon > now {
            // The outcome of the fight is not known in advance.
            return Timeline(entries: entries.filter { $0.date < dragon }, policy: .after(dragon))
        }
        return Timeline(entries: entries, policy: hours == 0 ? .never : .atEnd)
    }
}
