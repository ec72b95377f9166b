internal import Foundation
internal import WidgetTimelines

/// Displays the price of the latest trade of a certain size.
struct LotWidget: Widget {
    var body: some WidgetConfiguration {
        IntentConfiguration(
            kind: "com.tickerboard.lot",
            intent: SelectLotIntent.self,
            provider: LotProvider()
        ) { entry in
            Group {
                Text(entry.title)
                QuoteView(quote: entry.quote)
            }
            .containerBackground(.background, for: .widget)
        }
        .configurationDisplayName("Lots")
        .description("The latest trade of a size.")
    }
}

/// The configuration of `LotWidget`: the size of the trades that it displays.
final class SelectLotIntent: INIntent, ChoosableIntent {
    var lot: Int?

    func setValue(_ value: Any, forKey key: String) {
        if key == "lot" { lot = value as? Int }
    }
}

/// What `LotWidget` displays from a date on.
struct LotEntry: TimelineEntry {
    let date: Date
    let title: String
    var quote: Quote?
}

/// Makes the timelines of `LotWidget`. Trades are pushed, so a timeline asks for a reload at a date
/// only if the server could not be asked.
struct LotProvider: IntentTimelineProvider, ExampleProvider {
    func placeholder(in context: Context) -> LotEntry { LotEntry(date: .now, title: "Lots") }

    var example: LotEntry {
        let quote = Quote(price: 53.49, change: -0.52)
        return LotEntry(date: .now, title: "Lots of 100", quote: quote)
    }

    func getTimeline(
        for configuration: SelectLotIntent,
        in context: Context,
        completion: @escaping (Timeline<LotEntry>) -> Void
    ) {
        guard let lot = configuration.lot else {
            let entry = LotEntry(date: .now, title: "Choose a size")
            return completion(Timeline(entries: [entry], policy: .never))
        }
        OriginSession.shared.object(Quote.self, at: "/lot/\(lot)") { quote in
            let now = Date.now
            let entry = LotEntry(date: now, title: "Lots of \(lot)", quote: quote)
            completion(Timeline(entries: [entry], policy: quote == nil ? .retry(now) : .never))
        }
    }
}
