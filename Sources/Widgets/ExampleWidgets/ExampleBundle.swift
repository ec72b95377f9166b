package import WidgetTimelines

/// The widget bundles that a fleet can run; a raw value is the bundle's name in scenarios.
package enum ExampleBundle: String, CaseIterable, Sendable {
    /// A game in which characters fight dragons and then heal.
    case game
    /// A newspaper.
    case news
    /// A stock app.
    case stocks

    /// The id of the app to which the widgets belong.
    package var app: String {
        switch self {
        case .game: "com.mygame"
        case .news: "org.dailynews"
        case .stocks: "com.tickerboard"
        }
    }

    /// The declarations of the bundle's widgets, in its order.
    package var declarations: [WidgetDeclaration] {
        switch self {
        case .game: GameWidgets.declarations
        case .news: NewsWidgets.declarations
        case .stocks: StockWidgets.declarations
        }
    }
}

private struct GameWidgets: WidgetBundle {
    var body: some Widget {
        CharacterDetail()
        GuildWall()
        DragonWatch()
        Leaderboard()
    }
}

private struct NewsWidgets: WidgetBundle {
    var body: some Widget {
        TopicStories()
        TeamScore()
        Headlines()
    }
}

private struct StockWidgets: WidgetBundle {
    var body: some Widget {
        QuoteWidget()
        Watchlist()
        LotWidget()
        MarketWidget()
        QuoteComplication()
    }
}
