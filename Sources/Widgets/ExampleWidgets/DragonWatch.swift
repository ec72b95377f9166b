internal import Foundation
internal import WidgetTimelines

/// Displays whether a dragon is coming to a region of the game.
struct DragonWatch: Widget {
    var body: some WidgetConfiguration {
        AppIntentConfiguration(
            kind: "com.mygame.dragon-watch",
            intent: SelectRegionIntent.self,
            provider: DragonProvider()
        ) { entry in
            Group {
                DragonView(entry: entry)
            }
            .containerBackground(.background, for: .widget)
        }
        .configurationDisplayName("Dragon Watch")
        .description("Tells you when to hide.")
    }
}

/// The configuration of `DragonWatch`: which region it watches.
struct SelectRegionIntent: WidgetConfigurationIntent {
    static let title: LocalizedStringResource = "Select Region"

    @Parameter(title: "Region") var region: String?
}

/// A region as the game's server describes it.
struct Region: Decodable {
    /// Strength of the dragon that was seen last; 0 if there was none.
    var strength: Int?
    /// When the dragon lands, in ms since 1970.
    var dragonAt: Double?
}

/// What `DragonWatch` displays from a date on.
struct DragonEntry: TimelineEntry {
    enum Sky: Equatable {
        case unknown
        case clear
        /// A dragon's strength, and when it lands.
        case coming(Int, Date)
        /// The strength of a dragon that has landed.
        case here(Int)
    }

    let date: Date
    let region: String
    let sky: Sky

    var relevance: TimelineEntryRelevance? {
        switch sky {
        case .unknown, .clear: nil
        case .coming(let strength, _): TimelineEntryRelevance(score: Float(strength))
        case .here(let strength): TimelineEntryRelevance(score: Float(2 * strength))
        }
    }
}

/// Displays a `DragonEntry`.
struct DragonView: View {
    let entry: DragonEntry

    var body: some View {
        Text(entry.region)
        switch entry.sky {
        case .unknown: Text("–")
        case .clear: Text("The sky is clear")
        case .coming(let strength, let date):
            Text("A dragon of strength \(strength)")
            Text("Lands in \(date, style: .timer)")
        case .here(let strength): Text("A dragon of strength \(strength) is here")
        }
    }
}

/// Makes the timelines of `DragonWatch`.
struct DragonProvider: AppIntentTimelineProvider, ExampleProvider {
    /// How long a dragon stays, in seconds.
    static var stay: TimeInterval { 1_800 }

    func placeholder(in context: Context) -> DragonEntry {
        DragonEntry(date: .now, region: "Region", sky: .unknown)
    }

    var example: DragonEntry { DragonEntry(date: .now, region: "marsh", sky: .here(40)) }

    func timeline(
        for configuration: SelectRegionIntent,
        in context: Context
    ) async -> Timeline<DragonEntry> {
        guard let name = configuration.region else {
            let entry = DragonEntry(date: .now, region: "Choose a region", sky: .clear)
            return Timeline(entries: [entry], policy: .never)
        }
        let region = await OriginSession.shared.object(Region.self, at: "/region/\(name)")
        return timeline(name, region: region, now: .now)
    }

    /// Makes entries for a dragon's approach, stay and departure; after that, the server is asked
    /// again.
    func timeline(_ name: String, region: Region?, now: Date) -> Timeline<DragonEntry> {
        func entry(_ date: Date, sky: DragonEntry.Sky) -> DragonEntry {
            DragonEntry(date: date, region: name, sky: sky)
        }
        guard let region else {
            return Timeline(entries: [entry(now, sky: .unknown)], policy: .retry(now))
        }
        let strength = region.strength ?? 0
        guard let landing = region.dragonAt?.serverDate else {
            // The game pushes when a dragon comes or leaves.
            let sky: DragonEntry.Sky = strength > 0 ? .here(strength) : .clear
            return Timeline(entries: [entry(now, sky: sky)], policy: .never)
        }
        let leaving = landing + Self.stay
        if now >= leaving { return Timeline(entries: [entry(now, sky: .clear)], policy: .never) }
        let here = entry(max(now, landing), sky: .here(strength))
        let isComing = now < landing
        let coming = isComing ? [entry(now, sky: .coming(strength, landing))] : []
        return Timeline(
            entries: coming + [here, entry(leaving, sky: .clear)],
            policy: .after(leaving)
        )
    }
}
