internal import Foundation
internal import WidgetTimelines

/// Displays the prices of several symbols.
struct Watchlist: Widget {
    var body: some WidgetConfiguration {
        AppIntentConfiguration(
            kind: "com.tickerboard.watchlist",
            intent: SelectSymbolsIntent.self,
            provider: WatchlistProvider()
        ) { entry in
            Group {
                WatchlistView(entry: entry)
            }
            .containerBackground(.background, for: .widget)
        }
        .configurationDisplayName("Watchlist")
        .description("Your symbols.")
        .supportedFamilies([.systemSmall, .systemMedium, .systemLarge, .accessoryRectangular])
    }
}

/// The configuration of `Watchlist`: which symbols it displays.
struct SelectSymbolsIntent: WidgetConfigurationIntent {
    static let title: LocalizedStringResource = "Select Symbols"

    @Parameter(title: "Symbols", default: []) var symbols: [String]
    /// Whether the widget is reloaded for big trades; if not, it is reloaded for all others.
    @Parameter(title: "Big trades", default: false) var big: Bool
}

/// What `Watchlist` displays from a date on.
struct WatchlistEntry: TimelineEntry {
    struct Row {
        let symbol: String
        var quote: Quote?
    }

    let date: Date
    let rows: [Row]
}

/// Displays a `WatchlistEntry`.
struct WatchlistView: View {
    let entry: WatchlistEntry

    var body: some View {
        if entry.rows.isEmpty {
            Text("Choose symbols")
        } else {
            ForEach(entry.rows) { row in
                HStack {
                    Text(row.symbol)
                    QuoteView(quote: row.quote)
                }
            }
        }
    }
}

/// Makes the timelines of `Watchlist`.
struct WatchlistProvider: AppIntentTimelineProvider, ExampleProvider {
    /// The most symbols for which a widget of this size has space.
    private static func limit(_ family: WidgetFamily) -> Int {
        switch family {
        case .accessoryRectangular: 3
        case .systemSmall, .systemMedium: 5
        default: 8
        }
    }

    func placeholder(in context: Context) -> WatchlistEntry {
        WatchlistEntry(date: .now, rows: [.init(symbol: "Symbol"), .init(symbol: "Symbol")])
    }

    var example: WatchlistEntry {
        let rows = [("KEX", 187.1, 1.22), ("AOM", 53.49, -0.52)].map { symbol, price, change in
            WatchlistEntry.Row(symbol: symbol, quote: Quote(price: price, change: change))
        }
        return WatchlistEntry(date: .now, rows: rows)
    }

    func timeline(
        for configuration: SelectSymbolsIntent,
        in context: Context
    ) async -> Timeline<WatchlistEntry> {
        let symbols = Array(configuration.symbols.prefix(Self.limit(context.family)))
        if symbols.isEmpty {
            return Timeline(entries: [WatchlistEntry(date: .now, rows: [])], policy: .never)
        }
        let quotes = await OriginSession.shared.objects(
            Quote.self,
            at: symbols.map { "/symbol/\($0)" }
        )
        assert(symbols.count == quotes.count, "quotes of other symbols")
        let rows = zip(symbols, quotes).map { WatchlistEntry.Row(symbol: $0, quote: $1) }
        return timeline(rows, now: .now)
    }

    /// Makes one entry with all prices.
    func timeline(_ rows: [WatchlistEntry.Row], now: Date) -> Timeline<WatchlistEntry> {
        let isWhole = rows.allSatisfy { $0.quote != nil }
        return Timeline(
            entries: [WatchlistEntry(date: now, rows: rows)],
            policy: isWhole ? .after(MarketHours.nextQuote(after: now)) : .retry(now)
        )
    }
}
