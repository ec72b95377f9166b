internal import Foundation
internal import WidgetTimelines

/// Displays the latest stories of several topics, one topic after the other.
struct TopicStories: Widget {
    var body: some WidgetConfiguration {
        AppIntentConfiguration(
            kind: "org.dailynews.topic",
            intent: SelectTopicsIntent.self,
            provider: TopicProvider()
        ) { entry in
            Group {
                Text(entry.topic)
                Text(entry.headline)
                if let published = entry.published { Text("\(published, style: .relative) ago") }
            }
            .containerBackground(.background, for: .widget)
        }
        .configurationDisplayName("Topics")
        .description("The latest of what you follow.")
    }
}

/// The configuration of `TopicStories`: which topics it displays.
struct SelectTopicsIntent: WidgetConfigurationIntent {
    static let title: LocalizedStringResource = "Select Topics"

    @Parameter(title: "Topics", default: []) var topics: [String]
}

/// A story as the newspaper's server describes it.
struct Story: Decodable {
    /// The story's number.
    var story: Int?
    var headline: String?
    /// When the story was published, in ms since 1970.
    var publishedAt: Double?

    var title: String { headline ?? story.map { "Story \($0)" } ?? "–" }
}

/// What `TopicStories` displays from a date on.
struct TopicEntry: TimelineEntry {
    let date: Date
    let topic: String
    var headline = "–"
    var published: Date?
}

/// Makes the timelines of `TopicStories`.
struct TopicProvider: AppIntentTimelineProvider, ExampleProvider {
    /// How long each topic is displayed, in seconds.
    static var rotation: TimeInterval { 600 }
    /// The most topics for which stories are fetched.
    static var topicLimit: Int { 6 }

    func placeholder(in context: Context) -> TopicEntry { TopicEntry(date: .now, topic: "Topic") }

    var example: TopicEntry {
        TopicEntry(date: .now, topic: "chess", headline: "A draw after 130 moves")
    }

    func timeline(
        for configuration: SelectTopicsIntent,
        in context: Context
    ) async -> Timeline<TopicEntry> {
        let topics = Array(configuration.topics.prefix(Self.topicLimit))
        if topics.isEmpty {
            let entry = TopicEntry(date: .now, topic: "Choose a topic", headline: "")
            return Timeline(entries: [entry], policy: .never)
        }
        let stories = await OriginSession.shared.objects(
            Story.self,
            at: topics.map { "/topic/\($0)" }
        )
        return timeline(topics, stories: stories, now: .now)
    }

    /// Makes an entry for each topic in turn. After the last one, but not before half an hour, the
    /// server is asked for news.
    func timeline(_ topics: [String], stories: [Story?], now: Date) -> Timeline<TopicEntry> {
        assert(!topics.isEmpty, "there is no first entry, which a snapshot shows")
        assert(topics.count == stories.count, "stories of other topics")
        let entries = zip(topics, stories).enumerated().map { index, topic in
            TopicEntry(
                date: now + Double(index) * Self.rotation,
                topic: topic.0,
                headline: topic.1?.title ?? "–",
                published: topic.1?.publishedAt?.serverDate
            )
        }
        let isWhole = stories.allSatisfy { $0 != nil }
        return Timeline(
            entries: entries,
            policy: isWhole
                ? .after(now + max(1_800, Double(topics.count) * Self.rotation)) : .retry(now)
        )
    }
}
