internal import Foundation
internal import WidgetTimelines

/// Displays the three best scores of the game.
struct Leaderboard: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(
            kind: "com.mygame.leaderboard",
            provider: LeaderboardProvider()
        ) { entry in
            Group {
                Text("Leaderboard")
                ForEach(entry.scores.enumerated()) { rank, score in
                    Text("\(rank + 1).  \(score.orDash)")
                }
            }
            .containerBackground(.background, for: .widget)
        }
        .configurationDisplayName("Leaderboard")
        .description("The three best scores.")
        .supportedFamilies([.systemSmall, .systemMedium, .systemLarge, .accessoryRectangular])
    }
}

/// The leaderboard as the game's server describes it.
struct Standings: Decodable {
    var first: Int?
    var second: Int?
    var third: Int?
}

/// What `Leaderboard` displays from a date on.
struct LeaderboardEntry: TimelineEntry {
    let date: Date
    var scores: [Int?] = [nil, nil, nil]
}

/// Makes the timelines of `Leaderboard`: the scores, fetched again after an hour.
struct LeaderboardProvider: TimelineProvider, ExampleProvider {
    func placeholder(in context: Context) -> LeaderboardEntry { LeaderboardEntry(date: .now) }

    var example: LeaderboardEntry { LeaderboardEntry(date: .now, scores: [980, 955, 870]) }

    func getTimeline(
        in context: Context,
        completion: @escaping (Timeline<LeaderboardEntry>) -> Void
    ) {
        OriginSession.shared.object(Standings.self, at: "/leaderboard/world") { standings in
            let now = Date.now
            let scores = [standings?.first, standings?.second, standings?.third]
            completion(
                Timeline(
                    entries: [LeaderboardEntry(date: now, scores: scores)],
                    policy: standings == nil ? .retry(now) : .after(now + 3_600)
                )
            )
        }
    }
}
