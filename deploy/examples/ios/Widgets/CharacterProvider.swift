import Foundation
import ReloadRouterKit
import WidgetKit

/// What the widget shows from a date on.
struct CharacterEntry: TimelineEntry {
    let date: Date
    let name: String
    var health: Int?
}

/// Makes the widget's timelines, and reports them to the router.
struct CharacterProvider: AppIntentTimelineProvider {
    var reporter = Game.reporter
    var load: @Sendable (String) async throws -> GameCharacter = Backend.shared.character
    var now: @Sendable () -> Date = { Date() }

    func placeholder(in context: Context) -> CharacterEntry {
        CharacterEntry(date: now(), name: "Character")
    }

    func snapshot(for configuration: SelectCharacter, in context: Context) async -> CharacterEntry {
        guard let name = configuration.character, !context.isPreview else {
            return CharacterEntry(date: now(), name: "elf-42", health: 75)
        }
        let health = try? await load(name).health
        return CharacterEntry(date: now(), name: name, health: health)
    }

    func timeline(
        for configuration: SelectCharacter,
        in context: Context
    ) async -> Timeline<CharacterEntry> {
        guard let name = configuration.character else {
            let entry = CharacterEntry(date: now(), name: "Choose a character")
            return Timeline(entries: [entry], policy: .never)
        }
        let health = try? await load(name).health
        let entries = entries(of: name, health: health)
        // Healed, it needs no reload until a push comes. If the backend is silent, in a quarter of
        // an hour.
        let next: Date? = health == nil ? now() + 900 : health == 100 ? nil : entries.last?.date
        // The router spreads the reloads of all devices: its date is the asked one or a later one.
        let date = try? await reporter.report(
            timelineOfKind: Game.characterKind,
            family: "\(context.family)",
            configuration: configuration.reported,
            entries: entries.map(\.date),
            policy: next.map { .after($0) } ?? .never
        )
        return Timeline(
            entries: entries,
            policy: (date ?? next).map { .after($0) } ?? .never
        )
    }

    /// An entry for each hour until the character is healed: it regains 25 % in an hour.
    private func entries(of name: String, health: Int?) -> [CharacterEntry] {
        guard let health else { return [CharacterEntry(date: now(), name: name)] }
        return stride(from: health, to: 125, by: 25).enumerated().map { hour, health in
            CharacterEntry(
                date: now() + Double(hour) * 3_600,
                name: name,
                health: min(100, health)
            )
        }
    }
}
