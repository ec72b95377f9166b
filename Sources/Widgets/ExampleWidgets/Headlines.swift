internal import Foundation
internal import WidgetTimelines

/// Displays the newspaper's top story.
struct Headlines: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(
            kind: "org.dailynews.headlines",
            provider: HeadlinesProvider()
        ) { entry in
            Group {
                Text("Daily News")
                Text(entry.headline)
                if let since = entry.since { Text("Since \(since, style: .time)") }
            }
            .containerBackground(.background, for: .widget)
        }
        .configurationDisplayName("Headlines")
        .description("What everybody talks about.")
    }
}

/// What `Headlines` displays from a date on.
struct HeadlinesEntry: TimelineEntry {
    let date: Date
    var headline = "–"
    var since: Date?
}

/// Makes the timelines of `Headlines`: the top story, fetched again after half an hour.
struct HeadlinesProvider: TimelineProvider, ExampleProvider {
    func placeholder(in context: Context) -> HeadlinesEntry { HeadlinesEntry(date: .now) }

    var example: HeadlinesEntry { HeadlinesEntry(date: .now, headline: "Dragon over the marsh") }

    func getTimeline(
        in context: Context,
        completion: @escaping (Timeline<HeadlinesEntry>) -> Void
    ) {
        OriginSession.shared.object(Story.self, at: "/headlines/front") { story in
            let now = Date.now
            let entry = HeadlinesEntry(
                date: now,
                headline: story?.title ?? "–",
                since: story?.publishedAt?.serverDate
            )
            completion(
                Timeline(entries: [entry], policy: story == nil ? .retry(now) : .after(now + 1_800))
            )
        }
    }
}
