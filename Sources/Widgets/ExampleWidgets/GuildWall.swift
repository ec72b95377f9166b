internal import Foundation
internal import WidgetTimelines

/// Displays how many posts and members a guild of the game has.
struct GuildWall: Widget {
    var body: some WidgetConfiguration {
        IntentConfiguration(
            kind: "com.mygame.guild-wall",
            intent: SelectGuildIntent.self,
            provider: GuildProvider()
        ) { entry in
            Group {
                Text(entry.name)
                Text("\(entry.posts.orDash) posts")
                Text("\(entry.members.orDash) members")
            }
            .containerBackground(.background, for: .widget)
        }
        .configurationDisplayName("Guild Wall")
        .description("What your guild has to say.")
    }
}

/// The configuration of `GuildWall`: which guild it displays.
final class SelectGuildIntent: INIntent, ChoosableIntent {
    var guild: String?

    func setValue(_ value: Any, forKey key: String) {
        if key == "guild" { guild = value as? String }
    }
}

/// A guild as the game's server describes it.
struct Guild: Decodable {
    var posts: Int?
    var members: Int?
}

/// What `GuildWall` displays from a date on.
struct GuildEntry: TimelineEntry {
    let date: Date
    let name: String
    var posts: Int?
    var members: Int?
}

/// Makes the timelines of `GuildWall`. The game pushes every new post, so a timeline asks for a
/// reload at a date only if the server could not be asked.
struct GuildProvider: IntentTimelineProvider, ExampleProvider {
    func placeholder(in context: Context) -> GuildEntry { GuildEntry(date: .now, name: "Guild") }

    var example: GuildEntry { GuildEntry(date: .now, name: "iron-wolves", posts: 12, members: 48) }

    func getTimeline(
        for configuration: SelectGuildIntent,
        in context: Context,
        completion: @escaping (Timeline<GuildEntry>) -> Void
    ) {
        guard let name = configuration.guild else {
            let entry = GuildEntry(date: .now, name: "Choose a guild")
            return completion(Timeline(entries: [entry], policy: .never))
        }
        OriginSession.shared.object(Guild.self, at: "/guild/\(name)") { guild in
            let now = Date.now
            let entry = GuildEntry(
                date: now,
                name: name,
                posts: guild?.posts,
                members: guild?.members
            )
            completion(Timeline(entries: [entry], policy: guild == nil ? .retry(now) : .never))
        }
    }
}
