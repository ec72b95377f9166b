internal import Foundation
internal import WidgetTimelines

/// Displays the price of a stock symbol.
struct QuoteWidget: Widget {
    var body: some WidgetConfiguration {
        AppIntentConfiguration(
            kind: "com.tickerboard.quote",
            intent: SelectSymbolIntent.self,
            provider: QuoteProvider(placeholderText: "Symbol")
        ) { entry in
            Group {
                Text(entry.symbol)
                QuoteView(quote: entry.quote)
                if let opening = entry.opening {
                    Text("Opens in \(opening, style: .relative)")
                } else {
                    Text("At \(entry.date, style: .time)")
                }
            }
            .containerBackground(.background, for: .widget)
        }
        .configurationDisplayName("Quote")
        .description("A symbol's price.")
    }
}

/// Displays a price on the face of a watch. The reload after a push brings the price as an inlined
/// value, so that no request to the server is needed.
struct QuoteComplication: Widget {
    var body: some WidgetConfiguration {
        AppIntentConfiguration(
            kind: "com.tickerboard.complication",
            intent: SelectSymbolIntent.self,
            provider: QuoteProvider(placeholderText: "")
        ) { entry in
            Group {
                Text(entry.symbol)
                Text(entry.quote.priceText)
            }
            .containerBackground(.background, for: .widget)
        }
        .configurationDisplayName("Price")
        .description("A symbol's price, always in sight.")
    }
}

/// The configuration of `QuoteWidget` and `QuoteComplication`: which symbol they display.
struct SelectSymbolIntent: WidgetConfigurationIntent {
    static let title: LocalizedStringResource = "Select Symbol"

    @Parameter(title: "Symbol") var symbol: String?
}

/// What `QuoteWidget` and `QuoteComplication` display from a date on.
struct QuoteEntry: TimelineEntry {
    let date: Date
    let symbol: String
    var quote: Quote?
    /// When trading begins; nil while the market is open.
    var opening: Date?
}

/// Makes the timelines of `QuoteWidget` and `QuoteComplication`, from inlined values if the
/// reload has them.
struct QuoteProvider: AppIntentTimelineProvider, ExampleProvider {
    let placeholderText: String

    func placeholder(in context: Context) -> QuoteEntry {
        QuoteEntry(date: .now, symbol: placeholderText)
    }

    var example: QuoteEntry {
        QuoteEntry(date: .now, symbol: "KEX", quote: Quote(price: 187.1, change: 1.22))
    }

    func timeline(
        for configuration: SelectSymbolIntent,
        in context: Context
    ) async -> Timeline<QuoteEntry> {
        guard let symbol = configuration.symbol else {
            let entry = QuoteEntry(date: .now, symbol: "Choose a symbol")
            return Timeline(entries: [entry], policy: .never)
        }
        let session = OriginSession.shared
        if let quote = session.pushed(Quote.self) {
            return timeline(symbol, quote: quote, now: .now)
        }
        let quote = await session.object(Quote.self, at: "/symbol/\(symbol)")
        return timeline(symbol, quote: quote, now: .now)
    }

    /// Makes one entry; while the market is closed, the next price is fetched when it opens.
    func timeline(_ symbol: String, quote: Quote?, now: Date) -> Timeline<QuoteEntry> {
        let opening = MarketHours.isOpen(at: now) ? nil : MarketHours.opening(after: now)
        let entry = QuoteEntry(date: now, symbol: symbol, quote: quote, opening: opening)
        return Timeline(
            entries: [entry],
            policy: quote == nil ? .retry(now) : .after(MarketHours.nextQuote(after: now))
        )
    }
}
