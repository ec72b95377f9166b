internal import Foundation
internal import WidgetTimelines

/// Displays the market's index, and when trading begins or ends.
struct MarketWidget: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(
            kind: "com.tickerboard.market",
            provider: MarketProvider()
        ) { entry in
            Group {
                MarketView(entry: entry)
            }
            .containerBackground(.background, for: .widget)
        }
        .configurationDisplayName("Market")
        .description("The index, and when there is trading.")
    }
}

/// The market as the stock app's server describes it.
struct MarketIndex: Decodable {
    let index: Double
}

/// What `MarketWidget` displays from a date on.
struct MarketEntry: TimelineEntry {
    let date: Date
    var index: Double?
    let isOpen: Bool
    /// When `isOpen` changes next.
    let change: Date
}

/// Displays a `MarketEntry`.
struct MarketView: View {
    let entry: MarketEntry

    var body: some View {
        Text(entry.isOpen ? "Market open" : "Market closed")
        Text(entry.index.map { Quote(price: $0) }.priceText)
        Text("\(entry.isOpen ? "Closes" : "Opens") in \(entry.change, style: .relative)")
    }
}

/// Makes the timelines of `MarketWidget`.
struct MarketProvider: TimelineProvider, ExampleProvider {
    func placeholder(in context: Context) -> MarketEntry { entry(nil, at: .now) }

    var example: MarketEntry { entry(4_210, at: .now) }

    func getTimeline(in context: Context, completion: @escaping (Timeline<MarketEntry>) -> Void) {
        OriginSession.shared.object(MarketIndex.self, at: "/market/all") { market in
            completion(timeline(market, now: .now))
        }
    }

    /// Makes two entries: one for now, and one for the next opening or closing, which needs no
    /// reload.
    func timeline(_ market: MarketIndex?, now: Date) -> Timeline<MarketEntry> {
        let first = entry(market?.index, at: now)
        guard let market else { return Timeline(entries: [first], policy: .retry(now)) }
        let second = entry(market.index, at: first.change)
        return Timeline(
            entries: [first, second],
            policy: .after(MarketHours.nextQuote(after: now))
        )
    }

    private func entry(_ index: Double?, at date: Date) -> MarketEntry {
        let isOpen = MarketHours.isOpen(at: date)
        return MarketEntry(
            date: date,
            index: index,
            isOpen: isOpen,
            change: isOpen ? MarketHours.closing(after: date) : MarketHours.opening(after: date)
        )
    }
}
