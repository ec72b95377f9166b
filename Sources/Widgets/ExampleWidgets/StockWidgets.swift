package import WidgetTimelines

/// The widgets of a stock app.
package struct StockWidgets: WidgetBundle {
    package init() {}

    package var body: some Widget {
        QuoteWidget()
        Watchlist()
        LotWidget()
        MarketWidget()
        QuoteComplication()
    }
}
