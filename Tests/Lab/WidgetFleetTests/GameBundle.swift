import Foundation
import WidgetTimelines

/// The widgets of the tests: one whose provider waits for the origin, one whose provider is called
/// back, and one that needs no origin.
struct GameBundle: WidgetBundle {
    var body: some Widget {
        CharacterWidget()
        DragonWidget()
        ClockWidget()
        MapWidget()
    }
}

struct TextEntry: TimelineEntry {
    let date: Date
    let text: String
}

struct CharacterIntent: WidgetConfigurationIntent {
    @Parameter(title: "Character", default: "nobody") var character: String

    init() {}
}

struct CharacterProvider: AppIntentTimelineProvider {
    func placeholder(in context: Context) -> TextEntry { TextEntry(date: Date(), text: "…") }

    func snapshot(for configuration: CharacterIntent, in context: Context) async -> TextEntry {
        TextEntry(date: Date(), text: "sample")
    }

    func timeline(
        for configuration: CharacterIntent,
        in context: Context
    ) async -> Timeline<TextEntry> {
        let session = OriginSession.shared
        var text = "–"
        if let values = session.pushedValues {
            text = String(decoding: values, as: UTF8.self)
        } else if let data = try? await session.data(from: "/character/\(configuration.character)")
        {
            text = String(decoding: data, as: UTF8.self)
        }
        return Timeline(entries: [TextEntry(date: Date(), text: text)], policy: .never)
    }
}

struct CharacterWidget: Widget {
    var body: some WidgetConfiguration {
        AppIntentConfiguration(
            kind: "com.mygame.character-detail",
            intent: CharacterIntent.self,
            provider: CharacterProvider()
        ) { Text($0.text) }
    }
}

struct DragonProvider: TimelineProvider {
    func placeholder(in context: Context) -> TextEntry { TextEntry(date: Date(), text: "…") }

    func getSnapshot(in context: Context, completion: @escaping (TextEntry) -> Void) {
        completion(TextEntry(date: Date(), text: "sample"))
    }

    func getTimeline(in context: Context, completion: @escaping (Timeline<TextEntry>) -> Void) {
        OriginSession.shared.dataTask(with: "/region/marsh") { result in
            let now = Date()
            let text = (try? result.get()).map { String(decoding: $0, as: UTF8.self) } ?? "–"
            completion(
                Timeline(
                    entries: [TextEntry(date: now, text: text)],
                    policy: .after(now + 600)
                )
            )
        }
    }
}

struct DragonWidget: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(kind: "com.mygame.dragon-watch", provider: DragonProvider()) {
            Text($0.text)
        }
    }
}

struct ClockProvider: TimelineProvider {
    func placeholder(in context: Context) -> TextEntry { TextEntry(date: Date(), text: "…") }

    func getSnapshot(in context: Context, completion: @escaping (TextEntry) -> Void) {
        completion(TextEntry(date: Date(), text: "sample"))
    }

    func getTimeline(in context: Context, completion: @escaping (Timeline<TextEntry>) -> Void) {
        completion(Timeline(entries: [TextEntry(date: Date(), text: "clock")], policy: .atEnd))
    }
}

struct ClockWidget: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(kind: "com.mygame.clock", provider: ClockProvider()) {
            Text($0.text)
        }
    }
}
